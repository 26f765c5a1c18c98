// Several rows of a block at once, where they read the same memory.
//
// A filter's work-item reads its neighbours above and below; those of the next row read nearly the same. Where a row of a block is whole
// warps, a lane does the work of several rows one above the other: what rows read alike is read and converted once, and each row's chain of
// operations is something to do while another's waits. Rows are different warps, between which nothing orders what they do, and lanes meet
// in each row as before, so programs cannot tell.
//
// Such code has one path: from the front, over a condition that holds in all lanes and rows (inside_bounds.h, or the bounds of a range), to one
// block. Where the condition fails, the rows run one after the other, as they were. So it is behind a barrier, too, where a group has filled a tile: what
// stands in front of it the rows do one after the other.
#pragma once

#include <optional>

#include "compiler/compiler_api.h"
#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

struct StackedRows {
  llvm::Function* item = nullptr;
  unsigned rows = 1;  ///< in each lane; the block has so many times fewer then
};

/// A copy of `item`, a simplified item function, that runs several rows in each lane; nothing where it may not, or gains nothing by it,
/// which is not asked if `always`.
std::optional<StackedRows> stack_rows(llvm::Function& item, const Specialization& specialization, const VectorTraits& vectors, bool always,
                                      Analyses& analyses);

}  // namespace weft::compiler::simt
