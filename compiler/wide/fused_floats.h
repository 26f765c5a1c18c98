// Products of floats with a sum, rounded once, for processors that have no such instruction.
//
// LLVM calls a function of the C library for each element. In double the product of two floats is exact, and so is the rounding error
// of the sum (Knuth). Where there is one, the sum becomes its neighbour with an odd last bit that the value lies by, which tells the
// rounding to float on which side of it the value is:
//
//   %y = call <32 x float> @llvm.fma.v32f32(%a, %b, %c)
//   =>
//   %p = fmul <32 x double> (fpext %a), (fpext %b)
//   %s = fadd <32 x double> %p, (fpext %c)
//   ...                                          ; %e = p + c - s; to odd
//   %y = fptrunc <32 x double> %odd to <32 x float>
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler::wide {

void fuse_floats_in_double(llvm::Function& function);

}  // namespace weft::compiler::wide
