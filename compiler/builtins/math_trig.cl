// Trigonometric functions (OpenCL C 3.0 §6.15.2): sin, cos, tan, sincos, sinpi, cospi, tanpi.
#ifndef T
#define WEFT_BODY "math_trig.cl"
#include "math_each_type.h"
#else

/// |x| = q pi/2 + r, |r| <= pi/4 or little more: q modulo 4 in the low bits, and r's bits; r is NaN for infinity. Sine and cosine of one x compute it
/// once (simt/item/shared_results.h).
WEFT_SHARED PICK(uint2, ulong2) PICK(__weft_shared_trig_f32, __weft_shared_trig_f64)(T signed_x) {
  const T x = ABS(signed_x);
  const T t = MAD(x, C(2.0) * INV_PI_HI, MAGIC), k = t - MAGIC;
  T y = FMA(k, C(-0.5) * PI_HI, x);
  y = FMA(k, C(-0.5) * PI_LO, y);
  y = FMA(k, C(-0.5) * PI_REST, y);
  U q = AS_U(t);
  T lo;
  if (!(x <= TRIG_MEDIUM)) q = weft_trig_reduce_beyond(x, &y, &lo);
  return (PICK(uint2, ulong2))(q, AS_U(y));
}

WEFT_CORE U weft_trig_reduce(T x, T* r) {
  const PICK(uint2, ulong2) reduced = PICK(__weft_shared_trig_f32, __weft_shared_trig_f64)(x);
  *r = AS_T(reduced.y);
  return reduced.x;
}

WEFT_OVERLOAD T sin(T x) {
  T r;
  const U q = weft_trig_reduce(x, &r);
  return weft_sin_of(q, r, AS_U(x));
}

WEFT_OVERLOAD T cos(T x) {
  T r;
  const U q = weft_trig_reduce(x, &r);
  return weft_sin_of(q + 1, r, 0);
}

#define SINCOS(space)                            \
  WEFT_OVERLOAD T sincos(T x, space T* cosine) { \
    T r;                                         \
    const U q = weft_trig_reduce(x, &r);         \
    *cosine = weft_sin_of(q + 1, r, 0);          \
    return weft_sin_of(q, r, AS_U(x));           \
  }
SINCOS(__private)
SINCOS(__local)
SINCOS(__generic)
SINCOS(__global)

/// tan(q pi/2 + r + lo).
WEFT_CORE T weft_tan_of(U q, T r, T lo) {
  const T z = r * r, tail = r * z * weft_poly_tan(z), rounded = r + tail;
  // tan(r + lo) is tan(r) + lo (1 + tan(r)^2).
  const T y = r + FMA(lo, FMA(rounded, rounded, C(1.0)), tail);
  return q & 1 ? C(-1.0) / y : y;
}

WEFT_OVERLOAD T tan(T x) {
  T r, lo;
  const U q = weft_trig_reduce_extended(ABS(x), &r, &lo);
  return AS_T(AS_U(weft_tan_of(q, r, lo)) ^ (AS_U(x) & SIGN_BIT));
}

/// x = k/2 + (*r + *lo) / pi, |*r| <= pi/4; returns k modulo 4 in the low bits. NaN for infinities.
WEFT_CORE U weft_trig_pi_reduce(T x, T* r, T* lo) {
  const T y = FMA(C(-2.0), RINT(x * C(0.5)), x);  // in [-1, 1]
  const T t = FMA(C(2.0), y, MAGIC), fraction = FMA(C(-0.5), t - MAGIC, y);
  *r = FMA(fraction, PI_HI, fraction * PI_LO);
  *lo = FMA(fraction, PI_HI, -*r) + fraction * PI_LO;
  return AS_U(t);
}

/// sin(pi f), |f| <= 1/2.
WEFT_CORE T weft_sin_pi_half(T f) {
  const T z = f * f;
  return f * FMA(z, weft_poly_sin_pi(z), PI_HI);
}

/// x modulo 2, in [-1, 1]. NaN for infinities.
WEFT_CORE T weft_within_turn(T x) { return FMA(C(-2.0), RINT(x * C(0.5)), x); }

// The sign of a zero is x's for sinpi, + for cospi (OpenCL C 3.0 §7.5.1).
WEFT_OVERLOAD T sinpi(T x) {
  // Zeros of |x| are +0 up to here.
  const T y = weft_within_turn(ABS(x)), other = COPYSIGN(C(1.0), y) - y;
  return AS_T(AS_U(weft_sin_pi_half(ABS(y) > C(0.5) ? other : y)) ^ (AS_U(x) & SIGN_BIT));
}

// Of |x|, as sinpi has it: both of one x reduce it once.
WEFT_OVERLOAD T cospi(T x) { return weft_sin_pi_half(C(0.5) - ABS(weft_within_turn(ABS(x)))); }

// tanpi(n) is +0 for even n > 0 and odd n < 0, else -0; tanpi(n + 1/2) is +inf for even n, -inf for odd n.
WEFT_OVERLOAD T tanpi(T x) {
  T r, lo;
  const U q = weft_trig_pi_reduce(x, &r, &lo);
  const T y = weft_tan_of(q, r, lo);
  const T zero = AS_T((AS_U(x) ^ (q << (sizeof(T) * 8 - 2))) & SIGN_BIT);
  const T pole = AS_T((q << (sizeof(T) * 8 - 2) & SIGN_BIT) | AS_U(INF));
  const T special = q & 1 ? pole : zero;
  return r == C(0.0) ? special : y;
}

#endif
