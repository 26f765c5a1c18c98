// Gathers whose addresses are undefined in some lanes, kept from a fault of LLVM 19.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// `vpgather` faults (#UD) when its index and its result share a register. LLVM 19 keeps the two apart unless the index is
/// undefined, and a piece of a split gather may be: lanes that a group does not have are poison, by InstCombine where the mask is
/// known, by loads that leave them out, and by variables of which one lane is ever stored. Gives each lane that is poison for certain the address of another lane. The mask
/// is as before, so nothing more is read. Runs after LLVM's InstCombine, which would undo it.
void define_gather_indices(llvm::Function& function);

}  // namespace weft::compiler::wide
