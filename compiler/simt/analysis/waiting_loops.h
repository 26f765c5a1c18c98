// Loops in which a group may wait for another one.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// `kernel` is linked and scalar-optimized. True if it has a loop whose end depends on an atomic operation or a volatile load, or one of
/// those below: such a loop may wait for another group, which must then not be a lane of the same warp.
bool groups_may_wait(const llvm::Function& kernel);

/// The blocks that end the iterations of loops of `function` that do nothing but look: whose end depends on global memory, which they read
/// by atomic operations or as volatile, and in which nothing changes but by who else writes there. What they do to memory is to try, again
/// and again, to put the same in place of what is there, as for a lock. Loops that try to put something made of what they have found wait
/// for nobody; nor do those that take a number and go on with it. One work-item of a group may look, and tell the others in local memory.
llvm::SmallVector<llvm::BasicBlock*, 4> waiting_latches(llvm::Function& function);

/// Whether `kernel`, or a function that it calls, has such a loop.
bool waits_for_groups(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
