// What follows from a row's number, computed for all rows at once.
//
// The warps of a group are often its rows, and an image that is read between its texels has a place and a weight for each row: a dozen scalar operations on
// floating-point numbers, one after the other, before the first address is known. That is 50 cycles and more of which a processor hides a part alone, since
// a row's own work is longer than what it looks ahead.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Of each loop with a known, small number of iterations: scalars that follow from its counter and from what does not change in it, by a chain of operations
/// that takes long, are computed by vectors in front of the loop, an element for each iteration, and loaded from the stack within. What is hardly ever
/// run keeps its own.
void compute_rows_at_once(llvm::Function& function);

/// Of sums of a scalar and a vector that does not change in a loop, as a row's place and those of its columns, of which a block wants single lanes: these are
/// sums of scalars, whose part of the vector is taken in front of the loop. The vectors' sum is computed where it is still needed.
void add_lanes_alone(llvm::Function& function);

/// (a + b) + c in a loop that changes a alone becomes a + (b + c), whose second part is computed in front of it; so of all operations on vectors of integers
/// whose operands may be grouped in any way.
void join_what_stays(llvm::Function& function);

}  // namespace weft::compiler::wide
