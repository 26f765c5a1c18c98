// The builtins under test, listed for both sides: cases.cl defines for each a function over arrays, which the
// tests declare and call. A case is compiled for scalars (name) and for vectors of four (name_4).
#pragma once

// M(..., type)
#define WEFT_TEST_SIGNED(M, ...) M(__VA_ARGS__, char) M(__VA_ARGS__, short) M(__VA_ARGS__, int) M(__VA_ARGS__, long)
#define WEFT_TEST_UNSIGNED(M, ...) \
  M(__VA_ARGS__, uchar) M(__VA_ARGS__, ushort) M(__VA_ARGS__, uint) M(__VA_ARGS__, ulong)

// M(source, target) for all pairs but those to float and double, and for those.
#define WEFT_TEST_SOURCES(M, D) \
  M(char, D) M(uchar, D) M(short, D) M(ushort, D) M(int, D) M(uint, D) M(long, D) M(ulong, D) M(float, D) M(double, D)
#define WEFT_TEST_TO_INTEGER(M)                                                        \
  WEFT_TEST_SOURCES(M, char) WEFT_TEST_SOURCES(M, uchar) WEFT_TEST_SOURCES(M, short)   \
  WEFT_TEST_SOURCES(M, ushort) WEFT_TEST_SOURCES(M, int) WEFT_TEST_SOURCES(M, uint)    \
  WEFT_TEST_SOURCES(M, long) WEFT_TEST_SOURCES(M, ulong)
#define WEFT_TEST_TO_FLOAT(M) WEFT_TEST_SOURCES(M, float) WEFT_TEST_SOURCES(M, double)

// M(source, target, suffix of the name)
#define WEFT_TEST_MODES(M, S, D, sat) \
  M(S, D, sat) M(S, D, sat##_rte) M(S, D, sat##_rtz) M(S, D, sat##_rtp) M(S, D, sat##_rtn)

// M(type, unsigned type): T f(T), U f(T), T f(T, T), ...
#define WEFT_TEST_INTEGER_TYPES(M)                                                             \
  M(char, uchar) M(short, ushort) M(int, uint) M(long, ulong)                                  \
  M(uchar, uchar) M(ushort, ushort) M(uint, uint) M(ulong, ulong)
#define WEFT_TEST_UNARY(M, T, U) M(abs, U, T) M(clz, T, T) M(ctz, T, T) M(popcount, T, T)
#define WEFT_TEST_BINARY(M, T, U)                                                              \
  M(add_sat, T, T) M(sub_sat, T, T) M(hadd, T, T) M(rhadd, T, T) M(max, T, T) M(min, T, T)     \
  M(abs_diff, U, T) M(rotate, T, T) M(mul_hi, T, T)
#define WEFT_TEST_TERNARY(M, T, U) M(mad_hi, T, T) M(mad_sat, T, T) M(clamp, T, T) M(bitselect, T, T)

// M(source type, suffix)
#define WEFT_TEST_HALF_STORES(M)                                                               \
  M(float, ) M(float, _rte) M(float, _rtz) M(float, _rtp) M(float, _rtn)                       \
  M(double, ) M(double, _rte) M(double, _rtz) M(double, _rtp) M(double, _rtn)

// M(f, T, R): scalar results are int, those of vectors R, the integer of T's size.
#define WEFT_TEST_PREDICATES(M, T, R) M(isnan, T, R) M(isinf, T, R) M(isfinite, T, R) M(isnormal, T, R) M(signbit, T, R)
#define WEFT_TEST_RELATIONS(M, T, R)                                                           \
  M(isequal, T, R) M(isnotequal, T, R) M(isgreater, T, R) M(isgreaterequal, T, R)              \
  M(isless, T, R) M(islessequal, T, R) M(islessgreater, T, R) M(isordered, T, R) M(isunordered, T, R)

// M(f, R, T), as for integers
#define WEFT_TEST_COMMON_UNARY(M, T) M(degrees, T, T) M(radians, T, T) M(sign, T, T)
#define WEFT_TEST_COMMON_BINARY(M, T) M(max, T, T) M(min, T, T) M(step, T, T)
#define WEFT_TEST_COMMON_TERNARY(M, T) M(clamp, T, T) M(mix, T, T) M(smoothstep, T, T)
