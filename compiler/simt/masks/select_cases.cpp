#include "compiler/simt/masks/select_cases.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Value;

/// Of all cases together: a warp whose lanes agree would run one of them.
constexpr unsigned kMostOfCases = 24;
/// A comparison each.
constexpr unsigned kMostValues = 16;

bool is_cheap(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isConvergent()) return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
      return false;
    default:
      return !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction);
  }
}

bool is_unreachable(const BasicBlock& block) { return llvm::isa<llvm::UnreachableInst>(block.getFirstNonPHIOrDbg()); }

class SelectedSwitch {
 public:
  explicit SelectedSwitch(llvm::SwitchInst& choice) : choice_(choice), head_(*choice.getParent()) {}

  /// Whether all ways lead to one block, by a block of their own or by none, and are short.
  bool is_short() {
    unsigned instructions = 0;
    for (BasicBlock* way : llvm::successors(&choice_)) {
      if (is_unreachable(*way) || !ways_.insert(way)) continue;
      // The block where they meet comes from elsewhere, too.
      if (way->getUniquePredecessor() != &head_ || !way->getUniqueSuccessor()) {
        if (!meets_in(way)) return false;
        continue;
      }
      if (llvm::isa<llvm::PHINode>(way->begin()) || !meets_in(way->getUniqueSuccessor())) return false;
      for (const llvm::Instruction& instruction : way->instructionsWithoutDebug())
        if (!instruction.isTerminator() && (!is_cheap(instruction) || ++instructions > kMostOfCases)) return false;
    }
    return join_ && ways_.size() > 1 && choice_.getNumCases() <= kMostValues;
  }

  void run() {
    llvm::IRBuilder<> builder(&choice_);
    BasicBlock* otherwise = is_unreachable(*choice_.getDefaultDest()) ? ways_.back() : choice_.getDefaultDest();
    llvm::MapVector<BasicBlock*, Value*> taken;
    for (const auto& one : choice_.cases()) {
      if (one.getCaseSuccessor() == otherwise || is_unreachable(*one.getCaseSuccessor())) continue;
      Value*& lanes = taken[one.getCaseSuccessor()];
      Value* equal = builder.CreateICmpEQ(choice_.getCondition(), one.getCaseValue());
      lanes = lanes ? builder.CreateOr(lanes, equal) : equal;
    }
    for (BasicBlock* way : ways_)
      if (way != join_)
        while (!way->front().isTerminator()) {
          // What it promises holds for lanes that take this way.
          way->front().dropUBImplyingAttrsAndMetadata();
          way->front().moveBefore(&choice_);
        }
    const auto source = [&](BasicBlock* way) { return way == join_ ? &head_ : way; };
    for (llvm::PHINode& phi : join_->phis()) {
      Value* chosen = phi.getIncomingValueForBlock(source(otherwise));
      Value* rest = chosen;
      for (const auto& [way, lanes] : taken)
        if (Value* value = phi.getIncomingValueForBlock(source(way)); value != rest)
          chosen = builder.CreateSelect(lanes, value, chosen, phi.getName());
      const auto comes_from_here = [&](unsigned i) {
        BasicBlock* from = phi.getIncomingBlock(i);
        return from == &head_ || (from != join_ && ways_.contains(from));
      };
      phi.removeIncomingValueIf(comes_from_here, /*DeletePHIIfEmpty=*/false);
      phi.addIncoming(chosen, &head_);
    }
    const llvm::SmallVector<BasicBlock*, 8> targets(llvm::successors(&choice_));
    for (BasicBlock* target : targets)
      if (target != join_ && is_unreachable(*target)) target->removePredecessor(&head_);
    builder.CreateBr(join_);
    choice_.eraseFromParent();
    for (BasicBlock* way : ways_)
      if (way != join_) way->eraseFromParent();
  }

 private:
  bool meets_in(BasicBlock* block) {
    if (!join_) join_ = block;
    return join_ == block;
  }

  llvm::SwitchInst& choice_;
  BasicBlock& head_;
  BasicBlock* join_ = nullptr;
  llvm::SmallSetVector<BasicBlock*, 8> ways_;
};

}  // namespace

bool select_cases(llvm::Function& region, Analyses& analyses) {
  llvm::SmallVector<llvm::SwitchInst*, 4> switches;
  for (BasicBlock& block : region)
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator())) switches.push_back(choice);
  if (switches.empty()) return false;
  const llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  llvm::erase_if(switches, [&](llvm::SwitchInst* choice) { return !uniformity.isDivergent(choice->getCondition()); });
  bool changed = false;
  for (llvm::SwitchInst* choice : switches)
    if (SelectedSwitch selected(*choice); selected.is_short()) {
      selected.run();
      changed = true;
    }
  if (changed) analyses.invalidate(region);
  return changed;
}

}  // namespace weft::compiler::simt
