// Loops that all work-items run as often, whatever their ids are.
//
// `for (int k = y; k < 32; k += 16)` in groups of 16 rows, as programs fill tiles: where each work-item begins and ends depends on its id, but each has
// two iterations, since an id is less than the local size. A counter of its own tells the loop so: it is unrolled or, if that is too long, left by all
// lanes at once.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Gives such loops of `item`, a simplified item function, counters. Returns whether there were any; then it wants to be simplified again.
bool count_known_iterations(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
