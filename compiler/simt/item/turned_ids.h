// Work-items that lie along another dimension than x.
//
// Work-items are numbered along x, and so are a warp's lanes (docs/lockstep.md). A program whose x counts a matrix's rows, as in
// `row = get_global_id(0), column = get_global_id(1)`, has lanes far apart in memory: what lies side by side are work-items along y. Where
// groups keep nothing to themselves no work-item can tell which others are in its warp. So a launch of such a kernel exchanges x with the
// dimension that memory lies along, its sizes and its groups with it, and the kernel's code exchanges the two when it asks where it is.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// The dimension (1: y, 2: z) that `kernel`, linked and scalar-optimized, should exchange with x; 0: none, or it may not.
unsigned dimension_to_turn(const llvm::Function& kernel);

/// Whether all that `kernel` learns of its place, its group and the launch are sizes and ids by dimension, and nothing else tells the work-items
/// that share a warp from others.
bool may_turn(const llvm::Function& kernel);

/// Exchanges x with `dimension` in all that `kernel` asks for; a second time it is as before.
void turn_ids(llvm::Function& kernel, unsigned dimension);

}  // namespace weft::compiler::simt
