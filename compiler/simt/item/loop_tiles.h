// What all rows of a group read in a loop is brought together for the group.
//
// In a product of matrices as it is written down, each work-item goes down a column of one matrix, and those of a row of the group read a row of it
// together. The next row of the group reads the same again, from rows that lie a pitch apart: a page each, and where the pitch is a power of two, in
// places of the nearest caches that take each other's room. So the loop runs in pieces: the work-items bring what a piece reads together first, a
// row of the group some iterations each, side by side in local memory, and then run the piece on that.
//
// That is worth it where registers are few: there a body has the sums of four rows, and half of a warp's at a time, so what lies apart would be
// asked for once for each. With 32 registers it has those of eight whole rows, and asks as seldom as it would have to to bring the tile.
//
// Where the loop runs for all work-items of a group alike and writes nothing, nobody can tell: each element is read by work-items of all rows,
// so if one of them wrote it without a barrier between, that was a race.
#pragma once

#include "compiler/compiler_api.h"
#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Rows of a group, at least, that share what is brought together.
inline constexpr unsigned kFewestTileRows = 32;

/// Whether `kernel`, linked and scalar-optimized, has a loop that tiles serve, in groups of enough rows, on a processor with these vectors.
bool loop_tiles_serve(llvm::Function& kernel, const VectorTraits& vectors);

/// Cuts such loops of `kernel` into pieces whose elements lie in local memory. They are loops of one block
///  - that all work-items of the group run, as often as each other, and that write nothing; behind bounds of the range (group_bounds.h), in groups for all of
///    whose work-items they hold;
///  - with loads of numbers whose addresses are the same for all along y, side by side along x, and a pitch apart from iteration to iteration that is not
///    known, or so large that each is in another page's part.
/// Does nothing in kernels that have barriers or local memory, in groups whose rows are not whole warps or fewer than kFewestTileRows, in
/// blocks of groups of which some may be missing, and where registers are many. Returns whether it made any.
bool make_loop_tiles(llvm::Function& kernel, const Specialization& specialization, const VectorTraits& vectors, Analyses& analyses);

}  // namespace weft::compiler::simt
