// Directed rounding of float and double to half.
//
// Rounding to nearest even is the hardware's float-to-half conversion. A double first becomes a float rounded
// to odd: an inexact one has its last bit set, so that the second rounding sees on which side the value is,
// and float's 24 bits are more than half's 11 + 2.
#pragma once

#include "rounding.h"

#define TO_ODD(T, n)                                                             \
  WEFT_HELPER float##n to_odd(float##n x) { return x; }                          \
  WEFT_HELPER float##n to_odd(double##n x) {                                     \
    const float##n near = WEFT_CONVERT(x, float, n);                             \
    const double##n back = WEFT_CONVERT(near, double, n);                        \
    const int##n toward_zero = WEFT_STEP_rtz(x, as_int##n(near), back, int, n);  \
    const int##n odd = toward_zero | (WEFT_MASK(back != x, int, n) & (int##n)1); \
    return as_float##n(odd);                                                     \
  }
WEFT_WIDTHS(TO_ODD, float)

#define TO_HALF(mode, n)                                                            \
  WEFT_HELPER short##n to_half_##mode(float##n x) {                                 \
    const half##n near = WEFT_CONVERT(x, half, n);                                  \
    const float##n back = WEFT_CONVERT(near, float, n);                             \
    const short##n bits = as_short##n(near);                                        \
    const short##n stepped = (short##n)(WEFT_STEP_##mode(x, bits, back, short, n)); \
    return stepped;                                                                 \
  }
WEFT_WIDTHS(TO_HALF, rte)
WEFT_WIDTHS(TO_HALF, rtz)
WEFT_WIDTHS(TO_HALF, rtp)
WEFT_WIDTHS(TO_HALF, rtn)
