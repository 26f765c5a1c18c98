// Taking numbers apart and putting them together (OpenCL C 3.0 §6.15.2): fract, frexp, ilogb, ldexp, logb,
// modf, nextafter.
#ifndef T
#define WEFT_BODY "math_parts.cl"
#include "math_each_type.h"
#else

/// Of x >= 0: its exponent and its mantissa, 1 <= m < 2; something where x is 0, infinite or NaN.
WEFT_CORE T weft_octave(T x) { return PICK(__weft_float_octave_f32, __weft_float_octave_f64)(x); }
WEFT_CORE T weft_unit(T x) { return PICK(__weft_float_unit_f32, __weft_float_unit_f64)(x); }

WEFT_OVERLOAD T ldexp(T x, int k) { return PICK(__weft_float_ldexp_f32, __weft_float_ldexp_f64)(x, (T)k); }

WEFT_OVERLOAD T logb(T x) {
  return weft_log_ends(ABS(x), weft_octave(ABS(x)));
}

WEFT_OVERLOAD int ilogb(T x) {
  const T e = logb(x);
  return ABS(e) < INF ? (int)e : (e < C(0.0) ? FP_ILOGB0 : FP_ILOGBNAN);
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
  const T a = ABS(x);
  const bool is_ordinary = (a > C(0.0)) & (a < INF);
  *e = is_ordinary ? (int)weft_octave(a) + 1 : 0;
  return is_ordinary ? COPYSIGN(weft_unit(a) * C(0.5), x) : x;
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
