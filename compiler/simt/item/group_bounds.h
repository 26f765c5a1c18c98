// Bounds of the range in front of a block, asked once for a whole group.
//
// `if (x >= width || y >= height) return;` parts the work-items of a launch's last groups alone. What all of a group have to do together, as to
// meet at a barrier, is possible behind it in every other group: a bound of ids holds for all work-items if it holds for the first and the last.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class BranchInst;
class Function;
class ICmpInst;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// A comparison of an id, plus a constant, with what all work-items share, on the way to a block.
struct GroupBound {
  llvm::ICmpInst* comparison;
  bool value;          ///< of work-items that come to the block
  unsigned id_operand;
  unsigned dimension;  ///< of the id: 0 or 1
};

/// What parts the work-items of a group before they come to a loop.
struct GroupBounds {
  llvm::BasicBlock* first = nullptr;  ///< whose branch is the first of these; null: nothing parts them
  llvm::SmallVector<GroupBound, 2> bounds;
  /// All that depend on them, and which of their successors comes to the loop.
  llvm::SmallVector<std::pair<llvm::BranchInst*, unsigned>, 2> branches;
};

/// That of the loop at `header`, which is in no other: bounds alone, whose other sides are there before the first of them, and which is on all ways to
/// the rest. Nothing if anything else parts them. Ids must fit 31 bits.
std::optional<GroupBounds> group_bounds(llvm::Function& kernel, llvm::BasicBlock& header, Analyses& analyses);

/// Copies all of `kernel` that comes behind the first of `bounds`: what is there becomes code for groups, of this size, for all of whose work-items they
/// hold, without the branches, and the copy that for all others.
void split_by_bounds(llvm::Function& kernel, const GroupBounds& bounds, llvm::ArrayRef<std::uint32_t> local_size);

}  // namespace weft::compiler::simt
