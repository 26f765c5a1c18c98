#include "compiler/simt/masks/exit_values.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Of phis that hand on each other's values, out of loops in loops and to those that ran no iteration.
constexpr unsigned kMostPhis = 4;

class ExitValues {
 public:
  ExitValues(llvm::Function& region, Analyses& analyses)
      : uniformity_(analyses.uniformity(region)),
        loops_(analyses.functions().getResult<llvm::LoopAnalysis>(region)),
        dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region)),
        evolution_(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(region)) {}

  /// Whether all that is made of `phi` is smaller than it, and can be made on its edges.
  bool gains(const PHINode& phi) const {
    if (!uniformity_.isDivergent(&phi) || phi.use_empty() || !phi.getType()->isSingleValueType()) return false;
    if (!carries_out_of_loop(phi, 0)) return false;
    std::uint64_t bits = 0;
    for (const llvm::User* user : phi.users()) {
      bits += user->getType()->getPrimitiveSizeInBits().getKnownMinValue();
      if (!can_move(llvm::cast<Instruction>(*user), phi)) return false;
    }
    return bits < phi.getType()->getPrimitiveSizeInBits().getKnownMinValue();
  }

  /// Makes what each user of `phi` is on the edges. `phi` has no users then.
  void move(PHINode& phi) {
    for (llvm::User* user : llvm::to_vector(phi.users())) {
      auto& instruction = llvm::cast<Instruction>(*user);
      instruction.replaceAllUsesWith(make(instruction, phi, phi));
      instruction.eraseFromParent();
    }
    erase(phi);
  }

 private:
  bool leaves_loop(const PHINode& phi, const BasicBlock& from) const {
    const llvm::Loop* loop = loops_.getLoopFor(&from);
    return loop && !loop->contains(phi.getParent());
  }

  /// The phi that `value` is, if it does nothing but hand on to `phi`.
  PHINode* handed_on(Value& value) const {
    auto* inner = llvm::dyn_cast<PHINode>(&value);
    return inner && inner->hasOneUse() && uniformity_.isDivergent(inner) && !loops_.isLoopHeader(inner->getParent()) ? inner : nullptr;
  }

  bool carries_out_of_loop(const PHINode& phi, unsigned depth) const {
    return llvm::any_of(phi.operands(), [&](const llvm::Use& use) {
      if (leaves_loop(phi, *phi.getIncomingBlock(use))) return true;
      const PHINode* inner = handed_on(*use);
      return inner && depth < kMostPhis && carries_out_of_loop(*inner, depth + 1);
    });
  }

  /// Whether all lanes that come from `block` in the same iteration have the same `value`.
  bool is_same(const Value& value, const BasicBlock& block) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction) return true;
    const llvm::Loop* loop = loops_.getLoopFor(instruction->getParent());
    return uniformity_.isUniform(instruction) && (!loop || loop->contains(&block));
  }

  /// What `user` compares `phi` with; null of a truncation, none of anything else.
  std::optional<Value*> other_side(const Instruction& user, const PHINode& phi) const {
    if (llvm::isa<llvm::TruncInst>(user)) return nullptr;
    if (!llvm::isa<llvm::CmpInst>(user) || user.getOperand(0) == user.getOperand(1)) return std::nullopt;
    return user.getOperand(user.getOperand(0) == &phi ? 1 : 0);
  }

  bool can_move(const Instruction& user, const PHINode& phi) const {
    const auto other = other_side(user, phi);
    return other && can_take(phi, *other, 0);
  }

  /// Whether what is made of `phi` and `other` can be made on the edges to `phi`, by one operation for all lanes in each iteration.
  bool can_take(const PHINode& phi, const Value* other, unsigned depth) const {
    return llvm::all_of(phi.operands(), [&](const llvm::Use& use) {
      const BasicBlock& from = *phi.getIncomingBlock(use);
      if (const auto* defined = llvm::dyn_cast_or_null<Instruction>(other))
        if (!dominators_.dominates(defined, from.getTerminator()) || !is_same(*defined, from)) return false;
      if (const PHINode* inner = handed_on(*use)) return depth < kMostPhis && can_take(*inner, other, depth + 1);
      return is_same(*use, from) || !leaves_loop(phi, from);
    });
  }

  /// What the branches that lead to the end of `block` say of `user` with `value` in place of the phi.
  Value* known(const llvm::CmpInst& user, Value& value, Value& other, bool swapped, const BasicBlock& block) {
    if (!llvm::isa<llvm::ICmpInst>(user) || !evolution_.isSCEVable(value.getType()) || llvm::isa<llvm::Constant>(value)) return nullptr;
    const auto predicate = swapped ? user.getSwappedPredicate() : user.getPredicate();
    const auto *left = evolution_.getSCEV(&value), *right = evolution_.getSCEV(&other);
    const auto holds = evolution_.evaluatePredicateAt(predicate, left, right, block.getTerminator());
    return holds ? llvm::ConstantInt::getBool(user.getType(), *holds) : nullptr;
  }

  /// The phi of what `user`, an instruction that takes `origin`, makes of each value that comes to `phi`.
  PHINode* make(Instruction& user, PHINode& origin, PHINode& phi) {
    auto* made = PHINode::Create(user.getType(), phi.getNumIncomingValues(), user.getName(), phi.getIterator());
    llvm::DenseMap<BasicBlock*, Value*> by_block;
    for (llvm::Use& use : phi.operands()) {
      BasicBlock* from = phi.getIncomingBlock(use);
      Value*& value = by_block[from];
      if (!value) {
        PHINode* inner = handed_on(*use);
        value = inner ? make(user, origin, *inner) : make_at(user, origin, *use, *from);
      }
      made->addIncoming(value, from);
    }
    return made;
  }

  Value* make_at(Instruction& user, const PHINode& origin, Value& value, BasicBlock& block) {
    if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&user)) {
      const bool swapped = user.getOperand(0) != &origin;
      if (Value* holds = known(*compare, value, *user.getOperand(swapped ? 0 : 1), swapped, block)) return holds;
    }
    Instruction* copy = user.clone();
    copy->insertBefore(block.getTerminator()->getIterator());
    copy->replaceUsesOfWith(const_cast<PHINode*>(&origin), &value);
    copy->setName(user.getName());
    return copy;
  }

  void erase(PHINode& phi) {
    llvm::SmallVector<PHINode*, 4> inner;
    for (llvm::Use& use : phi.operands())
      if (PHINode* hands = handed_on(*use); hands && !llvm::is_contained(inner, hands)) inner.push_back(hands);
    phi.eraseFromParent();
    for (PHINode* hands : inner)
      if (hands->use_empty()) erase(*hands);
  }

  llvm::UniformityInfo& uniformity_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

bool take_exit_values(llvm::Function& region, Analyses& analyses) {
  if (analyses.functions().getResult<llvm::LoopAnalysis>(region).empty()) return false;
  ExitValues values(region, analyses);
  llvm::SmallVector<PHINode*, 4> found;
  for (BasicBlock& block : region)
    for (PHINode& phi : block.phis())
      if (values.gains(phi)) found.push_back(&phi);
  for (PHINode* phi : found) values.move(*phi);
  if (!found.empty()) analyses.invalidate(region);
  return !found.empty();
}

}  // namespace weft::compiler::simt
