// Conversions of half, float and double to integers (OpenCL C 3.0 §6.4.3.2, §6.4.3.3). Without a mode: toward zero.
#include "conversions.h"

#define ROUND(x) (x)  // the conversion itself is toward zero
#define ROUND_rtz(x) (x)
#define ROUND_rte(x) __builtin_elementwise_roundeven(x)
#define ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define ROUND_rtn(x) __builtin_elementwise_floor(x)

#define PLAIN(S, D, mode, n) \
  WEFT_BUILTIN D##n convert_##D##n##mode(S##n x) { return WEFT_CONVERT(ROUND##mode(x), D, n); }

// Saturation to a type all of whose values S has: clamp, then convert. Of NaN the comparison with the lower
// bound makes that bound, which is right (0) if the target is unsigned.
#define SAT_EXACT(S, D, mode, n)                                                 \
  WEFT_BUILTIN D##n convert_##D##n##_sat##mode(S##n x) {                         \
    const S##n rounded = ROUND##mode(x);                                         \
    const S##n raised = rounded > (S##n)(S)MIN_##D ? rounded : (S##n)(S)MIN_##D; \
    const S##n cut = raised < (S##n)(S)MAX_##D ? raised : (S##n)(S)MAX_##D;      \
    const D##n value = WEFT_CONVERT(cut, D, n);                                  \
    return MIN_##D == 0 ? value : (D##n)(value & ~WEFT_MASK(x != x, D, n));      \
  }

// Saturation to a type whose greatest value S has not: its successor, a power of two, is the first too great.
#define SAT_WIDE(S, D, mode, n)                                                  \
  WEFT_BUILTIN D##n convert_##D##n##_sat##mode(S##n x) {                         \
    const S##n rounded = ROUND##mode(x);                                         \
    const S##n raised = rounded > (S##n)(S)MIN_##D ? rounded : (S##n)(S)MIN_##D; \
    const S##n successor = (S##n)((S)(MAX_##D / 2 + 1) * (S)2);                  \
    const D##n too_great = WEFT_MASK(raised >= successor, D, n);                 \
    const S##n cut = raised < successor ? raised : (S##n)(S)0;                   \
    const D##n value = WEFT_CONVERT(cut, D, n) | (too_great & (D##n)MAX_##D);    \
    return MIN_##D == 0 ? value : (D##n)(value & ~WEFT_MASK(x != x, D, n));      \
  }

#define CONVERSIONS_NAMED(S, D, SAT, mode, n) PLAIN(S, D, mode, n) SAT(S, D, mode, n)
#define CONVERSION(S, D, SAT, n)                                              \
  CONVERSIONS_NAMED(S, D, SAT, , n)                                           \
  CONVERSIONS_NAMED(S, D, SAT, _rte, n) CONVERSIONS_NAMED(S, D, SAT, _rtz, n) \
      CONVERSIONS_NAMED(S, D, SAT, _rtp, n) CONVERSIONS_NAMED(S, D, SAT, _rtn, n)

WEFT_WIDTHS(CONVERSION, float, char, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, float, uchar, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, float, short, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, float, ushort, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, float, int, SAT_WIDE)
WEFT_WIDTHS(CONVERSION, float, uint, SAT_WIDE)
WEFT_WIDTHS(CONVERSION, float, long, SAT_WIDE)
WEFT_WIDTHS(CONVERSION, float, ulong, SAT_WIDE)
WEFT_WIDTHS(CONVERSION, double, char, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, double, uchar, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, double, short, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, double, ushort, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, double, int, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, double, uint, SAT_EXACT)
WEFT_WIDTHS(CONVERSION, double, long, SAT_WIDE)
WEFT_WIDTHS(CONVERSION, double, ulong, SAT_WIDE)

// Of half: float has its values, and the integers' bounds.
#define HALF_NAMED(D, mode, n)                                                                                    \
  WEFT_BUILTIN D##n convert_##D##n##mode(half##n x) { return convert_##D##n##mode(WEFT_CONVERT(x, float, n)); }   \
  WEFT_BUILTIN D##n convert_##D##n##_sat##mode(half##n x) {                                                       \
    return convert_##D##n##_sat##mode(WEFT_CONVERT(x, float, n));                                                 \
  }
#define HALF(D, n) \
  HALF_NAMED(D, , n) HALF_NAMED(D, _rte, n) HALF_NAMED(D, _rtz, n) HALF_NAMED(D, _rtp, n) HALF_NAMED(D, _rtn, n)
#define FROM_HALF(D, U, I, bits) WEFT_WIDTHS(HALF, D)
WEFT_INTEGER_TYPES(FROM_HALF)
