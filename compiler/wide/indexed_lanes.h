// Lanes that a loop takes by an index.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// No instruction takes an element by an index that is not a constant: LLVM stores the vector where the element is taken and loads that. In
/// a loop that takes elements of a vector made in front of it, as `sub_group_broadcast(x, k)` and shuffles in the order of the loop do,
/// each iteration stores all of it. So such vectors are stored once, where they are made, and the loop loads elements alone. The vectors
/// then need no registers in the loop.
void keep_indexed_lanes(llvm::Function& function);

}  // namespace weft::compiler::wide
