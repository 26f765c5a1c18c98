// Gives loop counters of 32 bits their width back.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// `for (int i = get_global_id(0); i < n; i += get_global_size(0))` adds in size_t and cuts the sum down, and instcombine
/// moves the cut behind the phi: a phi of 64 bits, of which only the lower 32 count, around an extension. In that form no
/// shape holds across the loop; a phi of 32 bits is a progression modulo 2^32. Changes every phi of 64 bits all of whose
/// uses take nothing but its lower 32 bits.
void narrow_phis(llvm::Function& function);

}  // namespace weft::compiler::simt
