// A copy of what stands behind a bound of the range, for bodies whose lanes are all within it.
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace llvm {
class BasicBlock;
class BranchInst;
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// What a bound guards: blocks that are entered through the first of them, from the branch alone, and left to `join` alone.
struct Guarded {
  llvm::BranchInst* branch = nullptr;
  llvm::BasicBlock* join = nullptr;  ///< where the branch leads all others
  llvm::SmallSetVector<llvm::BasicBlock*, 16> blocks;

  /// The condition's value for lanes that go in.
  bool enters_if() const;
};

/// What stands behind the bound of the range at the end of `front`, where all lanes are, if there is one, nothing else leads there, and it has no more than
/// `most_instructions`.
std::optional<Guarded> guarded_by(llvm::BasicBlock& front, const Shapes& shapes, std::size_t most_instructions);

/// Runs a copy of `guarded` where a vote says that all lanes go in, else what is there. Returns the copies of its blocks.
llvm::SmallVector<llvm::BasicBlock*, 16> copy_for_all_lanes(llvm::Function& region, const Guarded& guarded);

/// Whether `loop` is of such code that runs where the copy does not.
bool has_full_copy(const llvm::Loop& loop);

}  // namespace weft::compiler::simt
