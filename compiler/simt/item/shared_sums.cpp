#include "compiler/simt/item/shared_sums.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Sums of fewer terms have little to share.
constexpr unsigned kFewestTerms = 4;
/// Weights beyond this are no filter's, and their products could grow beyond a number of 64 bits.
constexpr std::uint64_t kMostWeight = 0xffff;

bool is_sum(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::Add && instruction.getType()->isIntOrIntVectorTy();
}

/// The constant that all elements of `value` are; 0 if it is none, or too large.
std::uint64_t constant_of(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  const llvm::Constant* element = constant && constant->getType()->isVectorTy() ? constant->getSplatValue() : constant;
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(element);
  return number && number->getValue().ule(kMostWeight) ? number->getZExtValue() : 0;
}

/// A value times a number.
struct Term {
  Value* value = nullptr;
  std::uint64_t weight = 1;
  bool never_wraps = true;  ///< the product, as an unsigned number
};

Term term_of(Value& value) {
  Term term{&value};
  while (auto* product = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(term.value)) {
    const std::uint64_t number = constant_of(*product->getOperand(1));
    const bool is_shift = product->getOpcode() == Instruction::Shl && number < 16;
    if (!number || !(is_shift || product->getOpcode() == Instruction::Mul)) break;
    const std::uint64_t weight = term.weight * (is_shift ? 1ull << number : number);
    if (weight > kMostWeight) break;
    term = {product->getOperand(0), weight, term.never_wraps && product->hasNoUnsignedWrap()};
  }
  return term;
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
    llvm::MapVector<Value*, std::uint64_t> weights;
    bool never_wraps = true;
  };
  /// Weights in sums, by the sums' numbers.
  using Weights = std::vector<std::pair<unsigned, std::uint64_t>>;
  /// Terms that lie in the same sums: `terms` times what they are there.
  struct Group {
    Weights weights;
    llvm::SmallVector<std::pair<Value*, std::uint64_t>, 8> terms;
    llvm::WeakTrackingVH total;  ///< may be another sum, which changes too
  };

  /// Whether `sum` is nothing but a term of another.
  bool is_part(const Instruction& sum) const {
    const auto* user = sum.hasOneUse() ? llvm::dyn_cast<Instruction>(*sum.user_begin()) : nullptr;
    return user && user->getParent() == &block_ && is_sum(*user);
  }

  void find_terms(Instruction& sum) {
    Root root;
    root.sum = &sum;
    llvm::SmallVector<Instruction*, 16> rest{&sum};
    while (!rest.empty()) {
      Instruction* next = rest.pop_back_val();
      root.never_wraps &= next->hasNoUnsignedWrap();
      for (Value* operand : llvm::reverse(next->operands())) {
        auto* part = llvm::dyn_cast<Instruction>(operand);
        if (part && part->getParent() == &block_ && is_sum(*part) && is_part(*part)) {
          rest.push_back(part);
          continue;
        }
        const Term term = term_of(*operand);
        root.never_wraps &= term.never_wraps;
        root.weights[term.value] += term.weight;
      }
    }
    if (root.weights.size() >= kFewestTerms) roots_.push_back(std::move(root));
  }

  void group_terms() {
    llvm::MapVector<Value*, Weights> places;
    for (unsigned i = 0; i < roots_.size(); ++i)
      for (const auto& [value, weight] : roots_[i].weights) places[value].emplace_back(i, weight);
    std::map<Weights, unsigned> numbers;
    for (auto& [value, weights] : places) {
      std::uint64_t factor = 0;
      for (const auto& [root, weight] : weights) factor = std::gcd(factor, weight);
      for (auto& [root, weight] : weights) weight /= factor;
      const auto [at, is_new] = numbers.try_emplace(weights, groups_.size());
      if (is_new) groups_.push_back({weights, {}, {}});
      groups_[at->second].terms.emplace_back(value, factor);
    }
  }

  /// Whether fewer operations are left: additions, and products for weights.
  bool gains() const {
    std::size_t before = 0, after = 0;
    for (const Root& root : roots_) {
      before += root.weights.size();
      for (const auto& [value, weight] : root.weights) before += weight != 1;
    }
    for (const Group& group : groups_) {
      after += group.terms.size() + group.weights.size() - 1;
      for (const auto& [value, factor] : group.terms) after += factor != 1;
      for (const auto& [root, weight] : group.weights) after += weight != 1;
    }
    return after < before;
  }

  Value* times(Value* value, std::uint64_t weight, bool never_wraps) {
    return weight == 1 ? value : builder_.CreateMul(value, llvm::ConstantInt::get(value->getType(), weight), "", never_wraps);
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
    for (const auto& [value, factor] : group.terms) {
      Value* term = times(value, factor, never_wraps);
      group.total = group.total.pointsToAliveValue() ? builder_.CreateAdd(group.total, term, "", never_wraps) : term;
    }
  }

  void replace(unsigned number) {
    Root& root = roots_[number];
    builder_.SetInsertPoint(root.sum);
    Value* total = nullptr;
    for (const Group& group : groups_)
      for (const auto& [at, weight] : group.weights) {
        if (at != number) continue;
        Value* term = times(group.total, weight, root.never_wraps);
        total = total ? builder_.CreateAdd(total, term, "", root.never_wraps) : term;
      }
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
