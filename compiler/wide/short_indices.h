// Indices of gathers and scatters that 32 bits hold, as such.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// A gather takes twice as many elements at once by indices of 32 bits as by those of 64. LLVM knows that 32 bits hold an index where it sees the index made in
/// the gather's own block: where a loop extends a counter and reads under a condition, it does not. So where an index is made elsewhere, and all of its
/// bits but the lower 32 repeat the sign, each gather and scatter gets an extension and an address of its own. What crosses blocks is half as many registers.
void shorten_indices(llvm::Function& function);

}  // namespace weft::compiler::wide
