// Loop variables of loops with barriers in them, taken apart into what is a lane's own and what all lanes
// share.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Rewrites, in loops of `item` that contain a barrier, each divergent loop variable that starts from
/// something recomputable and moves by uniform steps, `p = phi [start, before], [p + step, latch]`, into a
/// uniform offset and the sum: `offset = phi [0, before], [offset + step, latch]; p = start + offset`. Only
/// the offset then lives across the barrier, one scalar a warp, and the widener sees that p is still as
/// affine in the lane as its start: a pointer stepped along a row would else come out of a slot as any
/// vector.
void split_inductions(llvm::Function& item, Analyses& analyses);

/// The same of one loop, whatever is in it; true if something changed.
bool split_inductions(const llvm::Loop& loop, const llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
