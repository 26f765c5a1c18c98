#include "compiler/simt/analysis/short_sides.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;

/// So many instructions are cheaper to run for no lane than to branch around.
constexpr unsigned kMostInstructions = 8;
/// So many blocks a side has at most: two branches within each other, or behind each other, and their joins.
constexpr std::size_t kMostBlocks = 6;

/// Adds the blocks from `first` to `join`, which only the last of them reaches, to `side`. False where it is not so.
bool add_blocks(const BasicBlock* first, const BasicBlock* join, Side& side) {
  if (!first->getSinglePredecessor()) return false;
  for (const BasicBlock* block = first;;) {
    if (side.size() == kMostBlocks) return false;
    side.push_back(block);
    const BasicBlock* next = block->getSingleSuccessor();
    if (next == join) return true;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) return false;
    if (next) {
      if (!next->getSinglePredecessor()) return false;
    } else {
      const BasicBlock *left = branch->getSuccessor(0), *right = branch->getSuccessor(1);
      const std::size_t blocks = side.size();
      const auto jumps_over = [&](const BasicBlock* inner, const BasicBlock* meet) {
        side.truncate(blocks);
        return meet != join && meet->hasNPredecessors(2) && add_blocks(inner, meet, side);
      };
      if (jumps_over(left, right))
        next = right;
      else if (jumps_over(right, left))
        next = left;
      else
        return false;
    }
    block = next;
  }
}

}  // namespace

Side side_of(const llvm::BranchInst& branch) {
  Side side;
  if (!branch.isConditional()) return side;
  const BasicBlock *first = branch.getSuccessor(0), *second = branch.getSuccessor(1);
  if (add_blocks(first, second, side)) return side;
  side.clear();
  if (add_blocks(second, first, side)) return side;
  return {};
}

bool is_short(const Side& side, llvm::UniformityInfo& uniformity, llvm::function_ref<bool(const llvm::LoadInst&)> may_load) {
  if (side.empty()) return false;
  unsigned count = 0, once = 0;
  for (const BasicBlock* block : side) {
    for (const llvm::Instruction& instruction : block->instructionsWithoutDebug()) {
      if (instruction.isTerminator()) break;
      // What all lanes share is one instruction of a lane; each is one of several vectors else.
      if (++(uniformity.isUniform(&instruction) ? once : count) > kMostInstructions) return false;
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && may_load(*load)) continue;
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
    }
    if (!block->getSingleSuccessor() && !uniformity.hasDivergentTerminator(*block)) return false;
  }
  return true;
}

bool runs_for_all(const Side& side, llvm::UniformityInfo& uniformity) {
  return is_short(side, uniformity, [](const llvm::LoadInst& load) { return load.hasMetadata(kMaskedMetadata); });
}

}  // namespace weft::compiler::simt
