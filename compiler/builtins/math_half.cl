// The math functions of half (OpenCL C 3.0 §6.15.2, cl_khr_fp16): what is exact or one instruction, in half; all else in
// float, whose functions are right to 4 of its ulps, and rounded once. Sums, products, quotients and square roots that are
// rounded to float first are the correctly rounded ones: float has more than twice half's bits, and two.
#include "math.h"

#define UNARY(F)                \
  WEFT_OVERLOAD float F(float); \
  WEFT_OVERLOAD half F(half x) { return (half)F((float)x); }
UNARY(acos) UNARY(acosh) UNARY(acospi)
UNARY(asin) UNARY(asinh) UNARY(asinpi)
UNARY(atan) UNARY(atanh) UNARY(atanpi)
UNARY(cbrt)
UNARY(cos) UNARY(cosh) UNARY(cospi)
UNARY(erf) UNARY(erfc)
UNARY(exp) UNARY(exp2) UNARY(exp10) UNARY(expm1)
UNARY(lgamma) UNARY(tgamma)
UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(logb)
UNARY(round) UNARY(rsqrt)
UNARY(sin) UNARY(sinh) UNARY(sinpi)
UNARY(tan) UNARY(tanh) UNARY(tanpi)

// A remainder, too, is a half: a multiple of the smaller operand's last bit, and smaller than both.
#define BINARY(F)                      \
  WEFT_OVERLOAD float F(float, float); \
  WEFT_OVERLOAD half F(half x, half y) { return (half)F((float)x, (float)y); }
BINARY(atan2) BINARY(atan2pi) BINARY(fmod) BINARY(hypot) BINARY(pow) BINARY(powr) BINARY(remainder)

#define WITH_INT(F)                  \
  WEFT_OVERLOAD float F(float, int); \
  WEFT_OVERLOAD half F(half x, int n) { return (half)F((float)x, n); }
WITH_INT(ldexp) WITH_INT(pown) WITH_INT(rootn)

WEFT_OVERLOAD int ilogb(float);
WEFT_OVERLOAD int ilogb(half x) { return ilogb((float)x); }

WEFT_OVERLOAD half ceil(half x) { return CEIL(x); }
WEFT_OVERLOAD half floor(half x) { return FLOOR(x); }
WEFT_OVERLOAD half rint(half x) { return RINT(x); }
WEFT_OVERLOAD half trunc(half x) { return TRUNC(x); }
WEFT_OVERLOAD half sqrt(half x) { return SQRT(x); }
WEFT_OVERLOAD half fabs(half x) { return ABS(x); }
WEFT_OVERLOAD half copysign(half x, half y) { return COPYSIGN(x, y); }
WEFT_OVERLOAD half fdim(half x, half y) { return x <= y ? 0.0h : x - y; }
WEFT_OVERLOAD half fma(half a, half b, half c) { return FMA(a, b, c); }
WEFT_OVERLOAD half mad(half a, half b, half c) {
#pragma OPENCL FP_CONTRACT ON
  return a * b + c;
}
WEFT_OVERLOAD half fmax(half x, half y) { return __builtin_elementwise_max(x, y); }
WEFT_OVERLOAD half fmin(half x, half y) { return __builtin_elementwise_min(x, y); }
WEFT_OVERLOAD half maxmag(half x, half y) {
  const half from_y = ABS(y) > ABS(x) ? y : __builtin_elementwise_max(x, y);
  return ABS(x) > ABS(y) ? x : from_y;
}
WEFT_OVERLOAD half minmag(half x, half y) {
  const half from_y = ABS(y) < ABS(x) ? y : __builtin_elementwise_min(x, y);
  return ABS(x) < ABS(y) ? x : from_y;
}
WEFT_OVERLOAD half nan(ushort code) { return as_half((ushort)(0x7e00 | (code & 0x1ff))); }

WEFT_OVERLOAD half nextafter(half x, half y) {
  const short bits = as_short(x);
  const short step = (x < y) == (bits >= 0) ? 1 : -1;
  const half next = as_half((short)(bits + step));
  const half from_zero = as_half((ushort)((as_ushort(y) & 0x8000) | 1));
  const half r = x == 0.0h ? from_zero : next;
  return x == y ? y : (((x != x) | (y != y)) ? nan((ushort)0) : r);
}

#define WITH_POINTER(space)                                           \
  WEFT_OVERLOAD half frexp(half x, space int* e) {                    \
    int exponent;                                                     \
    const float m = frexp((float)x, &exponent);                       \
    *e = exponent;                                                    \
    return (half)m;                                                   \
  }                                                                   \
  WEFT_OVERLOAD half lgamma_r(half x, space int* sign) {              \
    int own;                                                          \
    const float y = lgamma_r((float)x, &own);                         \
    *sign = own;                                                      \
    return (half)y;                                                   \
  }                                                                   \
  WEFT_OVERLOAD half remquo(half x, half y, space int* quotient) {    \
    int q;                                                            \
    const float r = remquo((float)x, (float)y, &q);                   \
    *quotient = q;                                                    \
    return (half)r;                                                   \
  }                                                                   \
  WEFT_OVERLOAD half sincos(half x, space half* cosine) {             \
    float c;                                                          \
    const float s = sincos((float)x, &c);                             \
    *cosine = (half)c;                                                \
    return (half)s;                                                   \
  }                                                                   \
  WEFT_OVERLOAD half modf(half x, space half* whole) {                \
    *whole = TRUNC(x);                                                \
    const half rest = ABS(x) == (half)INFINITY ? 0.0h : x - TRUNC(x); \
    return COPYSIGN(rest, x);                                         \
  }                                                                   \
  WEFT_OVERLOAD half fract(half x, space half* whole) {               \
    *whole = FLOOR(x);                                                \
    const half rest = x - FLOOR(x), below_one = 0x1.ffcp-1h;          \
    const half limited = rest > below_one ? below_one : rest;         \
    return ABS(x) == (half)INFINITY ? COPYSIGN(0.0h, x) : limited;    \
  }
WEFT_OVERLOAD float frexp(float, __private int*);
WEFT_OVERLOAD float lgamma_r(float, __private int*);
WEFT_OVERLOAD float remquo(float, float, __private int*);
WEFT_OVERLOAD float sincos(float, __private float*);
WITH_POINTER(__private)
WITH_POINTER(__local)
WITH_POINTER(__generic)
WITH_POINTER(__global)
