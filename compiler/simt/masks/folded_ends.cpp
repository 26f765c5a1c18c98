#include "compiler/simt/masks/folded_ends.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Of the ends of a loop, each one is computed for lanes that skip it, too.
constexpr unsigned kMostOfEnd = 8;

class Ends {
 public:
  Ends(BasicBlock& before, BasicBlock& latch, BasicBlock& exit) : before_(before), latch_(latch), exit_(exit) {}

  bool unfold() {
    BasicBlock* behind = exit_.getSingleSuccessor();
    BasicBlock* head = before_.getSinglePredecessor();
    if (!behind || !head || exit_.getSinglePredecessor() != &latch_ || !behind->hasNPredecessors(2) || !llvm::is_contained(predecessors(behind), head))
      return false;
    header_ = before_.getSingleSuccessor();
    llvm::SmallVector<Instruction*, 8> moved;
    for (Instruction& instruction : exit_)
      if (!llvm::isa<PHINode>(instruction) && !instruction.isTerminator()) moved.push_back(&instruction);
    if (!header_ || moved.empty() || moved.size() > kMostOfEnd) return false;
    for (Instruction* instruction : moved)
      if (!takes(*instruction, *behind, *head)) return false;

    for (PHINode& phi : exit_.phis()) {
      if (!first_.contains(&phi)) continue;
      PHINode* both = PHINode::Create(phi.getType(), 2, phi.getName(), behind->begin());
      phi.replaceUsesWithIf(both, [&](const llvm::Use& use) { return llvm::is_contained(moved, use.getUser()); });
      both->addIncoming(&phi, &exit_);
      both->addIncoming(first_[&phi], head);
    }
    for (PHINode& phi : llvm::make_early_inc_range(behind->phis()))
      if (auto* result = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(&exit_)); result && llvm::is_contained(moved, result)) {
        phi.replaceAllUsesWith(result);
        phi.eraseFromParent();
      }
    const auto place = behind->getFirstInsertionPt();
    for (Instruction* instruction : moved) instruction->moveBefore(*behind, place);
    return true;
  }

 private:
  /// Whether `instruction` may move, and has the results for users in `behind` that they have for lanes that come from `head`. Notes what it would
  /// be there.
  bool takes(Instruction& instruction, BasicBlock& behind, BasicBlock& head) {
    if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
    llvm::SmallVector<Value*, 4> operands;
    for (Value* operand : instruction.operands()) {
      Value* first = first_of(*operand);
      if (!first) return false;
      operands.push_back(first);
    }
    Value* result = llvm::simplifyInstructionWithOperands(&instruction, operands, llvm::SimplifyQuery(instruction.getDataLayout()));
    if (!result) return false;
    first_[&instruction] = result;
    return llvm::all_of(instruction.users(), [&](llvm::User* user) {
      const auto* phi = llvm::dyn_cast<PHINode>(user);
      if (!phi) return llvm::cast<Instruction>(user)->getParent() == &exit_;
      return phi->getParent() == &behind && phi->getIncomingValueForBlock(&head) == result;
    });
  }

  /// `operand` where the loop runs no iteration; null if that is not known, or not to be had in front of the loop's guard.
  Value* first_of(Value& operand) {
    if (llvm::isa<llvm::Constant, llvm::Argument>(operand)) return &operand;
    if (const auto found = first_.find(&operand); found != first_.end()) return found->second;
    auto* end = llvm::dyn_cast<PHINode>(&operand);
    if (!end || end->getParent() != &exit_) return nullptr;
    for (PHINode& carried : header_->phis())
      if (carried.getIncomingValueForBlock(&latch_) == end->getIncomingValueForBlock(&latch_)) {
        Value* first = carried.getIncomingValueForBlock(&before_);
        if (llvm::isa<llvm::Constant>(first)) return first_[end] = first;
      }
    return nullptr;
  }

  BasicBlock &before_, &latch_, &exit_;
  BasicBlock* header_ = nullptr;
  llvm::DenseMap<Value*, Value*> first_;  ///< without an iteration
};

}  // namespace

bool unfold_ends(BasicBlock& before, BasicBlock& latch, BasicBlock& exit) { return Ends(before, latch, exit).unfold(); }

}  // namespace weft::compiler::simt
