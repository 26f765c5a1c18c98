// Products with a sum in the OpenCL C library.
//
// The library has them in two forms. What is exact on every processor is llvm.fma. What may be rounded once or twice (builtins/mad.h)
// is llvm.fmuladd, of which this makes one or the other where the library is linked, so that a kernel and whatever it is compared
// with have the same:
//
//   %y = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
//   =>
//   %y = call float @llvm.fma.f32(float %a, float %b, float %c)       ; a processor that has it
//   %p = fmul float %a, %b                                            ; one that has not
//   %y = fadd float %p, %c
#pragma once

#include <llvm/IR/Function.h>

namespace weft::compiler::linker {

/// In a function of the library, of float and double. Half's have no such products (wide/half_floats.h).
void settle_products(llvm::Function& function, bool fused);

}  // namespace weft::compiler::linker
