// Bytes and halves of words that become numbers in [0, 1].
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// A byte of a word as a float, times a constant c > 0, takes three operations: the byte, its conversion, the product. In the low bits
/// of the mantissa of 2^23 or 2^15 it is a number already: fma(2^23 + byte, c, -2^23 c) is the same product, rounded once, since 2^23 c
/// is exact. So it takes two, and the upper bytes of a word share a shift. The lower half of a word is such a number, too. For vectors of float where the processor has fma and
/// operations of three operands (AVX-512); elsewhere the bits would take one more.
void multiply_bytes(llvm::Function& function);

}  // namespace weft::compiler::wide
