// Code behind a bound of the range, for bodies in which all lanes are within it.
//
// `if (x == 0 || x == width - 1) return;` in front of a loop is false for all work-items of most groups. The loop behind it is divergent all the
// same: each of its accesses has a mask, of which several warps in one body have more than the processor holds in registers. So a copy of what
// stands behind the bound runs where no lane is outside, without masks. Loops along rows are unrolled in the copy alone. A bound, too, is the one
// that small groups side by side have where the last block of a row may lack some.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;
class Shapes;

/// Makes such a copy if the entry block of `region` ends with a bound of the range (even_conditions.h) that guards a loop over global memory,
/// and if what it guards is not long. `shapes` are those of `region` as it is. Returns whether it did; `analyses` are invalid for `region` then.
bool copy_for_full_guards(llvm::Function& region, const Shapes& shapes, Analyses& analyses);

}  // namespace weft::compiler::simt
