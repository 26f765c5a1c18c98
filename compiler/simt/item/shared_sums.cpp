#include "compiler/simt/item/shared_sums.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Sums of fewer terms have little to share.
constexpr unsigned kFewestTerms = 4;
/// Weights of integers beyond this are no filter's, and their products could grow beyond what a double holds exactly.
constexpr double kMostWeight = 0xffff;

/// A value times a number.
struct Term {
  Value* value = nullptr;
  double weight = 1;
  bool never_wraps = true;  ///< the product, as an unsigned number
};

/// The program lets terms of `value` be added up in any order.
bool may_be_reordered(const Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::FPMathOperator>(&value);
  return operation && operation->hasAllowReassoc() && operation->hasNoSignedZeros();
}

/// The constant that all elements of `value` are, finite and not 0.
std::optional<double> constant_of(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  const llvm::Constant* element = constant && constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
  if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(element))
    return !number->isZero() && number->getValue().ule(static_cast<std::uint64_t>(kMostWeight)) ? std::optional(double(number->getZExtValue())) : std::nullopt;
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(element);
  if (!number || !number->getValueAPF().isFiniteNonZero()) return std::nullopt;
  llvm::APFloat wide = number->getValueAPF();
  bool loses = false;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return wide.convertToDouble();
}

/// What `value` adds up, if it is a sum: a term each, or parts that are sums themselves.
llvm::SmallVector<Term, 2> parts_of(Value& value) {
  auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction) return {};
  Value* first = instruction->getNumOperands() ? instruction->getOperand(0) : nullptr;
  if (instruction->getOpcode() == Instruction::Add) return {{first}, {instruction->getOperand(1)}};
  if (!may_be_reordered(value)) return {};
  if (instruction->getOpcode() == Instruction::FAdd) return {{first}, {instruction->getOperand(1)}};
  if (instruction->getOpcode() == Instruction::FSub) return {{first}, {instruction->getOperand(1), -1}};
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  if (call && (call->getIntrinsicID() == llvm::Intrinsic::fmuladd || call->getIntrinsicID() == llvm::Intrinsic::fma))
    if (const auto weight = constant_of(*call->getArgOperand(1))) return {{first, *weight}, {call->getArgOperand(2)}};
  return {};
}

bool is_sum(Value& value) { return !parts_of(value).empty(); }

/// `term`, with the constants that its value is multiplied by.
Term multiplied(Term term) {
  for (;;) {
    if (auto* product = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(term.value)) {
      const std::optional<double> number = constant_of(*product->getOperand(1));
      const bool is_shift = product->getOpcode() == Instruction::Shl && number && *number < 16;
      if (!number || !(is_shift || product->getOpcode() == Instruction::Mul)) return term;
      const double weight = term.weight * (is_shift ? std::exp2(*number) : *number);
      if (weight > kMostWeight) return term;
      term = {product->getOperand(0), weight, term.never_wraps && product->hasNoUnsignedWrap()};
      continue;
    }
    auto* product = llvm::dyn_cast<llvm::BinaryOperator>(term.value);
    if (!product || product->getOpcode() != Instruction::FMul || !may_be_reordered(*product)) return term;
    const std::optional<double> number = constant_of(*product->getOperand(1));
    if (!number) return term;
    term = {product->getOperand(0), term.weight * *number, false};
  }
}

class SharedSums {
 public:
  explicit SharedSums(llvm::BasicBlock& block) : block_(block), builder_(block.getContext()) {}

  void run() {
    for (Instruction& instruction : block_) {
      places_[&instruction] = static_cast<unsigned>(places_.size());
      if (is_sum(instruction) && !is_part(instruction)) find_terms(instruction);
    }
    group_terms();
    if (!gains()) return;
    for (Group& group : groups_) add_up(group);
    for (unsigned i = 0; i < roots_.size(); ++i) replace(i);
  }

 private:
  /// A sum, and how often it has each value.
  struct Root {
    Instruction* sum = nullptr;
    llvm::MapVector<Value*, double> weights;
    bool never_wraps = true;
  };
  /// Weights in sums, by the sums' numbers.
  using Weights = std::vector<std::pair<unsigned, double>>;
  /// Values and what they are multiplied by.
  using Terms = llvm::SmallVector<std::pair<Value*, double>, 8>;
  /// Terms that lie in the same sums: `terms` times what they are there.
  struct Group {
    Weights weights;
    Terms terms;
    llvm::WeakTrackingVH total;  ///< may be another sum, which changes too
  };

  /// Whether `sum` is nothing but a term of another.
  bool is_part(Instruction& sum) const {
    auto* user = sum.hasOneUse() ? llvm::dyn_cast<Instruction>(*sum.user_begin()) : nullptr;
    return user && user->getParent() == &block_ && llvm::any_of(parts_of(*user), [&](const Term& part) { return part.value == &sum; });
  }

  void find_terms(Instruction& sum) {
    Root root;
    root.sum = &sum;
    llvm::SmallVector<Term, 16> rest{{&sum}};
    while (!rest.empty()) {
      const Term sum_of = rest.pop_back_val();
      if (const auto* integers = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(sum_of.value)) root.never_wraps &= integers->hasNoUnsignedWrap();
      const llvm::SmallVector<Term, 2> parts = parts_of(*sum_of.value);
      for (const Term& part : llvm::reverse(parts)) {
        const Term term = multiplied({part.value, part.weight * sum_of.weight});
        auto* inner = llvm::dyn_cast<Instruction>(term.value);
        if (inner == part.value && inner->getParent() == &block_ && is_sum(*inner) && is_part(*inner)) {
          rest.push_back(term);
          continue;
        }
        root.never_wraps &= term.never_wraps;
        root.weights[term.value] += term.weight;
      }
    }
    // What cancels out may not be a number.
    if (llvm::any_of(root.weights, [](const auto& weight) { return weight.second == 0; })) return;
    if (root.weights.size() >= kFewestTerms) roots_.push_back(std::move(root));
  }

  /// What is left of `weights` without it is the same for terms that may be one: of integers, the greatest that divides all.
  static double common_factor(const Weights& weights, const llvm::Type& type) {
    if (type.isFPOrFPVectorTy()) return weights.front().second;
    std::uint64_t factor = 0;
    for (const auto& [root, weight] : weights) factor = std::gcd(factor, static_cast<std::uint64_t>(weight));
    return static_cast<double>(factor);
  }

  void group_terms() {
    llvm::MapVector<Value*, Weights> places;
    for (unsigned i = 0; i < roots_.size(); ++i)
      for (const auto& [value, weight] : roots_[i].weights) places[value].emplace_back(i, weight);
    std::map<Weights, unsigned> numbers;
    for (auto& [value, weights] : places) {
      const double factor = common_factor(weights, *value->getType());
      for (auto& [root, weight] : weights) weight /= factor;
      const auto [at, is_new] = numbers.try_emplace(weights, groups_.size());
      if (is_new) groups_.push_back({weights, {}, {}});
      groups_[at->second].terms.emplace_back(value, factor);
    }
    // Of floats the first term is taken as it is; a product comes with an addition.
    for (Group& group : groups_) {
      const auto [first, factor] = group.terms.front();
      if (!first->getType()->isFPOrFPVectorTy()) continue;
      for (auto& [value, own] : group.terms) own /= factor;
      for (auto& [root, weight] : group.weights) weight *= factor;
    }
  }

  /// Whether fewer operations are left: additions, and products for weights, which floats have in one with the addition.
  bool gains() const {
    std::size_t before = 0, after = 0;
    const auto product = [](const Value* value, double weight) { return weight != 1 && !value->getType()->isFPOrFPVectorTy(); };
    for (const Root& root : roots_) {
      before += root.weights.size();
      for (const auto& [value, weight] : root.weights) before += product(value, weight);
    }
    for (const Group& group : groups_) {
      const Value* first = group.terms.front().first;
      after += group.terms.size() + group.weights.size() - 1;
      for (const auto& [value, factor] : group.terms) after += product(value, factor);
      for (const auto& [root, weight] : group.weights) after += product(first, weight);
    }
    return after < before;
  }

  Value* times(Value* value, double weight, bool never_wraps) {
    if (weight == 1) return value;
    if (value->getType()->isFPOrFPVectorTy()) return builder_.CreateFMul(value, llvm::ConstantFP::get(value->getType(), weight));
    return builder_.CreateMul(value, llvm::ConstantInt::get(value->getType(), static_cast<std::uint64_t>(weight)), "", never_wraps);
  }

  /// `total`, nothing or a sum before, and `value` times `weight`.
  Value* plus(Value* total, Value* value, double weight, bool never_wraps) {
    if (!total) return times(value, weight, never_wraps);
    if (!value->getType()->isFPOrFPVectorTy()) return builder_.CreateAdd(total, times(value, weight, never_wraps), "", never_wraps);
    if (weight == 1) return builder_.CreateFAdd(total, value);
    if (weight == -1) return builder_.CreateFSub(total, value);
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, value->getType(), {value, llvm::ConstantFP::get(value->getType(), weight), total});
  }

  /// In their order, but that floats begin with one whose product would take no operation: the others' come with an addition.
  Value* sum_of(Terms terms, bool never_wraps) {
    auto* first = llvm::find_if(terms, [](const auto& term) { return term.second == 1; });
    if (first != terms.end() && terms.front().first->getType()->isFPOrFPVectorTy()) std::rotate(terms.begin(), first, first + 1);
    Value* total = nullptr;
    for (const auto& [value, weight] : terms) total = plus(total, value, weight, never_wraps);
    return total;
  }

  /// What all sums that `weights` name allow.
  llvm::FastMathFlags flags_of(const Weights& weights) const {
    llvm::FastMathFlags flags = llvm::FastMathFlags::getFast();
    for (const auto& [root, weight] : weights)
      if (llvm::isa<llvm::FPMathOperator>(roots_[root].sum)) flags &= roots_[root].sum->getFastMathFlags();
    return flags;
  }

  /// Of the terms in their order, behind the last of them.
  void add_up(Group& group) {
    const bool never_wraps = llvm::all_of(group.weights, [&](const auto& weight) { return roots_[weight.first].never_wraps; });
    const auto place = [&](Value* value) {
      const auto found = places_.find(value);
      return found == places_.end() ? -1 : static_cast<int>(found->second);
    };
    llvm::sort(group.terms, [&](const auto& a, const auto& b) { return place(a.first) < place(b.first); });
    auto* last = llvm::dyn_cast<Instruction>(group.terms.back().first);
    const bool is_here = last && place(last) >= 0 && !llvm::isa<llvm::PHINode>(last);
    builder_.SetInsertPoint(&block_, is_here ? std::next(last->getIterator()) : block_.getFirstInsertionPt());
    builder_.setFastMathFlags(flags_of(group.weights));
    group.total = sum_of(group.terms, never_wraps);
  }

  void replace(unsigned number) {
    Root& root = roots_[number];
    builder_.SetInsertPoint(root.sum);
    builder_.setFastMathFlags(flags_of({{number, 1}}));
    Terms terms;
    for (const Group& group : groups_)
      for (const auto& [at, weight] : group.weights)
        if (at == number) terms.emplace_back(group.total, weight);
    Value* total = sum_of(std::move(terms), root.never_wraps);
    root.sum->replaceAllUsesWith(total);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(root.sum);
  }

  llvm::BasicBlock& block_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const Value*, unsigned> places_;
  std::vector<Root> roots_;
  std::vector<Group> groups_;
};

}  // namespace

void share_sums(llvm::BasicBlock& block) { SharedSums(block).run(); }

}  // namespace weft::compiler::simt
