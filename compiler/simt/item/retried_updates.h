// Updates of local memory that programs try by compare and exchange until they succeed.
//
// OpenCL C has no atomic sums of floats, so programs compute the sum and exchange what they have read for it, again until nobody has come between; some
// make a few attempts in front of the loop, too. A group runs on one thread: of all that, one update remains, which widening makes plain accesses of.
//
// Older programs store and look whether what they have stored is still there, as NVIDIA's histogram of 256 bins does: lanes that meet overwrite each other,
// all but one, and the others go round again. Such are tried by exchanges, too, and run for one lane after the other (memory/retry_loops.h).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Makes one update of each such loop of `item` and of the attempts in front of it, where the program does not ask what was there. Returns whether there
/// were any; then it wants to be simplified again.
bool join_retried_updates(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
