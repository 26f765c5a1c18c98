// The least and the greatest of bytes, as bytes.
//
// `m = max(m, in[...])` of uchar compares ints, as OpenCL C extends its operands: a register has a fourth of the lanes that it has of bytes, which processors
// compare as fast. The order of numbers that are extended without a sign is that of the narrow ones.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Makes minima and maxima in `kernel` of two numbers that are extended without a sign from the same 8 or 16 bits, or of one and a constant of so many bits,
/// extensions of such of narrow numbers.
void narrow_orders(llvm::Function& kernel);

}  // namespace weft::compiler::simt
