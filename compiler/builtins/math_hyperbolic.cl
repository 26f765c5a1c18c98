// Hyperbolic functions and their inverses (OpenCL C 3.0 §6.15.2).
#ifndef T
#define WEFT_BODY "math_hyperbolic.cl"
#include "math_each_type.h"
#else

#define LOG_2 LN2_HI

WEFT_OVERLOAD T sinh(T x) {
  // sinh(n log(2)) cosh(r) + cosh(n log(2)) sinh(r), the latter two less 1 and r, since what is small is added last.
  // Halves: 2^n overflows before sinh does.
  const T a = ABS(x) > EXP_HIGH + C(0.6) ? EXP_HIGH + C(0.6) : ABS(x);
  const T t = MAD(a, LOG2E_HI, MAGIC), n = t - MAGIC, reduced = MAD(n, -LN2_SHORT, a);
  const T r = MAD(n, -LN2_REST, reduced), r_lo = MAD(n, -LN2_REST, reduced - r);
  const T power = weft_power_of_two(AS_U(t) - (AS_U((T)MAGIC) - BIAS + 2));
  const T inverse = weft_power_of_two((U)BIAS - 2 + AS_U((T)MAGIC) - AS_U(MAGIC + (n < C(64.0) ? n : C(64.0))));
  const T s = power - inverse, s_lo = (power - s) - inverse, c = power + inverse, z = r * r;
  const T rest = MAD(c, MAD(z * r, weft_poly_sinh(z), r_lo), MAD(s, z * weft_poly_cosh(z), s_lo));
  const T y = COPYSIGN(C(2.0) * (MAD(c, r, s) + rest), x);
  return ABS(x) < TINY ? x : y;
}

WEFT_OVERLOAD T cosh(T x) {
  const T a = ABS(x);
  // e^(a - log 2): finite wherever the result is.
  const T e = weft_exp_half(a);
  const T y = e + C(0.25) / e;
  return x != x ? x : y;
}

WEFT_OVERLOAD T tanh(T x) {
  // q = h / (1 + h), h = (e^2a - 1) / 2, corrected by what it leaves: h - q is exact up to h = 1, and beyond rounded to less than a last
  // place of q.
  T h_lo;
  const T a = ABS(x), h = weft_expm1_half(C(2.0) * (a > C(30.0) ? C(30.0) : a), &h_lo);
  const T inverse = C(1.0) / (h + C(1.0)), q = h * inverse;
  return COPYSIGN(FMA(FMA(h_lo, inverse, FMA(-q, h, h - q)), inverse, q), x);
}

WEFT_OVERLOAD T asinh(T x) {
  const T a = ABS(x);
  const bool large = a > PICK(0x1p30f, 0x1p60);
  // log(a + sqrt(a^2 + 1)) = log(1 + a + a^2 / (1 + sqrt(a^2 + 1)))
  const T square = a * a;
  const T near = a + square / (C(1.0) + SQRT(square + C(1.0)));
  const T y = weft_log1p(large ? a : near) + (large ? LOG_2 : C(0.0));
  return COPYSIGN(y, x);
}

WEFT_OVERLOAD T acosh(T x) {
  const bool large = x > PICK(0x1p30f, 0x1p60);
  const T t = x - C(1.0);
  const T near = t + SQRT(FMA(t, t, t + t));
  const T y = weft_log1p(large ? x : near) + (large ? LOG_2 : C(0.0));
  return x < C(1.0) ? QNAN : y;
}

WEFT_OVERLOAD T atanh(T x) {
  const T a = ABS(x);
  const T y = C(0.5) * weft_log1p(C(2.0) * a / (C(1.0) - a));
  return COPYSIGN(y, x);
}

#endif
