// Hyperbolic functions and their inverses (OpenCL C 3.0 §6.15.2).
#ifndef T
#define WEFT_BODY "math_hyperbolic.cl"
#include "math_each_type.h"
#else

// Up to it e^x is far from infinite.
#define HYPERBOLIC_LARGE PICK(80.0f, 700.0)
#define LOG_2 LN2_HI

WEFT_OVERLOAD T sinh(T x) {
  const T a = ABS(x);
  const T e = weft_expm1(a > HYPERBOLIC_LARGE ? HYPERBOLIC_LARGE : a);
  const T near = C(0.5) * (e + e / (e + C(1.0)));
  const T far = weft_exp_half(a);
  const T y = a > HYPERBOLIC_LARGE ? far : near;
  return COPYSIGN(x != x ? x : y, x);
}

WEFT_OVERLOAD T cosh(T x) {
  const T a = ABS(x);
  // e^(a - log 2): finite wherever the result is.
  const T e = weft_exp_half(a);
  const T y = e + C(0.25) / e;
  return x != x ? x : y;
}

WEFT_OVERLOAD T tanh(T x) {
  const T a = ABS(x);
  const T e = weft_expm1(C(2.0) * (a > C(30.0) ? C(30.0) : a));
  const T y = COPYSIGN(e / (e + C(2.0)), x);
  return a < TINY ? x : y;
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
  return COPYSIGN(a < TINY ? a : y, x);
}

#endif
