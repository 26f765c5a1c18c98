// Exponentials (OpenCL C 3.0 §6.15.2): exp, exp2, exp10, expm1.
#ifndef T
#define WEFT_BODY "math_exp.cl"
#include "math_each_type.h"
#else

WEFT_OVERLOAD T exp(T x) {
  T head, p, n;
  U u;
  weft_exp_parts(weft_limit(x, EXP_LOW, EXP_HIGH), C(-0.0), &head, &p, &n, &u);
  return weft_scale(MAD(head, p, head), n, u);
}

WEFT_OVERLOAD T exp2(T x) {
  x = weft_limit(x, PICK(-151.0f, -1076.0), PICK(129.0f, 1025.0));
#if WEFT_DOUBLE
  if (__weft_has_tables()) {
    U u;
    const T t = x + SIXTEENTHS_MAGIC, k = t - SIXTEENTHS_MAGIC, r = x - k, head = weft_exp_table(t, k, &u);
    return weft_scale(MAD(head * r, weft_poly_exp2_near(r), head), k, u);
  }
#endif
  const T t = x + SCALE_MAGIC, n = t - SCALE_MAGIC, r = x - n;
  return weft_scale(MAD(r, weft_poly_exp2(r), C(1.0)), n, AS_U(t));
}

WEFT_OVERLOAD T exp10(T x) {
  x = weft_limit(x, PICK(-46.0f, -324.5), PICK(39.0f, 309.0));
#if WEFT_DOUBLE
  if (__weft_has_tables()) {
    U u;
    const T t = MAD(x, 0x1.a934f0979a371p+1, SIXTEENTHS_MAGIC), k = t - SIXTEENTHS_MAGIC;
    const T r = MAD(k, -LOG10_2_REST, MAD(k, -LOG10_2_SHORT, x)), head = weft_exp_table(t, k, &u);
    return weft_scale(MAD(head * r, weft_poly_exp10_near(r), head), k, u);
  }
#endif
  const T t = MAD(x, PICK(0x1.a934fp+1f, 0x1.a934f0979a371p+1), SCALE_MAGIC), n = t - SCALE_MAGIC;
  // 10^x = 2^n e^(r ln 10), r = x - n log10(2)
  const T r = MAD(n, -LOG10_2_REST, MAD(n, -LOG10_2_SHORT, x));
  const T s =
      MAD(r, PICK(0x1.26bb1cp+1f, 0x1.26bb1bbb55516p+1), r * PICK(-0x1.12aabap-25f, -0x1.f48ad494ea3e9p-53));
  return weft_scale(MAD(s * s, weft_poly_exp(s), s) + C(1.0), n, AS_U(t));
}

WEFT_OVERLOAD T expm1(T x) { return weft_expm1(x); }

#endif
