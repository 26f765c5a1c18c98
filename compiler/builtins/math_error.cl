// Error functions (OpenCL C 3.0 §6.15.2): erf, erfc.
#ifndef T
#define WEFT_BODY "math_error.cl"
#include "math_each_type.h"
#else

/// erfc(a) for a >= 0 or NaN.
WEFT_CORE T weft_erfc_positive(T a) {
  const T limit = PICK(10.5f, 27.5);
  a = limit < a ? limit : a;
  const T v = C(4.0) / (a + C(4.0));
  const T factor = v * weft_poly_erfcx(FMA(C(-2.0), v, C(1.0)));
  const T square = a * a, rest = FMA(a, a, -square);
  T p;
  U u;
  weft_exp_parts(-square, -rest, &p, &u);
  return weft_scale(FMA(factor, p, factor), u);
}

WEFT_OVERLOAD T erf(T x) {
  const T a = ABS(x);
  const T near = FMA(x, weft_poly_erf(x * x), x);
#if WEFT_DOUBLE
  const T far = 1.0 - weft_erfc_positive(a);
#else
  const T b = 4.0f < a ? 4.0f : a;
  T p;
  U u;
  weft_exp_parts(b * weft_poly_erf_tail(b), 0.0f, &p, &u);
  const T power = weft_power_of_two(u - BIAS);
  const T far = 1.0f - FMA(p, power, power);
#endif
  return a < C(1.0) ? near : COPYSIGN(far, x);
}

WEFT_OVERLOAD T erfc(T x) {
  const T y = weft_erfc_positive(ABS(x));
  return x < C(0.0) ? C(2.0) - y : y;
}

#endif
