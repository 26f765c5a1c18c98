// Unrolls loops around barriers.
//
// A tree in local memory halves or doubles its stride between barriers, round a loop whose trip count follows from the
// local size. Unrolled, strides and the number of active lanes are constants: accesses become contiguous or of a known
// stride, branches of the kind `if (local_id < stride)` are known for each lane, and idle warps cost nothing.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Unrolls completely each loop of `item` that contains a barrier and whose trip count is constant, if that makes not too
/// many instructions of all of them; a loop around one whose count is constant only in each of its iterations is
/// unrolled first. True if there was one; `item` then is fit for simplify_kernel.
bool unroll_barrier_loops(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
