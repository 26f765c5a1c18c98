// Conversions to float and double (OpenCL C 3.0 §6.4.3.2). Without a mode: to nearest even.
#include "conversions.h"
#include "rounding.h"

// Exact whatever the mode.
#define EXACT_NAMED(S, D, mode, n) \
  WEFT_BUILTIN D##n convert_##D##n##mode(S##n x) { return WEFT_CONVERT(x, D, n); }
#define EXACT(S, D, n)                                                             \
  EXACT_NAMED(S, D, , n)                                                           \
  EXACT_NAMED(S, D, _rte, n) EXACT_NAMED(S, D, _rtz, n) EXACT_NAMED(S, D, _rtp, n) \
      EXACT_NAMED(S, D, _rtn, n)

// double to float: the nearest, stepped.
#define NARROW_NAMED(mode, n)                                       \
  WEFT_BUILTIN float##n convert_float##n##_##mode(double##n x) {    \
    const float##n near = WEFT_CONVERT(x, float, n);                \
    const double##n back = WEFT_CONVERT(near, double, n);           \
    const int##n bits = as_int##n(near);                            \
    const int##n stepped = WEFT_STEP_##mode(x, bits, back, int, n); \
    return as_float##n(stepped);                                    \
  }
#define NARROW(S, n)         \
  EXACT_NAMED(S, float, , n) \
  EXACT_NAMED(S, float, _rte, n) NARROW_NAMED(rtz, n) NARROW_NAMED(rtp, n) NARROW_NAMED(rtn, n)

// An integer of more bits than D's significand: the magnitude without the bits below the significand is exact
// in D, and is the value rounded toward zero; if bits were lost, the next in the bits is the value away from
// zero. U, I: unsigned and signed type of S's size; B: signed type of D's size.
#define INTEGER_PARTS(S, D, U, I, B, digits, n)                                                            \
  const U##n sign = MIN_##S == 0 ? (U##n)(U)0 : as_##U##n(as_##I##n(x) >> (I##n)(I)(sizeof(S) * 8 - 1));   \
  const U##n magnitude = (as_##U##n(x) ^ sign) - sign;                                                     \
  const I##n excess = (I##n)(I)(sizeof(S) * 8 - digits) - as_##I##n(leading_zeros(magnitude));             \
  const U##n lost = ((U##n)(U)1 << as_##U##n(__builtin_elementwise_max(excess, (I##n)(I)0))) - (U##n)(U)1; \
  const D##n toward_zero = WEFT_CONVERT(magnitude & ~lost, D, n);                                          \
  const B##n inexact = WEFT_MASK((magnitude & lost) != (U##n)(U)0, B, n);                                  \
  const B##n negative = WEFT_CONVERT(as_##I##n(sign), B, n);                                               \
  const B##n sign_bit = negative & (B##n)((B)1 << (sizeof(B) * 8 - 1));

#define ROUNDED_INTEGER(S, D, U, I, B, digits, n)                                                    \
  EXACT_NAMED(S, D, , n) EXACT_NAMED(S, D, _rte, n) WEFT_BUILTIN D##n convert_##D##n##_rtz(S##n x) { \
    INTEGER_PARTS(S, D, U, I, B, digits, n)                                                          \
    (void)inexact;                                                                                   \
    return as_##D##n(as_##B##n(toward_zero) | sign_bit);                                             \
  }                                                                                                  \
  WEFT_BUILTIN D##n convert_##D##n##_rtp(S##n x) {                                                   \
    INTEGER_PARTS(S, D, U, I, B, digits, n)                                                          \
    return as_##D##n((as_##B##n(toward_zero) - (inexact & ~negative)) | sign_bit);                   \
  }                                                                                                  \
  WEFT_BUILTIN D##n convert_##D##n##_rtn(S##n x) {                                                   \
    INTEGER_PARTS(S, D, U, I, B, digits, n)                                                          \
    return as_##D##n((as_##B##n(toward_zero) - (inexact & negative)) | sign_bit);                    \
  }

WEFT_HELPER uint leading_zeros(uint x) { return __builtin_clzg(x, 32); }
WEFT_HELPER ulong leading_zeros(ulong x) { return __builtin_clzg(x, 64); }
#define LEADING_ZEROS(T, n) \
  WEFT_HELPER T##n leading_zeros(T##n x) { return (T##n)(WEFT_MAP_##n(leading_zeros, x)); }
WEFT_VECTOR_WIDTHS(LEADING_ZEROS, uint)
WEFT_VECTOR_WIDTHS(LEADING_ZEROS, ulong)

WEFT_WIDTHS(EXACT, char, float)
WEFT_WIDTHS(EXACT, uchar, float)
WEFT_WIDTHS(EXACT, short, float)
WEFT_WIDTHS(EXACT, ushort, float)
WEFT_WIDTHS(ROUNDED_INTEGER, int, float, uint, int, int, 24)
WEFT_WIDTHS(ROUNDED_INTEGER, uint, float, uint, int, int, 24)
WEFT_WIDTHS(ROUNDED_INTEGER, long, float, ulong, long, int, 24)
WEFT_WIDTHS(ROUNDED_INTEGER, ulong, float, ulong, long, int, 24)
WEFT_WIDTHS(EXACT, half, float)
WEFT_WIDTHS(EXACT, float, float)
WEFT_WIDTHS(NARROW, double)

WEFT_WIDTHS(EXACT, char, double)
WEFT_WIDTHS(EXACT, uchar, double)
WEFT_WIDTHS(EXACT, short, double)
WEFT_WIDTHS(EXACT, ushort, double)
WEFT_WIDTHS(EXACT, int, double)
WEFT_WIDTHS(EXACT, uint, double)
WEFT_WIDTHS(ROUNDED_INTEGER, long, double, ulong, long, long, 53)
WEFT_WIDTHS(ROUNDED_INTEGER, ulong, double, ulong, long, long, 53)
WEFT_WIDTHS(EXACT, half, double)
WEFT_WIDTHS(EXACT, float, double)
WEFT_WIDTHS(EXACT, double, double)
