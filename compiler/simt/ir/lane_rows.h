// Primitives for rows of lanes: work-items side by side along x, of which a warp has one or two rows (16 or 32 lanes). They are for code
// that lanes of a row run for each other; where that may not be, `fits` is false, and whoever does not know them may take it for that.
//
//   i1 __weft_row_fits(i32 low, i32 high, i32 count, f32 y, f32 z)   whether all lanes run, each row's `low` and `high` lie among as many places as it has lanes,
//                                                                    within 0 to count - 1, and each row shares `y` and `z`; uniform
//   i32 __weft_row_first(i32 low, i32 high, i32 count)               the first of these places, where the above is true; shared by a row
//   i32 __weft_row_lane()                                            the lane's number in its row
//   f32 __weft_row_take(f32 value, i32 lane)                         the value in that lane of the row, where all lanes run
//   i1 __weft_row_any(i1 holds)                                      whether `holds` in any lane, where all lanes run; uniform
//
// `low`, `high` and `count` are the same in a pair of calls. All but the third are convergent.
#pragma once

#include <llvm/ADT/StringRef.h>

#include "compiler/compiler_api.h"

namespace weft::compiler::simt {

namespace primitive {
inline constexpr llvm::StringLiteral kRowFits = "__weft_row_fits", kRowFirst = "__weft_row_first", kRowLane = "__weft_row_lane", kRowTake = "__weft_row_take",
                                  kRowAny = "__weft_row_any";
}

/// Of a row: a register has as many numbers of 32 bits.
inline constexpr unsigned kFewestOfRow = 16;
/// Lanes of a row in groups of this size; 0 where there are no such rows.
unsigned lanes_of_row(const Specialization& specialization);

}  // namespace weft::compiler::simt
