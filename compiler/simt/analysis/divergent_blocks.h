// Finds the blocks that some lanes of a warp may run without the others.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

using DivergentBlocks = llvm::SmallPtrSet<llvm::BasicBlock*, 16>;

/// The blocks between each divergent branch and its join, where its lanes meet again.
DivergentBlocks divergent_blocks(llvm::Function& item, llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
