// Sums of integers in straight code that have terms in common: what several of them add up is added once.
//
// Rows of a block that run together (stacked_rows.h) add up the same texels in different sums: five rows of five taps to each result. In
// the program's order each sum begins with a row of its own, so no part of one is a part of another. Sums of integers may be taken in any
// order: terms that lie in the same sums, with the same weights but for a factor, are one term of these. A row of a filter is so: a box, or the
// product of a row and a column, costs its rows once and its columns for each result.
#pragma once

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::simt {

/// Rewrites the sums of `block` if that takes fewer operations.
void share_sums(llvm::BasicBlock& block);

}  // namespace weft::compiler::simt
