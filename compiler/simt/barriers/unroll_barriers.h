// Unrolls loops around barriers.
//
// A tree in local memory halves or doubles its stride between barriers, in a loop whose trip count follows from the local
// size. Unrolling makes strides and the number of active lanes constant: accesses become contiguous or strided, branches
// such as `if (local_id < stride)` are known for each lane, and idle warps cost nothing.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Unrolls completely each loop of `item` that contains a barrier and has a constant trip count, up to a limit on their
/// instructions together. If the trip count of an inner loop is constant only within an iteration of the outer one,
/// unrolls the outer one first. True if anything was unrolled; `item` then is fit for simplify_kernel.
bool unroll_barrier_loops(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
