// Groups that one body covers need no barriers.
//
// Where 32 * J lanes are the whole work-group, every memory instruction completes for the whole group before the next
// one starts, which is more than a barrier asks for. The barriers go, and with them the regions, the slots
// and the loop over warps: what lives across a barrier stays in registers.
#pragma once

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/pressure.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// J if one body of 32 * J lanes could run the group of `item` (not yet split), by the group's size and where its barriers stand:
/// the group is 32 * J work-items (for J = 1: or fewer), and no barrier is under a divergent branch, which must still
/// find out who reaches it. Else 0; also where there is no barrier. With `forced`, that J or 0.
unsigned whole_group_warps(llvm::Function& item, const Specialization& specialization, unsigned forced, Analyses& analyses);

/// For passes that change the control flow so that one body may run the group, which make_whole_group() then decides.
llvm::Function* copy_item(llvm::Function& item);
void erase_function(llvm::Function& function, Analyses& analyses);

/// Takes the barriers of `item` out and returns whole_group_warps(), or changes nothing and returns 0 where that is not worth it: J
/// above 1 only where no branch diverges but by what is known of each lane at compile time, the values live at once fit the
/// registers, and the code stays small. `straight`, a copy of `item` with less control flow, or null, takes its
/// place where that is worth it, and else is erased.
unsigned make_whole_group(llvm::Function*& item, llvm::Function* straight, const Specialization& specialization,
                          const VectorTraits& vectors, unsigned forced, Analyses& analyses);

}  // namespace weft::compiler::simt
