#include "compiler/simt/analysis/block_lanes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;

BlockLanes::BlockLanes(llvm::Function& item, LaneValues& values, const llvm::DominatorTree& dominators,
                       const llvm::PostDominatorTree& post_dominators, const llvm::LoopInfo& loops)
    : values_(values) {
  const llvm::BitVector all(values.lanes(), true), none(values.lanes(), false);
  for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&item)) {
    Lanes lanes{none, none};
    if (block == &item.getEntryBlock() || loops.getLoopFor(block)) lanes.possible = all;
    if (block == &item.getEntryBlock()) lanes.certain = all;
    for (const BasicBlock* before : llvm::predecessors(block)) {
      const auto found = lanes_of_.find(before);
      if (found == lanes_of_.end()) continue;  // the way back of a loop
      lanes.possible |= taken(*before, *block, found->second.possible, true);
      if (!loops.getLoopFor(before)) lanes.certain |= taken(*before, *block, found->second.certain, false);
    }
    // Behind a branch, whichever way it went.
    if (const auto* node = dominators.getNode(block)->getIDom(); node && post_dominators.dominates(block, node->getBlock()))
      if (!loops.getLoopFor(block)) lanes.certain |= lanes_of_.find(node->getBlock())->second.certain;
    lanes_of_[block] = std::move(lanes);
  }
  for (const BasicBlock& block : item) lanes_of_.try_emplace(&block, Lanes{none, none});  // that nothing leads to
}

/// Those of `lanes` that go from `from` to `to`, as far as that is known: `if_unknown` those that may.
llvm::BitVector BlockLanes::taken(const BasicBlock& from, const BasicBlock& to, const llvm::BitVector& lanes, bool if_unknown) {
  const Instruction& end = *from.getTerminator();
  if (end.getNumSuccessors() == 1) return lanes;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end);
  const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end);
  const LaneValues::Lanes* values = branch ? values_.of(*branch->getCondition()) : choice ? values_.of(*choice->getCondition()) : nullptr;
  if (!values) return if_unknown ? lanes : llvm::BitVector(values_.lanes(), false);
  llvm::BitVector result = lanes;
  for (unsigned lane = 0; lane < values_.lanes(); ++lane) {
    const BasicBlock* next = nullptr;
    if (branch) {
      next = branch->getSuccessor((*values)[lane] ? 0 : 1);
    } else {
      const auto* value = llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(choice->getCondition()->getType()), (*values)[lane]);
      next = choice->findCaseValue(value)->getCaseSuccessor();
    }
    if (next != &to) result.reset(lane);
  }
  return result;
}

}  // namespace weft::compiler::simt
