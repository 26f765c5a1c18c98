// Rows that kernels cut out of one dimension.
//
// Programs that number all elements of a matrix along x find its rows by a division: `column = id % width; row = id / width`. The row differs
// between lanes, as far as the code says, and so where lanes lie beside each other no vector is loaded. But a row has more elements than a
// warp has lanes, mostly, and most warps lie in one: their quotient is a scalar, and the remainder counts as the id does. The kernel has its
// code twice behind the division, once for these; which one runs is one comparison.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Copies what is behind the first such division of `item`, a simplified item function; of one in a loop, what is left of the iteration.
/// Does nothing where that has barriers or functions of sub-groups, where it is long (kMostInstructions), or has no access to memory whose
/// address follows from the division. Lanes may have several rows of a group that is narrower than a warp: all of them lie in one row of the
/// kernel's or none does. `lanes`: of the body. Sets `leaves_out` where first code (Specialization::soon) does without. Returns whether it did.
bool share_quotients(llvm::Function& item, const Specialization& specialization, unsigned lanes, Analyses& analyses, bool& leaves_out);

}  // namespace weft::compiler::simt
