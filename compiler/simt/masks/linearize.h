// Turns divergent control flow into masks.
//
// Input: a per-lane function in the form that canonicalize_cfg() leaves: one return; a divergent
// branch jumps over a single-entry region to its join, or has such a region on each side, or closes a loop as its
// only exit.
// Output: the same function in which every branch is uniform. A region that only some lanes enter runs
// if any lane is live (`weft.any`), a select under the region's mask chooses between the values that meet at
// its join, a loop runs until no lane is live, and each lane's values of the loop are frozen at the lane's
// exit. `call void @weft.mask(i1)` at the head of a block names the lanes for which the block
// runs; a block without it runs for all lanes.
#pragma once

#include <llvm/Support/Error.h>

#include "compiler/simt/analysis/uniformity.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// `full_warps`: every lane of every warp has a work-item, so the initial mask is all ones.
/// Fails, with the function unusable, on control flow that canonicalize_cfg() should not have left.
llvm::Error linearize(llvm::Function& function, Analyses& analyses, bool full_warps);

}  // namespace weft::compiler::simt
