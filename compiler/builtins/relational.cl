// Relational functions (OpenCL C 3.0 §6.15.6). Scalars answer 0 or 1 as int; vectors 0 or -1 in the signed
// integer type of the element's size.
#include "builtins.h"

// R: the result type, without width for scalars always int. The comparison operators of OpenCL C already have
// these results.
#define COMPARISONS(T, R, U, S, infinity, n)                                                   \
  WEFT_BUILTIN R isequal(T##n x, T##n y) { return x == y; }                                    \
  WEFT_BUILTIN R isnotequal(T##n x, T##n y) { return x != y; }                                 \
  WEFT_BUILTIN R isgreater(T##n x, T##n y) { return x > y; }                                   \
  WEFT_BUILTIN R isgreaterequal(T##n x, T##n y) { return x >= y; }                             \
  WEFT_BUILTIN R isless(T##n x, T##n y) { return x < y; }                                      \
  WEFT_BUILTIN R islessequal(T##n x, T##n y) { return x <= y; }                                \
  WEFT_BUILTIN R islessgreater(T##n x, T##n y) { return (x < y) | (x > y); }                   \
  WEFT_BUILTIN R isordered(T##n x, T##n y) { return (x == x) & (y == y); }                     \
  WEFT_BUILTIN R isunordered(T##n x, T##n y) { return (x != x) | (y != y); }                   \
  WEFT_BUILTIN R isnan(T##n x) { return x != x; }                                              \
  WEFT_BUILTIN R isinf(T##n x) { return __builtin_elementwise_abs(x) == (T##n)(T)infinity; }   \
  WEFT_BUILTIN R isfinite(T##n x) { return __builtin_elementwise_abs(x) < (T##n)(T)infinity; } \
  WEFT_BUILTIN R signbit(T##n x) { return as_##S##n(x) < (S##n)(S)0; }

// Normal: exponent neither zero nor all ones, by one unsigned comparison of the magnitude's bits.
#define IS_NORMAL(T, R, U, S, first_normal, infinity_bits, n)                           \
  WEFT_BUILTIN R isnormal(T##n x) {                                                     \
    const U##n magnitude = as_##U##n(__builtin_elementwise_abs(x));                     \
    return (U##n)(magnitude - (U##n)(U)first_normal) < (U##n)(U)(infinity_bits - first_normal); \
  }

COMPARISONS(half, int, ushort, short, INFINITY, )
COMPARISONS(float, int, uint, int, INFINITY, )
COMPARISONS(double, int, ulong, long, INFINITY, )
IS_NORMAL(half, int, ushort, short, 0x0400, 0x7c00, )
IS_NORMAL(float, int, uint, int, 0x00800000u, 0x7f800000u, )
IS_NORMAL(double, int, ulong, long, 0x0010000000000000ul, 0x7ff0000000000000ul, )
#define FLOAT_VECTOR(T, n)                                         \
  COMPARISONS(half, short##n, ushort, short, INFINITY, n)          \
  IS_NORMAL(half, short##n, ushort, short, 0x0400, 0x7c00, n)      \
  COMPARISONS(float, int##n, uint, int, INFINITY, n)               \
  COMPARISONS(double, long##n, ulong, long, INFINITY, n)           \
  IS_NORMAL(float, int##n, uint, int, 0x00800000u, 0x7f800000u, n) \
  IS_NORMAL(double, long##n, ulong, long, 0x0010000000000000ul, 0x7ff0000000000000ul, n)
WEFT_VECTOR_WIDTHS(FLOAT_VECTOR, )

// any and all look at the most significant bit of each element, of scalars too.
#define ANY_ALL_SCALAR(T, U, S, bits)         \
  WEFT_BUILTIN int any(T x) { return x < 0; } \
  WEFT_BUILTIN int all(T x) { return x < 0; }
WEFT_SIGNED_TYPES(ANY_ALL_SCALAR)

#define FOLD_2(x, op) (x.s0 op x.s1)
#define FOLD_3(x, op) (x.s0 op x.s1 op x.s2)
#define FOLD_4(x, op) ((x.s0 op x.s1)op(x.s2 op x.s3))
#define FOLD_8(x, op) (FOLD_4(x.lo, op) op FOLD_4(x.hi, op))
#define FOLD_16(x, op) (FOLD_8(x.lo, op) op FOLD_8(x.hi, op))
#define ANY_ALL_VECTOR(T, n)                                     \
  WEFT_BUILTIN int any(T##n x) { return (T)FOLD_##n(x, |) < 0; } \
  WEFT_BUILTIN int all(T##n x) { return (T)FOLD_##n(x, &) < 0; }
#define ANY_ALL_VECTORS(T, U, S, bits) WEFT_VECTOR_WIDTHS(ANY_ALL_VECTOR, T)
WEFT_SIGNED_TYPES(ANY_ALL_VECTORS)

#define BITSELECT(T, U, n)                                            \
  WEFT_BUILTIN T##n bitselect(T##n x, T##n y, T##n from_y) {          \
    const U##n mask = as_##U##n(from_y);                              \
    const U##n bits = (as_##U##n(x) & ~mask) | (as_##U##n(y) & mask); \
    return as_##T##n(bits);                                           \
  }
#define BITSELECTS(T, U, S, bits) WEFT_WIDTHS(BITSELECT, T, U)
WEFT_ALL_TYPES(BITSELECTS)

// select: scalars look at the whole condition, vectors at the most significant bit of each element.
#define SELECT_SCALAR(T, U, S, bits)                                         \
  WEFT_BUILTIN T select(T x, T y, S condition) { return condition ? y : x; } \
  WEFT_BUILTIN T select(T x, T y, U condition) { return condition ? y : x; }
#define SELECT_VECTOR(T, U, S, n)                                                                     \
  WEFT_BUILTIN T##n select(T##n x, T##n y, S##n condition) { return condition < (S##n)(S)0 ? y : x; } \
  WEFT_BUILTIN T##n select(T##n x, T##n y, U##n condition) {                                          \
    return as_##S##n(condition) < (S##n)(S)0 ? y : x;                                                 \
  }
#define SELECT_VECTORS(T, U, S, bits) WEFT_VECTOR_WIDTHS(SELECT_VECTOR, T, U, S)
WEFT_ALL_TYPES(SELECT_SCALAR)
WEFT_ALL_TYPES(SELECT_VECTORS)
