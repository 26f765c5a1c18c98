// Exponents and mantissas of floating-point numbers: what exp and log are made of besides polynomials.
//
// AVX-512 takes a number apart and puts it together by one instruction each, denormals and infinities included. Elsewhere
// it is integer arithmetic on the bits. The results are the same to the last bit, so that a lane's does not depend on where
// it is computed.
//
//   T __weft_float_scale_<T>(T p, T n, U u)    p 2^n, rounded once; u = n + 2 BIAS in [2, 4 BIAS]; n may have a fraction, which is cut
//   T __weft_float_ldexp_<T>(T x, T n)         x 2^n, rounded once, for any x and an integer n
//   T __weft_float_exponent_<T>(T x)           e of x = m 2^e, LOG_LOW <= m < 2 LOG_LOW (builtins/math_core.h), for finite x > 0
//   T __weft_float_mantissa_<T>(T x)           and m
//   T __weft_float_octave_<T>(T x)             e of x = m 2^e, 1 <= m < 2, for finite x > 0
//   T __weft_float_unit_<T>(T x)               and m
//   T __weft_float_table<n>_<T>(U i, T...)     of n constants the one of place i modulo n
//   T __weft_float_ends_<T>(T x, T y)          y = log(x) made of these, right also where x is 0, negative, infinite or NaN; y may be x's octave, too
//
// and, for relaxed math, where denormals may be 0:
//
//   f32 __weft_float_rest_f32(f32 x)           x - floor(x) for -126 <= x <= 128; in [0, 1) beyond
//   f32 __weft_float_raise_f32(f32 p, f32 x)   p 2^floor(x) for 1 <= p <= 2; infinite for x > 128, next to 0 for x < -126
//   f32 __weft_float_binade_f32(f32 x)         e of x = m 2^e, 3/4 <= m < 3/2, for finite x > 0; -infinity of 0
//   f32 __weft_float_significand_f32(f32 x)    and m; in [3/4, 3/2] of 0
//   f32 __weft_float_root_f32(f32 x)           sqrt(x), right to 3 ulp for finite x >= 0
//   f32 __weft_float_reciprocal_f32(f32 x)     1 / x, right to 2 ulp where neither is denormal; infinite for 0, 0 for infinity
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/simt/ir/primitives.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// What the primitive `name` is of `arguments`, numbers or vectors of them (of a multiple of 16 lanes). `vector_bits` is the
/// width of the processor's vectors if it has AVX-512's instructions, or else 0.
llvm::Value* float_part(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments,
                        unsigned vector_bits);

/// Puts it in place of all calls of the primitives in a module that is not widened.
void expand_float_parts(llvm::Module& module);

}  // namespace weft::compiler::simt
