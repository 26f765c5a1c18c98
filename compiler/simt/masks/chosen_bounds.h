// Loops whose first number or bound is chosen by a condition that all lanes share, or alike by all lanes.
//
// Where tiles of a matrix of pairs are compared, those on the diagonal begin behind the work-item's own place and all others at 0:
// `for (j = row == column ? lane + 1 : 0; j < n; ++j)`. Chosen in front of the loop, the number differs between lanes in every group: each
// access by it is a gather, and the loop ends lane by lane. So the code from the choice to what follows the loop gets a copy for each side, of which
// one has numbers that all lanes share.
//
// A filter whose first and last taps are chosen by position, `x < r ? -x : -r`, has numbers that all lanes share inside of an image. Where a block chooses
// such numbers by what ids say, the warp looks whether all lanes have those that are shared, and that is the condition. Of loaded numbers lanes mostly have
// different ones.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Gives such copies to short code of `region`, where no lanes meet. Each lane does the same operations in the same order as before. Returns whether
/// anything changed; `analyses` are invalid for `region` then.
bool split_chosen_bounds(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
