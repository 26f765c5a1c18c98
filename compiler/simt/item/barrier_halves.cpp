#include "compiler/simt/item/barrier_halves.h"

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/item_copies.h"
#include "compiler/simt/item/made_again.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// Null if there is another number of them.
llvm::CallInst* only_barrier(const llvm::Function& item) {
  const llvm::CallInst* found = nullptr;
  for (const Instruction& instruction : llvm::instructions(item)) {
    if (!is_barrier(instruction)) continue;
    if (found) return nullptr;
    found = llvm::cast<llvm::CallInst>(&instruction);
  }
  return const_cast<llvm::CallInst*>(found);
}

bool every_way_meets(const llvm::CallInst& barrier, llvm::Function& item, Analyses& analyses) {
  if (analyses.functions().getResult<llvm::LoopAnalysis>(item).getLoopFor(barrier.getParent())) return false;
  const auto& dominators = analyses.functions().getResult<llvm::DominatorTreeAnalysis>(item);
  return llvm::all_of(item, [&](const BasicBlock& block) {
    return block.getTerminator()->getNumSuccessors() > 0 ||
           (llvm::isa<llvm::ReturnInst>(block.getTerminator()) && dominators.dominates(&barrier, block.getTerminator()));
  });
}

/// Leaves what is in front of the barrier.
void keep_before(llvm::Function& copy) {
  llvm::CallInst* barrier = only_barrier(copy);
  BasicBlock* front = barrier->getParent();
  front->splitBasicBlock(barrier->getIterator(), "behind");
  front->getTerminator()->eraseFromParent();
  llvm::ReturnInst::Create(copy.getContext(), llvm::ConstantInt::getSigned(copy.getReturnType(), -1), front);
  llvm::removeUnreachableBlocks(copy);
}

/// Leaves what is behind the barrier; false if it needs what cannot be made again.
bool keep_behind(llvm::Function& copy) {
  llvm::CallInst* barrier = only_barrier(copy);
  BasicBlock* first = barrier->getParent()->splitBasicBlock(barrier->getIterator(), "behind");
  barrier->eraseFromParent();
  llvm::df_iterator_default_set<BasicBlock*> behind;
  for ([[maybe_unused]] BasicBlock* block : llvm::depth_first_ext(first, behind)) {}
  auto* entry = BasicBlock::Create(copy.getContext(), "entry", &copy, &copy.getEntryBlock());
  llvm::IRBuilder<> builder(llvm::BranchInst::Create(first, entry));
  llvm::ValueToValueMapTy made;
  for (BasicBlock* block : behind)
    for (Instruction& instruction : *block)
      for (llvm::Use& use : instruction.operands()) {
        const auto* operand = llvm::dyn_cast<Instruction>(use.get());
        if (!operand || behind.contains(const_cast<BasicBlock*>(operand->getParent()))) continue;
        if (!can_make_again(*operand)) return false;
        use.set(make_again(*use, builder, made));
      }
  llvm::removeUnreachableBlocks(copy);
  llvm::MergeBlockIntoPredecessor(first);
  return true;
}

}  // namespace

std::optional<BarrierHalves> split_at_barrier(llvm::Function& item, Analyses& analyses) {
  const llvm::CallInst* barrier = only_barrier(item);
  if (!barrier || !every_way_meets(*barrier, item, analyses)) return std::nullopt;
  BarrierHalves halves;
  halves.behind = copy_item(item, ".behind");
  if (!keep_behind(*halves.behind)) {
    erase_function(*halves.behind, analyses);
    return std::nullopt;
  }
  halves.before = copy_item(item, ".before");
  keep_before(*halves.before);
  return halves;
}

void join_at_barrier(const BarrierHalves& halves, const llvm::Function& item, Analyses& analyses) {
  llvm::Function& whole = *halves.before;
  llvm::SmallVector<Instruction*, 2> ends;
  for (BasicBlock& block : whole)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) ends.push_back(block.getTerminator());
  auto* meet = BasicBlock::Create(whole.getContext(), "barrier", &whole);
  for (Instruction* end : ends) {
    llvm::BranchInst::Create(meet, end->getIterator());
    end->eraseFromParent();
  }
  Instruction* barrier = only_barrier(item)->clone();
  barrier->insertInto(meet, meet->end());
  const llvm::DebugLoc line = barrier->getDebugLoc();
  barrier->setDebugLoc(line && whole.getSubprogram() ? llvm::DILocation::get(whole.getContext(), line.getLine(), line.getCol(), whole.getSubprogram()) : nullptr);
  BasicBlock* first = splice_copy(whole, *halves.behind, analyses);
  llvm::BranchInst::Create(first, meet);
  analyses.invalidate(whole);
}

}  // namespace weft::compiler::simt
