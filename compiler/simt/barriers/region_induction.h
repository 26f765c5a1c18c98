// Splits the variables of loops with barriers into the lane's own start and a uniform offset.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Splits each divergent variable of a loop with a barrier in `item` if its start can be recomputed and its steps are
/// uniform: `p = phi [start, before], [p + step, latch]` becomes a uniform offset and a sum,
/// `offset = phi [0, before], [offset + step, latch]; p = start + offset`. Only the offset then lives across the
/// barrier, one scalar a warp, and the widener sees that p is as affine in the lane as its start. Reloaded from a slot, a
/// pointer that steps along a row would be an arbitrary vector.
void split_inductions(llvm::Function& item, Analyses& analyses);

/// The same for one loop, with or without a barrier; true if anything changed.
bool split_inductions(const llvm::Loop& loop, const llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
