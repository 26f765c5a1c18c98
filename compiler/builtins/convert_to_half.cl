// Conversions to half (OpenCL C 3.0 §6.4.3.2, cl_khr_fp16). Without a mode: to nearest even.
#include "half.h"

#define NEAREST_NAMED(S, mode, n) \
  WEFT_BUILTIN half##n convert_half##n##mode(S##n x) { return WEFT_CONVERT(x, half, n); }
#define DIRECTED(S, mode, wide, n) \
  WEFT_BUILTIN half##n convert_half##n##_##mode(S##n x) { return as_half##n(to_half_##mode(wide)); }
#define DIRECTED_ALL(S, wide, n) DIRECTED(S, rtz, wide, n) DIRECTED(S, rtp, wide, n) DIRECTED(S, rtn, wide, n)

// Of an integer, float has all bits, or it is beyond half's greatest number in every mode.
#define FROM_INTEGER(S, n) \
  NEAREST_NAMED(S, , n) NEAREST_NAMED(S, _rte, n) DIRECTED_ALL(S, WEFT_CONVERT(x, float, n), n)
#define FROM_FLOAT(S, n) NEAREST_NAMED(S, , n) NEAREST_NAMED(S, _rte, n) DIRECTED_ALL(S, to_odd(x), n)
#define FROM_HALF(S, n)    \
  NEAREST_NAMED(S, , n)    \
  NEAREST_NAMED(S, _rte, n) NEAREST_NAMED(S, _rtz, n) NEAREST_NAMED(S, _rtp, n) NEAREST_NAMED(S, _rtn, n)

#define INTEGERS(S, U, I, bits) WEFT_WIDTHS(FROM_INTEGER, S)
WEFT_INTEGER_TYPES(INTEGERS)
WEFT_WIDTHS(FROM_HALF, half)
WEFT_WIDTHS(FROM_FLOAT, float)
WEFT_WIDTHS(FROM_FLOAT, double)
