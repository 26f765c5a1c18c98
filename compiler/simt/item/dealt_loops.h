// Loops over what a group's work-items deal out among themselves, unrolled.
//
// `for (int i = lid; i < 324; i += 256) tile[i] = in[(i / 18) * pitch + i % 18]`, as programs fill tiles with a rim, and go through
// elements of a small tensor that are no multiple of the group's size: some work-items have one iteration more than others. Unrolled, each
// iteration has an index that follows from the local id alone, and so have its place in memory and whether it runs: known in every lane
// where a body has the whole group. All iterations but the last run without a mask.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Unrolls the innermost loops of `item`, a simplified item function, whose count of iterations follows from local ids and constants alone,
/// differs, and is small (kMostIterations), as long as the kernel stays of a usual size (kMostInstructions). Returns whether there were
/// any; then it wants to be simplified again.
bool unroll_dealt_loops(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
