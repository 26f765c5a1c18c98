// Conversions between integer types (OpenCL C 3.0 §6.4.3.1, §6.4.3.3). A rounding mode changes nothing.
#include "conversions.h"

// Saturation clamps in the source's type, to the part of its range that the target has: a bound that is the
// type's own folds away.
#define LOW(S, D) \
  ((S)MIN_##S < (S)0 && (D)MIN_##D < (D)0 ? ((long)MIN_##S > (long)MIN_##D ? (S)MIN_##S : (S)MIN_##D) : (S)0)
#define HIGH(S, D) ((ulong)MAX_##S < (ulong)MAX_##D ? (S)MAX_##S : (S)MAX_##D)

#define CONVERSIONS_NAMED(S, D, mode, n)                                           \
  WEFT_BUILTIN D##n convert_##D##n##mode(S##n x) { return WEFT_CONVERT(x, D, n); } \
  WEFT_BUILTIN D##n convert_##D##n##_sat##mode(S##n x) {                           \
    const S##n raised = __builtin_elementwise_max(x, (S##n)LOW(S, D));             \
    const S##n cut = __builtin_elementwise_min(raised, (S##n)HIGH(S, D));          \
    return WEFT_CONVERT(cut, D, n);                                                \
  }
#define CONVERSION(S, D, n)                                                                          \
  CONVERSIONS_NAMED(S, D, , n)                                                                       \
  CONVERSIONS_NAMED(S, D, _rte, n) CONVERSIONS_NAMED(S, D, _rtz, n) CONVERSIONS_NAMED(S, D, _rtp, n) \
      CONVERSIONS_NAMED(S, D, _rtn, n)
#define FROM(S, D) WEFT_WIDTHS(CONVERSION, S, D)
#define TO(D)   \
  FROM(char, D) \
  FROM(uchar, D) FROM(short, D) FROM(ushort, D) FROM(int, D) FROM(uint, D) FROM(long, D) FROM(ulong, D)
TO(char)
TO(uchar)
TO(short)
TO(ushort)
TO(int)
TO(uint)
TO(long)
TO(ulong)
