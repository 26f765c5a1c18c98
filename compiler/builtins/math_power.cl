// Powers and roots (OpenCL C 3.0 §6.15.2): pow, pown, powr, rootn, sqrt, rsqrt, cbrt, hypot.
#ifndef T
#define WEFT_BODY "math_power.cl"
#include "math_each_type.h"
#else

/// x^(y + y_lo) for x > 0, finite.
WEFT_CORE T weft_pow_positive(T x, T y, T y_lo) {
  T hi, lo;
  weft_log_extended(x, &hi, &lo);
  const T p = y * hi;
  return weft_exp(p, FMA(y, hi, -p) + FMA(y, lo, y_lo * hi));
}

/// x^y for such an x.
WEFT_CORE T weft_pow_positive(T x, T y) {
  T hi, lo;
  weft_log_extended(x, &hi, &lo);
  const T p = y * hi;
  return weft_exp(p, MAD(y, lo, FMA(y, hi, -p)));
}

/// |x|^y where |x| is 0 or infinite too, from r = |x|^y elsewhere. y is not 0.
WEFT_CORE T weft_pow_extreme(T x, T y, T r) {
  const T a = ABS(x);
  const T limit = (a == C(0.0)) == (y > C(0.0)) ? C(0.0) : INF;
  return ((a == C(0.0)) | (a == INF)) ? limit : r;
}

/// |x|^y for y = n or 1 / n, odd or not, and x < 0 too.
WEFT_CORE T weft_pow_signed(T x, T y, T y_lo, bool odd) {
  T r = weft_pow_positive(ABS(x), y, y_lo);
  if (!((ABS(x) > C(0.0)) & (ABS(x) < INF))) r = weft_pow_extreme(x, y, r);
  return odd ? COPYSIGN(r, x) : r;
}

// Special values as in OpenCL C 3.0 §7.5.1, which takes them from C99 (§F.9.4.4). They cost more than the
// power: behind a branch.
WEFT_CORE T weft_pow_special(T x, T y, T r) {
  const T a = ABS(x);
  r = weft_pow_extreme(x, y, r);
  const T at_infinity = (a > C(1.0)) == (y > C(0.0)) ? INF : C(0.0);
  r = ABS(y) == INF ? (a == C(1.0) ? C(1.0) : at_infinity) : r;
  const bool integer = TRUNC(y) == y;
  r = (integer & weft_is_odd(y)) ? COPYSIGN(r, x) : r;
  r = ((x < C(0.0)) & (a < INF) & !integer) ? QNAN : r;
  r = ((x != x) | (y != y)) ? QNAN : r;
  return ((x == C(1.0)) | (y == C(0.0))) ? C(1.0) : r;
}

WEFT_OVERLOAD T pow(T x, T y) {
  T r = weft_pow_positive(ABS(x), y);
  if (!((x > C(0.0)) & (x < INF) & (ABS(y) < INF))) r = weft_pow_special(x, y, r);
  return r;
}

WEFT_CORE T weft_powr_special(T x, T y, T r) {
  r = weft_pow_extreme(x, y, r);
  const T at_infinity = (x > C(1.0)) == (y > C(0.0)) ? INF : C(0.0);
  r = ABS(y) == INF ? (x == C(1.0) ? QNAN : at_infinity) : r;
  const bool extreme = (x == C(0.0)) | (x == INF);
  r = y == C(0.0) ? (extreme ? QNAN : C(1.0)) : r;
  return ((x >= C(0.0)) & (y == y)) ? r : QNAN;
}

WEFT_OVERLOAD T powr(T x, T y) {
  T r = weft_pow_positive(ABS(x), y);
  if (!((x > C(0.0)) & (x < INF) & (ABS(y) < INF))) r = weft_powr_special(x, y, r);
  return r;
}

WEFT_CORE T weft_pown(T x, int n) {
#if WEFT_DOUBLE
  const T y = (T)n, y_lo = 0.0;
#else
  // An int takes two floats.
  const T rounded = (T)n, y = rounded > 0x1.fffffep30f ? 0x1.fffffep30f : rounded, y_lo = (T)(n - (int)y);
#endif
  const T r = weft_pow_signed(x, y, y_lo, n & 1);
  return n == 0 ? C(1.0) : (x != x ? QNAN : r);
}

// Small powers are products, of the reciprocal where n is negative: that of a denormal number overflows, and so does its power.
WEFT_OVERLOAD T pown(T x, int n) {
  const uint count = (uint)ABS(n);
  const T base = n < 0 ? C(1.0) / x : x, square = base * base, fourth = square * square;
  T r = count & 1 ? base : C(1.0);
  r = count & 2 ? r * square : r;
  r = count & 4 ? r * fourth : r;
  if (count > 7) r = weft_pown(x, n);
  return r;
}

WEFT_OVERLOAD T rootn(T x, int n) {
  const T divisor = (T)n, y = C(1.0) / divisor, y_lo = FMA(-divisor, y, C(1.0)) * y;
  const bool odd = n & 1;
  const T r = weft_pow_signed(x, y, y_lo, odd);
  return ((n == 0) | (x != x) | ((x < C(0.0)) & !odd)) ? QNAN : r;
}

WEFT_OVERLOAD T sqrt(T x) { return SQRT(x); }
WEFT_OVERLOAD T rsqrt(T x) { return PICK(__weft_rsqrt_f32, __weft_rsqrt_f64)(x); }

WEFT_OVERLOAD T cbrt(T x) {
  const bool small = ABS(x) < MIN_NORMAL;
  const T a = small ? ABS(x) * PICK(0x1p24f, 0x1p54) : ABS(x);
  // a^(-1/3), to 3.5%: the bits of a number are nearly its logarithm.
#if WEFT_DOUBLE
  const T upper = AS_T(AS_U(a) >> 32 | AS_U((T)BIG)) - BIG;
  const T t = AS_T(AS_U(MAD(upper, -0x1.5555555555555p-2, MAGIC + 1430186164.0)) << 32);
#else
  const T t = AS_T((int)((float)AS_I(a) * -0x1.555556p-2f) + 1419898955);
#endif
  const T s = t * weft_poly_cbrt(FMA(t * t, t * a, C(-1.0))), square = s * s, once = a * square;
  // One of Newton's steps, whose quotient s knows.
  const T r = FMA(FMA(-once * once, once, a), square * PICK(0x1.555556p-2f, 0x1.5555555555555p-2), once);
  const T y = COPYSIGN(small ? r * PICK(0x1p-8f, 0x1p-18) : r, x);
  return ABS(x) < INF ? y : x;
}

/// For a and b not negative, or NaN, of which one's square overflows or both have squares that are not normal.
WEFT_CORE T weft_hypot_scaled(T a, T b) {
  const T high = a > b ? a : b, low = a > b ? b : a;
  const bool large = high > C(1.0);
  const T scale = large ? PICK(0x1p-70f, 0x1p-600) : PICK(0x1p80f, 0x1p600), back = large ? PICK(0x1p70f, 0x1p600) : PICK(0x1p-80f, 0x1p-600);
  const T h = high * scale, l = low * scale;
  const T r = SQRT(MAD(h, h, l * l)) * back;
  return ((a == INF) | (b == INF)) ? INF : r;
}

WEFT_OVERLOAD T hypot(T x, T y) {
  const T a = ABS(x), b = ABS(y), high = a > b ? a : b, square = MAD(x, x, y * y);
#if WEFT_DOUBLE
  // Half the time of a root, and 3 ulp.
  T r = __weft_has_tables() ? (square > C(0.0) ? square * rsqrt(square) : square) : SQRT(square);
#else
  T r = SQRT(square);
#endif
  // Zeros are common, and right.
  if (!(high <= PICK(0x1p60f, 0x1p500)) | ((high < PICK(0x1p-60f, 0x1p-500)) & (high > C(0.0)))) r = weft_hypot_scaled(a, b);
  return r;
}

#endif
