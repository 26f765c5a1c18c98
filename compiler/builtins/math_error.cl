// Error functions (OpenCL C 3.0 §6.15.2): erf, erfc.
#ifndef T
#define WEFT_BODY "math_error.cl"
#include "math_each_type.h"
#else

/// erfc(a) for a >= 0 or NaN.
WEFT_CORE T weft_erfc_positive(T a) {
  const T limit = PICK(10.5f, 27.5);
  a = limit < a ? limit : a;
  // v = 4 / (a + 4), doubled: near 0 the function falls faster than v resolves.
  const T d = a + C(4.0), d_lo = a - (d - C(4.0)), v = C(4.0) / d;
  const T v_lo = C(0.25) * v * FMA(-v, d_lo, FMA(-v, d, C(4.0)));
  T g;
#if WEFT_DOUBLE
  if (__weft_has_tables()) {
    const T t = MAD(v, 16.0, MAGIC);
    g = weft_pieces_erfcx(AS_U(t), FMA(t - MAGIC, -0.0625, v) + v_lo);
  } else
#endif
    g = weft_poly_erfcx(MAD(C(-2.0), v_lo, MAD(C(-2.0), v, C(1.0))));
  const T factor = MAD(v, g, v_lo * g);
  const T square = a * a, rest = FMA(a, a, -square);
  T head, p, n;
  U u;
  weft_exp_parts(-square, -rest, &head, &p, &n, &u);
  return weft_scale(MAD(factor * head, p, factor * head), n, u);
}

WEFT_OVERLOAD T erf(T x) {
  const T a = ABS(x);
#if WEFT_DOUBLE
  if (__weft_has_tables()) {
    const T b = 6.0 < a ? 6.0 : a, t = MAD(b, 0x1.47ae147ae147bp+1, MAGIC);
    return COPYSIGN(weft_pieces_erf(AS_U(t), FMA(t - MAGIC, -0x1.9p-2, b)), x);
  }
#endif
  const T near = MAD(x, weft_poly_erf(x * x), x);
#if WEFT_DOUBLE
  const T far = 1.0 - weft_erfc_positive(a);
#else
  const T b = 4.0f < a ? 4.0f : a;
  T head, p, n;
  U u;
  weft_exp_parts(b * weft_poly_erf_tail(b), -0.0f, &head, &p, &n, &u);
  const T power = weft_power_of_two(u - BIAS);
  const T far = 1.0f - MAD(head * p, power, head * power);
#endif
  return a < C(1.0) ? near : COPYSIGN(far, x);
}

WEFT_OVERLOAD T erfc(T x) {
  const T y = weft_erfc_positive(ABS(x));
  return x < C(0.0) ? C(2.0) - y : y;
}

#endif
