// Groups that one body covers need no barriers.
//
// Where 32 * J lanes are the whole work-group, every memory instruction completes for the whole group before the next
// one starts, which is more than a barrier asks for. The barriers go, and with them the regions, the slots
// and the loop over warps: what lives across a barrier stays in registers.
#pragma once

#include "compiler/compiler_api.h"
#include "compiler/simt/pressure.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Returns J if one body of 32 * J lanes shall run the group of `item` (not yet split), and takes its barriers out;
/// 0, with nothing changed, where that is not worth it, or not right: a barrier under a divergent branch must still find
/// out who reaches it. Above 1 only where the group is 32 * J work-items, no branch diverges but by what is known of
/// each lane at compile time, the values live at once fit `registers`, and the code stays small; loops around
/// barriers are unrolled for that where they can be, and branches around stores to local memory taken out
/// (blend_stores.h). With `forced`, that J or 0. `item` may be replaced.
unsigned cover_group(llvm::Function*& item, const Specialization& specialization, const VectorRegisters& registers,
                     unsigned forced, Analyses& analyses);

}  // namespace weft::compiler::simt
