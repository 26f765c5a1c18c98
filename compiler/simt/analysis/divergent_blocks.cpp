#include "compiler/simt/analysis/divergent_blocks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>

namespace weft::compiler::simt {

using llvm::BasicBlock;

DivergentBlocks divergent_blocks(llvm::Function& item, llvm::UniformityInfo& uniformity) {
  const llvm::PostDominatorTree post_dominators(item);
  DivergentBlocks result;
  for (BasicBlock& block : item) {
    // What lies between a branch and its join has the joins of its own branches, too: a branch that is there adds nothing.
    if (result.contains(&block) || !uniformity.hasDivergentTerminator(block)) continue;
    const llvm::DomTreeNode* node = post_dominators.getNode(&block);
    const BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    llvm::SmallPtrSet<BasicBlock*, 16> seen;
    llvm::SmallVector<BasicBlock*, 16> pending(llvm::successors(&block));
    while (!pending.empty()) {
      BasicBlock* next = pending.pop_back_val();
      if (next == join || !seen.insert(next).second) continue;
      llvm::append_range(pending, llvm::successors(next));
    }
    result.insert(seen.begin(), seen.end());
  }
  return result;
}

}  // namespace weft::compiler::simt
