// What is computed of a loop's results, where it runs no iteration.
//
// Behind `for (i = get_global_id(0); i < n; i += get_global_size(0)) sum += ...`, LLVM moves `sqrt(sum)` to the end of the loop, and has a
// constant for lanes that skip it. So lanes that run the loop and lanes that do not meet behind work of their own, and cannot be taken for lanes
// that run none of its iterations.
#pragma once

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::simt {

/// Moves the computations of `exit`, where a loop in LCSSA form with the preheader `before` and the latch `latch` ends, into its only
/// successor, if the other way there skips the loop, and if the results of no iteration give there what is there already. Values
/// stay what they were. Returns whether it did.
bool unfold_ends(llvm::BasicBlock& before, llvm::BasicBlock& latch, llvm::BasicBlock& exit);

}  // namespace weft::compiler::simt
