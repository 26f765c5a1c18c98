// Drops barriers between work-items of one warp.
//
// The last steps of a tree, or those of a sorting network with small strides, exchange what work-items of one warp have written. These run in
// lockstep: each memory instruction completes for all of them before the next one. A barrier there orders nothing more, but parts the code in regions,
// each of which runs for all warps of the group and keeps its values in memory.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

bool has_barriers(llvm::Function& item);

/// Removes the barriers of `item` (not yet split, its loops around barriers unrolled) across which no two work-items of different warps access the same
/// byte of local memory, one of them writing, and nothing else is accessed that is written. Addresses, and who accesses them, must be known for each
/// work-item (lane_values.h). No barrier may stand where only some work-items come. Returns how many are left of how many.
struct KeptBarriers {
  unsigned kept = 0, before = 0;
};
KeptBarriers drop_warp_barriers(llvm::Function& item, const Specialization& specialization, Analyses& analyses);

}  // namespace weft::compiler::simt
