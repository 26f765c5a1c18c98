// Loads that wait for a register in front of a loop.
//
// What all warps of a group read alike, as the elements of a tile by which each multiplies its own, LLVM loads once in front of the loop over warps.
// Where that is more than there are registers, most of it goes from memory to the stack, from where each warp loads it again: a store and a load
// more for nothing, which a loop of a few warps does not pay back.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler {
struct VectorTraits;
}

namespace weft::compiler::wide {

/// Moves loads of vectors from in front of a loop of few iterations to where it uses them, if they want more registers than there are, and nothing in the
/// loop writes what they read. `function` is wide and optimized.
void load_in_loops(llvm::Function& function, const VectorTraits& vectors);

}  // namespace weft::compiler::wide
