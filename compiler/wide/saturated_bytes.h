// Sums of bytes that are only compared, in bytes.
//
// A sum of eight neighbours does not fit a byte. But where a program asks whether it is 3, or more than 100, min(sum, 255) answers as well,
// and that is what saturating additions of bytes give: a register holds four times as many of them as of int, and nothing is converted.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Does sums, minima and maxima of bytes, and of bits, in vectors of bytes, if all that is made of them is compared with constants below
/// 255.
void saturate_bytes(llvm::Function& function);

}  // namespace weft::compiler::wide
