// Sums of bytes and of 16-bit numbers in 16 bits.
//
// OpenCL C computes on bytes in int, and filters convert them to float first. What a register holds of these are a quarter or half of
// what it holds of the bytes, and the conversions cost more than the sums. Where all results of some arithmetic on vectors are known to be integers that
// 16 bits hold, it is done there: sums and differences of neighbours, products with small weights, bounds, comparisons.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Narrows arithmetic on vectors of 32-bit integers, and of floats as long as they are exact, that begins with conversions of 16 or fewer
/// bits and stays within 16 by the ranges of its operands, up to where it is compared, cut or extended.
void narrow_arithmetic(llvm::Function& function);

}  // namespace weft::compiler::wide
