// A copy of what stands behind a bound of the range, for bodies whose lanes are all within it.
#pragma once

#include <llvm/ADT/SetVector.h>

namespace llvm {
class BasicBlock;
class BranchInst;
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

/// What a bound guards: blocks that are entered through the first of them, from the branch alone, and left to `join` alone.
struct Guarded {
  llvm::BranchInst* branch = nullptr;
  llvm::BasicBlock* join = nullptr;  ///< where the branch leads all others
  llvm::SmallSetVector<llvm::BasicBlock*, 16> blocks;

  /// The condition's value for lanes that go in.
  bool enters_if() const;
};

/// Runs a copy of `guarded` where a vote says that all lanes go in, else what is there.
void copy_for_all_lanes(llvm::Function& region, const Guarded& guarded);

/// Whether `loop` is of such code that runs where the copy does not.
bool has_full_copy(const llvm::Loop& loop);

}  // namespace weft::compiler::simt
