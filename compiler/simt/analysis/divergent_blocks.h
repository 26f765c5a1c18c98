// Where control flow leaves some lanes of a warp behind.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

using DivergentBlocks = llvm::SmallPtrSet<llvm::BasicBlock*, 16>;

/// Blocks that a divergent branch may have some lanes enter without the others, before all of them meet again.
DivergentBlocks divergent_blocks(llvm::Function& item, llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
