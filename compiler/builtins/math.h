// What the math functions share.
//
// How they are written (all of math_*.cl): a kernel's 32 lanes run a function at once, in vectors of 8 floats
// or 4 doubles, so a branch costs both sides unless all lanes agree. Code is straight-line with selects of
// values already at hand; only rare and long paths stand behind an `if`. Polynomials rather than tables (a
// table look-up is a gather) but for tables of two registers where the processor permutes these (__weft_has_tables), FMA or MAD throughout, exponents by integer shifts and adds. 64-bit multiplies,
// arithmetic right shifts and conversions between double and long have no AVX2 instruction: rounding goes
// through MAGIC instead. Denormal arguments and results are honoured in both types.
#pragma once

#include "mad.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// Error terms are computed by exact sums and products: only an explicit fma() is one.
#pragma OPENCL FP_CONTRACT OFF

#define WEFT_OVERLOAD __attribute__((overloadable))
#define WEFT_CORE static inline __attribute__((overloadable, always_inline))
// A function that stays a call until calls of it with one argument are one (simt/item/shared_results.h).
#define WEFT_SHARED __attribute__((noinline, const))

// Primitives, which the warp compiler makes of what the processor has.
__attribute__((const)) float __weft_rsqrt_f32(float x);
__attribute__((const)) float __weft_rsqrt_normal_f32(float x);
__attribute__((const)) double __weft_rsqrt_f64(double x);
// Exponents and mantissas: compiler/simt/widen/float_parts.h says what they are.
__attribute__((const)) float __weft_float_scale_f32(float p, float n, uint u);
__attribute__((const)) double __weft_float_scale_f64(double p, double n, ulong u);
__attribute__((const)) float __weft_float_ldexp_f32(float x, float n);
__attribute__((const)) double __weft_float_ldexp_f64(double x, double n);
__attribute__((const)) float __weft_float_exponent_f32(float x);
__attribute__((const)) double __weft_float_exponent_f64(double x);
__attribute__((const)) float __weft_float_mantissa_f32(float x);
__attribute__((const)) double __weft_float_mantissa_f64(double x);
__attribute__((const)) float __weft_float_ends_f32(float x, float y);
__attribute__((const)) double __weft_float_ends_f64(double x, double y);
__attribute__((const)) float __weft_float_rest_f32(float x);
__attribute__((const)) float __weft_float_raise_f32(float p, float x);
__attribute__((const)) float __weft_float_binade_f32(float x);
__attribute__((const)) float __weft_float_significand_f32(float x);
__attribute__((const)) float __weft_float_root_f32(float x);
__attribute__((const)) float __weft_float_reciprocal_f32(float x);
__attribute__((const)) float __weft_float_octave_f32(float x);
__attribute__((const)) double __weft_float_octave_f64(double x);
__attribute__((const)) float __weft_float_unit_f32(float x);
__attribute__((const)) double __weft_float_unit_f64(double x);
#define WEFT_FOUR(T) T, T, T, T
#define WEFT_SIXTEEN(T) WEFT_FOUR(T), WEFT_FOUR(T), WEFT_FOUR(T), WEFT_FOUR(T)
__attribute__((const)) float __weft_float_table32_f32(uint i, WEFT_SIXTEEN(float), WEFT_SIXTEEN(float));
__attribute__((const)) double __weft_float_table16_f64(ulong i, WEFT_SIXTEEN(double));
// Whether the processor permutes out of registers what the tables above have: a constant once the library is linked (linker/processor_choices.h).
__attribute__((const)) bool __weft_has_tables(void);

#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)
/// The same where it does not matter how often it is rounded. FMA() is exact on every processor, and slow on one without it.
#define MAD(a, b, c) weft_mad(a, b, c)
#define ABS(x) __builtin_elementwise_abs(x)
#define FLOOR(x) __builtin_elementwise_floor(x)
#define CEIL(x) __builtin_elementwise_ceil(x)
#define TRUNC(x) __builtin_elementwise_trunc(x)
#define RINT(x) __builtin_elementwise_rint(x)
#define SQRT(x) __builtin_elementwise_sqrt(x)
#define COPYSIGN(x, s) __builtin_elementwise_copysign(x, s)

// Horner's scheme: POLYn(x, c0, ..., c<n-1>) = c0 + x (c1 + x (...)).
#define POLY2(x, a, b) MAD(x, b, a)
#define POLY3(x, a, ...) MAD(x, POLY2(x, __VA_ARGS__), a)
#define POLY4(x, a, ...) MAD(x, POLY3(x, __VA_ARGS__), a)
#define POLY5(x, a, ...) MAD(x, POLY4(x, __VA_ARGS__), a)
#define POLY6(x, a, ...) MAD(x, POLY5(x, __VA_ARGS__), a)
#define POLY7(x, a, ...) MAD(x, POLY6(x, __VA_ARGS__), a)
#define POLY8(x, a, ...) MAD(x, POLY7(x, __VA_ARGS__), a)
#define POLY9(x, a, ...) MAD(x, POLY8(x, __VA_ARGS__), a)
#define POLY10(x, a, ...) MAD(x, POLY9(x, __VA_ARGS__), a)
#define POLY11(x, a, ...) MAD(x, POLY10(x, __VA_ARGS__), a)
#define POLY12(x, a, ...) MAD(x, POLY11(x, __VA_ARGS__), a)
#define POLY13(x, a, ...) MAD(x, POLY12(x, __VA_ARGS__), a)
#define POLY14(x, a, ...) MAD(x, POLY13(x, __VA_ARGS__), a)
#define POLY15(x, a, ...) MAD(x, POLY14(x, __VA_ARGS__), a)
#define POLY16(x, a, ...) MAD(x, POLY15(x, __VA_ARGS__), a)
#define POLY17(x, a, ...) MAD(x, POLY16(x, __VA_ARGS__), a)
#define POLY18(x, a, ...) MAD(x, POLY17(x, __VA_ARGS__), a)
#define POLY19(x, a, ...) MAD(x, POLY18(x, __VA_ARGS__), a)
#define POLY20(x, a, ...) MAD(x, POLY19(x, __VA_ARGS__), a)
#define POLY21(x, a, ...) MAD(x, POLY20(x, __VA_ARGS__), a)
#define POLY22(x, a, ...) MAD(x, POLY21(x, __VA_ARGS__), a)
#define POLY23(x, a, ...) MAD(x, POLY22(x, __VA_ARGS__), a)

// The same by pairs, for half the chain: PAIRSn(x, x^2, c0, ..., c<n-1>) = (c0 + c1 x) + x^2 ((c2 + c3 x) + ...).
#define PAIRS1(x, q, a) a
#define PAIRS2(x, q, a, b) MAD(x, b, a)
#define PAIRS3(x, q, a, b, ...) MAD(q, PAIRS1(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS4(x, q, a, b, ...) MAD(q, PAIRS2(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS5(x, q, a, b, ...) MAD(q, PAIRS3(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS6(x, q, a, b, ...) MAD(q, PAIRS4(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS7(x, q, a, b, ...) MAD(q, PAIRS5(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS8(x, q, a, b, ...) MAD(q, PAIRS6(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS9(x, q, a, b, ...) MAD(q, PAIRS7(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS10(x, q, a, b, ...) MAD(q, PAIRS8(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS11(x, q, a, b, ...) MAD(q, PAIRS9(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS12(x, q, a, b, ...) MAD(q, PAIRS10(x, q, __VA_ARGS__), MAD(x, b, a))
#define PAIRS13(x, q, a, b, ...) MAD(q, PAIRS11(x, q, __VA_ARGS__), MAD(x, b, a))
