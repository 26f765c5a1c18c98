// Values that only rare code needs.
//
// A filter has a copy for warps at an edge (simt/item/inside_bounds.h), which most warps never run. What it computes of ids and sizes alone does
// not change from warp to warp, so LLVM moves it in front of the loop over warps, where each group pays for it, and keeps it in registers
// or on the stack while the usual copy runs.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Moves values that are used behind the unlikely side of a branch alone to where that side begins, even into a loop. Branch weights say what is
/// unlikely.
void move_rare_values(llvm::Function& function);

}  // namespace weft::compiler::wide
