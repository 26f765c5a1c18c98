// Whole-group bodies: removes the barriers of a work-group that one body runs.
//
// Where 32 * J lanes are the whole work-group, every memory instruction completes for the whole group before the next
// one starts, which is more than a barrier guarantees. Without barriers there are no regions, no slots and no loop over
// warps: values that live across a barrier stay in registers.
#pragma once

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/pressure.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// J if one body of 32 * J lanes could run the group of `item` (not yet split), else 0. The group must be 32 * J work-items
/// (for J = 1: or fewer) and have barriers, none of them under a divergent branch: such a barrier must still find out who
/// reaches it. With `forced`, that J or 0.
unsigned whole_group_warps(llvm::Function& item, const Specialization& specialization, unsigned forced, Analyses& analyses);

/// Removes the barriers of `item` and returns whole_group_warps(), or changes nothing and returns 0 if that is not worth it.
/// J is above 1 only if all divergent conditions are known for each lane at compile time, or end loops that lanes leave almost together
/// (is_even_exit), the values live at once fit the registers, and the code stays small. `straight`, null or a copy of `item` with less control flow, replaces `item` if
/// that is worth it, and else is erased.
unsigned make_whole_group(llvm::Function*& item, llvm::Function* straight, const Specialization& specialization,
                          const VectorTraits& vectors, unsigned forced, Analyses& analyses);

}  // namespace weft::compiler::simt
