// An order of blocks in which lanes of different places wait for each other.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// All blocks of `function` that can be reached: each behind its predecessors, but along edges back to the head of a cycle, and the blocks of
/// a cycle, reducible or not, in one run. (A reverse post-order may put what follows a loop in front of blocks of it.) If the
/// lanes in the first block of this order always run first, those that left a loop wait for those in it, and lanes that parted
/// meet at the branch's post-dominator.
llvm::SmallVector<llvm::BasicBlock*, 0> block_order(llvm::Function& function);

}  // namespace weft::compiler::simt
