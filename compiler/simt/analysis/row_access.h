// How long rows of work-items a kernel's memory asks for.
//
// Where nothing but its place tells a work-item from another, groups side by side along x may run as one block (group_fusion.h), whose warps
// then lie along its rows. Groups of 16 x 16 or 8 x 8 have rows of 64 or 32 bytes of a float image: half of a warp's vector, and for
// the processor's prefetchers sixteen short streams in place of a long one.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Work-items along x that a block of groups should have, where these have fewer; 0: as they are.
struct PreferredRows {
  std::uint32_t of_any = 0;
  std::uint32_t of_single = 0;  ///< of groups that are a single row
};

/// What one work-item of a row accesses, later rows of the group may want again: a longer row would push it out of the cache, so that `of_any` is
///
///   kLongRow  where each access to memory is next to that of the work-item beside it, or the same, and there are no loops; or where all that is stored is
///             in loops, which march through planes or down columns and write as they go;
///   a warp    where there are other loops, images or places that the kernel computes otherwise;
///   0         where an access goes down a column, which is near for few columns at a time, or none goes along a row.
///
/// A single row has no later rows: it is long with such accesses in any loops, and else a kSingleRow, unless one of the loops has other numbers of iterations
/// from work-item to work-item, or an access goes down a column. `kernel` is linked and scalar-optimized.
PreferredRows preferred_rows(const llvm::Function& kernel);

inline constexpr std::uint32_t kLongRow = 256, kSingleRow = 128;

/// Whether more of the kernel's accesses to global memory lie far apart along x and beside each other along y than lie beside each other
/// along x: those of programs whose x counts a matrix's rows. `kernel` is linked and scalar-optimized.
bool lies_along_y(const llvm::Function& kernel);

/// The dimension of the index space along which work-items lie nearest each other in global memory: 0 (x), unless accesses take less than half as
/// long along y (1) or z (2), by an estimate. `kernel` is linked and scalar-optimized.
unsigned nearest_dimension(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
