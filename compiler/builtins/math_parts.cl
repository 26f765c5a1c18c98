// Taking numbers apart and putting them together (OpenCL C 3.0 §6.15.2): fract, frexp, ilogb, ldexp, logb,
// modf, nextafter.
#ifndef T
#define WEFT_BODY "math_parts.cl"
#include "math_each_type.h"
#else

/// |x| = m 2^e, 1 <= m < 2, for a finite x that is not 0: m with x's sign is returned.
WEFT_CORE T weft_split(T x, int* e) {
  const bool denormal = ABS(x) < MIN_NORMAL;
  const U bits = AS_U(denormal ? x * BIG : x);
  *e = (int)(bits >> MANTISSA & (2 * BIAS + 1)) - (denormal ? BIAS + MANTISSA : BIAS);
  return AS_T((bits & (SIGN_BIT | (((U)1 << MANTISSA) - 1))) | (U)BIAS << MANTISSA);
}
WEFT_CORE bool weft_is_ordinary(T x) { return (x != C(0.0)) & (ABS(x) < INF); }

WEFT_OVERLOAD T ldexp(T x, int k) {
  int e;
  const T m = weft_split(x, &e);
  // e is small: the sum cannot overflow once k is limited.
  const int low = -5 * BIAS, high = 5 * BIAS;
  k = k < low ? low : (k > high ? high : k);
  e += k;
  e = e < -BIAS - MANTISSA - 2 ? -BIAS - MANTISSA - 2 : (e > BIAS + 1 ? BIAS + 1 : e);
  return weft_is_ordinary(x) ? weft_scale(m, (T)e, (U)(uint)(e + 2 * BIAS)) : x;
}

WEFT_OVERLOAD int ilogb(T x) {
  int e;
  weft_split(x, &e);
  return weft_is_ordinary(x) ? e : (x == C(0.0) ? FP_ILOGB0 : FP_ILOGBNAN);
}

WEFT_OVERLOAD T logb(T x) {
  int e;
  weft_split(x, &e);
  return weft_is_ordinary(x) ? (T)e : (x == C(0.0) ? -INF : x * x);
}

WEFT_OVERLOAD T nextafter(T x, T y) {
  const I bits = AS_I(x);
  const I step = (x < y) == (bits >= 0) ? 1 : -1;
  const T next = AS_T(bits + step);
  const T from_zero = AS_T((AS_U(y) & SIGN_BIT) | 1);
  const T r = x == C(0.0) ? from_zero : next;
  return x == y ? y : (((x != x) | (y != y)) ? QNAN : r);
}

WEFT_CORE T weft_frexp(T x, int* e) {
  int exponent;
  const T m = weft_split(x, &exponent) * C(0.5);
  *e = weft_is_ordinary(x) ? exponent + 1 : 0;
  return weft_is_ordinary(x) ? m : x;
}

WEFT_CORE T weft_modf(T x, T* whole) {
  *whole = TRUNC(x);
  const T rest = ABS(x) == INF ? C(0.0) : x - TRUNC(x);
  return COPYSIGN(rest, x);
}

WEFT_CORE T weft_fract(T x, T* whole) {
  *whole = FLOOR(x);
  const T rest = x - FLOOR(x), below_one = PICK(0x1.fffffep-1f, 0x1.fffffffffffffp-1);
  return ABS(x) == INF ? COPYSIGN(C(0.0), x) : (rest > below_one ? below_one : rest);
}

#define WITH_POINTER(space)                    \
  WEFT_OVERLOAD T frexp(T x, space int* e) {   \
    int exponent;                              \
    const T m = weft_frexp(x, &exponent);      \
    *e = exponent;                             \
    return m;                                  \
  }                                            \
  WEFT_OVERLOAD T modf(T x, space T* whole) {  \
    T w;                                       \
    const T rest = weft_modf(x, &w);           \
    *whole = w;                                \
    return rest;                               \
  }                                            \
  WEFT_OVERLOAD T fract(T x, space T* whole) { \
    T w;                                       \
    const T rest = weft_fract(x, &w);          \
    *whole = w;                                \
    return rest;                               \
  }
WITH_POINTER(__private)
WITH_POINTER(__local)
WITH_POINTER(__generic)
WITH_POINTER(__global)

#endif
