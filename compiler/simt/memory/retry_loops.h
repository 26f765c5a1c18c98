// Loops that try an update of memory again until nobody else has come between.
#pragma once

namespace llvm {
class AtomicCmpXchgInst;
class DominatorTree;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

/// The exchange of a loop that ends when it succeeds, with what the loop itself has read there as the value to be replaced: a sum of
/// floats, or any other update for which there is no instruction. Null for any other loop.
///
/// Such a loop waits for nobody: of a lane alone the exchange fails only where another thread's has just succeeded. Lanes side by side that
/// update one place let one of them through each time around, and all others compute again; one lane after the other each is through at once.
/// (A lock is no such loop: what it replaces is a constant, and a lane that finds it taken waits for what comes behind another lane's loop.)
llvm::AtomicCmpXchgInst* find_retried_exchange(const llvm::Loop& loop, const llvm::DominatorTree& dominators);

}  // namespace weft::compiler::simt
