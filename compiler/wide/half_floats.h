// Arithmetic of half in float.
//
// Most processors have no instructions for 16-bit floats but two that convert (F16C), and some not even these. LLVM takes vectors
// of half apart there, an element at a time, and some conversions become calls. So each operation on half becomes one on float
// whose result is rounded to half at once:
//
//   %s = fadd <32 x half> %a, %b
//   =>
//   %x = fpext <32 x half> %a to <32 x float>
//   %y = fpext <32 x half> %b to <32 x float>
//   %z = fadd <32 x float> %x, %y
//   %s = fptrunc <32 x float> %z to <32 x half>
//
// For +, -, *, / and sqrt the result is the correctly rounded one, as float has at least twice the bits and two. What is not
// so, fma and conversions from double, is rounded to odd first: an inexact float has its last bit set, which tells the second
// rounding on which side the value is. Signs are changed as bits, so that NaNs and zeros stay what they are.
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler::wide {

void compute_halves_in_float(llvm::Function& function);

}  // namespace weft::compiler::wide
