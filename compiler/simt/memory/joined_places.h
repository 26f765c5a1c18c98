// Places that are found in two steps.
//
// `row = in + id / width * pitch; row[id % width]` finds the row first and then the element: LLVM's own passes write sums of indices so, too. How
// lanes lie follows from the sum, which strategies of widening that look for rows (two_rows.cpp) ask for.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Places of `function`, linearized, by an index that divides, behind such by another one of the same unit, by the sum of both. Returns whether there
/// were any.
bool join_places(llvm::Function& function);

}  // namespace weft::compiler::simt
