// Macros that write the vector forms of math functions.
//
// A function is written once, for scalars; its vector forms call the scalar form for each component. The warp
// compiler inlines everything and splits vectors into components anyhow. Vector forms live in files of their
// own (math_vectors.cl), so that Clang does not inline 33 copies of a scalar function into the bitcode.
//
// What is one operation of LLVM on a vector (WEFT_WHOLE) stays one: beside sums and conversions of vectors, components that lie
// beside each other in memory need not be taken apart.
//
// Inside the definition of a function, Clang no longer finds the overloads that -fdeclare-opencl-builtins
// would declare: whatever is defined must also be declared here by hand before it is called. The macros do
// so.
#pragma once

#include "math.h"

// WEFT_EACHn(E, F) is E(F, s0), ..., E(F, s<n-1>); WEFT_DOn the same without commas.
#define WEFT_EACH2(E, F) E(F, s0), E(F, s1)
#define WEFT_EACH3(E, F) WEFT_EACH2(E, F), E(F, s2)
#define WEFT_EACH4(E, F) WEFT_EACH3(E, F), E(F, s3)
#define WEFT_EACH8(E, F) WEFT_EACH4(E, F), E(F, s4), E(F, s5), E(F, s6), E(F, s7)
#define WEFT_EACH16(E, F) \
  WEFT_EACH8(E, F), E(F, s8), E(F, s9), E(F, sa), E(F, sb), E(F, sc), E(F, sd), E(F, se), E(F, sf)
#define WEFT_DO2(E, F) E(F, s0) E(F, s1)
#define WEFT_DO3(E, F) WEFT_DO2(E, F) E(F, s2)
#define WEFT_DO4(E, F) WEFT_DO3(E, F) E(F, s3)
#define WEFT_DO8(E, F) WEFT_DO4(E, F) E(F, s4) E(F, s5) E(F, s6) E(F, s7)
#define WEFT_DO16(E, F) WEFT_DO8(E, F) E(F, s8) E(F, s9) E(F, sa) E(F, sb) E(F, sc) E(F, sd) E(F, se) E(F, sf)

// Expands M(2, ...) M(3, ...) ... M(16, ...).
#define WEFT_VECTOR_WIDTHS(M, ...) \
  M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)

// Vector forms of R F(A), R F(A, B), R F(A, B, C), from the scalar form, which they declare.
#define WEFT_CALL_V(F, c) F(x.c)
#define WEFT_CALL_VV(F, c) F(x.c, y.c)
#define WEFT_CALL_VS(F, c) F(x.c, y)
#define WEFT_CALL_VVV(F, c) F(x.c, y.c, z.c)
#define WEFT_VECTOR_V(n, R, F, A) \
  WEFT_OVERLOAD R##n F(A##n x) { return (R##n)(WEFT_EACH##n(WEFT_CALL_V, F)); }
#define WEFT_VECTOR_VV(n, R, F, A, B) \
  WEFT_OVERLOAD R##n F(A##n x, B##n y) { return (R##n)(WEFT_EACH##n(WEFT_CALL_VV, F)); }
#define WEFT_VECTOR_VS(n, R, F, A, B) \
  WEFT_OVERLOAD R##n F(A##n x, B y) { return (R##n)(WEFT_EACH##n(WEFT_CALL_VS, F)); }
#define WEFT_VECTOR_VVV(n, R, F, A, B, C) \
  WEFT_OVERLOAD R##n F(A##n x, B##n y, C##n z) { return (R##n)(WEFT_EACH##n(WEFT_CALL_VVV, F)); }
#define WEFT_UNARY(R, F, A) \
  WEFT_OVERLOAD R F(A);     \
  WEFT_VECTOR_WIDTHS(WEFT_VECTOR_V, R, F, A)
#define WEFT_BINARY(R, F, A, B) \
  WEFT_OVERLOAD R F(A, B);      \
  WEFT_VECTOR_WIDTHS(WEFT_VECTOR_VV, R, F, A, B)
// R##n F(A##n, B): the second operand one scalar for all components; the scalar form as in WEFT_BINARY.
#define WEFT_BINARY_SCALAR(R, F, A, B) \
  WEFT_OVERLOAD R F(A, B);             \
  WEFT_VECTOR_WIDTHS(WEFT_VECTOR_VS, R, F, A, B)
#define WEFT_TERNARY(R, F, A, B, C) \
  WEFT_OVERLOAD R F(A, B, C);       \
  WEFT_VECTOR_WIDTHS(WEFT_VECTOR_VVV, R, F, A, B, C)
// The vector forms of T F(T), T F(T, T), the same with one scalar for all components, and T F(T, T, T), which is `operation` of Clang's __builtin_elementwise_*.
#define WEFT_WHOLE_V(n, T, F, operation) \
  WEFT_OVERLOAD T##n F(T##n x) { return __builtin_elementwise_##operation(x); }
#define WEFT_WHOLE_VV(n, T, F, operation) \
  WEFT_OVERLOAD T##n F(T##n x, T##n y) { return __builtin_elementwise_##operation(x, y); }
#define WEFT_WHOLE_VS(n, T, F, operation) \
  WEFT_OVERLOAD T##n F(T##n x, T y) { return __builtin_elementwise_##operation(x, (T##n)y); }
#define WEFT_WHOLE_VVV(n, T, F, operation) \
  WEFT_OVERLOAD T##n F(T##n x, T##n y, T##n z) { return __builtin_elementwise_##operation(x, y, z); }
#define WEFT_WHOLE_MAD(n, T, F) \
  WEFT_OVERLOAD T##n F(T##n x, T##n y, T##n z) { return weft_mad(x, y, z); }
#define WEFT_WHOLE_UNARY(T, F, operation) WEFT_VECTOR_WIDTHS(WEFT_WHOLE_V, T, F, operation)
#define WEFT_WHOLE_BINARY(T, F, operation) WEFT_VECTOR_WIDTHS(WEFT_WHOLE_VV, T, F, operation)
#define WEFT_WHOLE_BINARY_SCALAR(T, F, operation) WEFT_VECTOR_WIDTHS(WEFT_WHOLE_VS, T, F, operation)
#define WEFT_WHOLE_TERNARY(T, F, operation) WEFT_VECTOR_WIDTHS(WEFT_WHOLE_VVV, T, F, operation)
