// Shift registers that stay in memory: private arrays whose elements all move by one place in each iteration of a loop.
//
// `for (int i = N - 1; i > 0; --i) r[i] = r[i - 1]; r[0] = x;` is how programs for FPGAs keep the last N values, where it costs nothing, and how lines of an
// image are kept in them. Here it is N loads and stores for each new value. The array becomes a window on one of twice the length, and the window moves: only
// where it meets the end are its elements moved, to the other end, which is N moves for N iterations.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Makes windows of the private arrays of `item`, a simplified item function of `lanes` lanes, that are
/// - moved as a whole, by one element, up or down, by a loop that does nothing else, once in each iteration of the loop around it;
/// - read and written elsewhere by loads and stores that are not volatile, outside of all loops around the first only in front of them, where contents alone
///   may be set as a whole as well.
/// Where there are several lanes, the loop around is in no other: the lanes that are in it move their windows together, and agree on where it is.
/// Returns whether there were any; then `item` wants to be simplified again.
bool move_windows(llvm::Function& item, unsigned lanes, Analyses& analyses);

}  // namespace weft::compiler::simt
