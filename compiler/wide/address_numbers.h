// Addresses that a loop goes through, compared by numbers.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <cstdint>
#include <random>

namespace weft::compiler::wide {

/// Numbers of fewer bits than addresses have, as if they had as many: to ask for a line in vain, since one wraps around, does no harm. So
/// what counts on by them in a loop goes on without end, and rows are told apart by what they have alike.
class Unwrapped : public llvm::SCEVRewriteVisitor<Unwrapped> {
 public:
  explicit Unwrapped(llvm::ScalarEvolution& evolution) : SCEVRewriteVisitor(evolution) {}

  const llvm::SCEV* visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr* extended) { return extend(*extended->getOperand(), *extended->getType(), false); }
  const llvm::SCEV* visitSignExtendExpr(const llvm::SCEVSignExtendExpr* extended) { return extend(*extended->getOperand(), *extended->getType(), true); }

 private:
  /// Sums and products by parts.
  const llvm::SCEV* extend(const llvm::SCEV& number, llvm::Type& type, bool is_signed) {
    if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number); counter && counter->isAffine())
      return SE.getAddRecExpr(extend(*counter->getStart(), type, is_signed), extend(*counter->getStepRecurrence(SE), type, true), counter->getLoop(),
                              llvm::SCEV::FlagAnyWrap);
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&number)) {
      llvm::SmallVector<const llvm::SCEV*, 4> parts;
      for (const llvm::SCEV* part : sum->operands()) parts.push_back(extend(*part, type, is_signed));
      return SE.getAddExpr(parts);
    }
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&number)) {
      const llvm::SCEV* all = SE.getOne(&type);
      for (const llvm::SCEV* factor : product->operands()) all = multiply(*all, *extend(*factor, type, is_signed));
      return all;
    }
    return is_signed || llvm::isa<llvm::SCEVConstant>(number) ? SE.getSignExtendExpr(&number, &type) : SE.getZeroExtendExpr(&number, &type);
  }

  /// The product, as a sum where a factor is one.
  const llvm::SCEV* multiply(const llvm::SCEV& one, const llvm::SCEV& other) {
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&one);
    const llvm::SCEV& factor = sum ? other : one;
    if (!sum) sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&other);
    if (!sum) return SE.getMulExpr(&one, &other);
    llvm::SmallVector<const llvm::SCEV*, 4> parts;
    for (const llvm::SCEV* part : sum->operands()) parts.push_back(multiply(*part, factor));
    return SE.getAddExpr(parts);
  }
};

/// What sums and products come to if all that they are made of has numbers at random: of two that lie a constant apart these do, too, however they are
/// written, and of others they do not, but once in 2^50. To make the difference of each two lines of a loop took two thirds of the time to compile
/// a stencil of 25 points.
class Numbers {
 public:
  std::uint64_t of(const llvm::SCEV& value) {
    if (const auto known = numbers_.find(&value); known != numbers_.end()) return known->second;
    const std::uint64_t number = compute(value);
    return numbers_[&value] = number;
  }
  /// For what is no SCEV.
  std::uint64_t any() { return random_(); }

 private:
  std::uint64_t compute(const llvm::SCEV& value) {
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&value)) return constant->getAPInt().sextOrTrunc(64).getZExtValue();
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&value)) {
      std::uint64_t all = 0;
      for (const llvm::SCEV* part : sum->operands()) all += of(*part);
      return all;
    }
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&value)) {
      std::uint64_t all = 1;
      for (const llvm::SCEV* factor : product->operands()) all *= of(*factor);
      return all;
    }
    if (const auto* counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&value); counter && counter->isAffine()) {
      const auto [iterations, is_new] = iterations_.try_emplace(counter->getLoop(), 0);
      if (is_new) iterations->second = random_();
      const std::uint64_t times = iterations->second;
      return of(*counter->getStart()) + of(*counter->getOperand(1)) * times;
    }
    return random_();
  }

  std::mt19937_64 random_;  ///< the same in each run: code depends on nothing but the program
  llvm::DenseMap<const llvm::SCEV*, std::uint64_t> numbers_;
  llvm::DenseMap<const llvm::Loop*, std::uint64_t> iterations_;
};

}  // namespace weft::compiler::wide
