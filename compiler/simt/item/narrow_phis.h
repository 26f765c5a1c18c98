// Narrows loop counters that were widened from 32 to 64 bits.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Narrows every 64-bit phi whose uses take only its lower 32 bits. `for (int i = get_global_id(0); i < n;
/// i += get_global_size(0))` adds in size_t and truncates the sum; instcombine moves the truncation past the phi,
/// which leaves a 64-bit phi around an extension. No shape holds across a loop in that form, but a 32-bit phi is a
/// progression modulo 2^32. An index made of it, `i * 3 + 1`, which instcombine computes in the upper half of 64 bits, is
/// computed in 32 bits again, too.
void narrow_phis(llvm::Function& function);

}  // namespace weft::compiler::simt
