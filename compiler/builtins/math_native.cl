// half_* and native_* functions (OpenCL C 3.0 §6.15.2), float alone.
//
// half_* are the full functions under their names. native_* leave out what costs: denormals, the far ends of
// the range, arguments beyond 2^20 of the trigonometric functions.
#define WEFT_BODY "math_native.cl"
#ifndef T
#include "math_each_type.h"
#elif !WEFT_DOUBLE

#define HALF_OF(name)              \
  WEFT_OVERLOAD float name(float); \
  WEFT_OVERLOAD float half_##name(float x) { return name(x); }
HALF_OF(cos)
HALF_OF(exp)
HALF_OF(exp2)
HALF_OF(exp10)
HALF_OF(log)
HALF_OF(log2)
HALF_OF(log10)
HALF_OF(rsqrt)
HALF_OF(sin)
HALF_OF(sqrt)
HALF_OF(tan)
WEFT_OVERLOAD float powr(float, float);
WEFT_OVERLOAD float half_powr(float x, float y) { return powr(x, y); }
WEFT_OVERLOAD float half_divide(float x, float y) { return x / y; }
WEFT_OVERLOAD float half_recip(float x) { return 1.0f / x; }

WEFT_OVERLOAD float native_divide(float x, float y) { return x / y; }
WEFT_OVERLOAD float native_recip(float x) { return 1.0f / x; }
WEFT_OVERLOAD float native_sqrt(float x) { return SQRT(x); }
// The processor's estimate and a step of Newton's.
WEFT_OVERLOAD float native_rsqrt(float x) {
#pragma clang fp reciprocal(on)
  return 1.0f / SQRT(x);
}

/// 2^x; below 2^-126 it stays there.
WEFT_CORE float weft_native_exp2(float x) {
  x = -126.0f > x ? -126.0f : x;
  const float r = __weft_float_rest_f32(x);
  return __weft_float_raise_f32(FMA(r, weft_poly_exp2_of_rest(r), 1.0f), x);
}

/// log2(x) for a normal x; some -127 for 0.
WEFT_CORE float weft_native_log2(float x) {
  const uint shifted = as_uint(x) - (as_uint(LOG_LOW) - (127u << 23)), biased = shifted >> 23;
  const float e = as_float(biased | as_uint(BIG)) - (BIG + 127.0f);
  const float f = as_float((shifted & 0x7fffff) + as_uint(LOG_LOW)) - 1.0f;
  return FMA(f, LOG2E_HI, FMA(weft_log_tail(f, -0.0f), LOG2E_HI, e));
}

WEFT_OVERLOAD float native_exp2(float x) { return weft_native_exp2(x); }
WEFT_OVERLOAD float native_exp(float x) { return weft_native_exp2(x * LOG2E_HI); }
WEFT_OVERLOAD float native_exp10(float x) { return weft_native_exp2(x * 0x1.a934fp+1f); }
WEFT_OVERLOAD float native_log2(float x) { return weft_native_log2(x); }
WEFT_OVERLOAD float native_log(float x) { return weft_native_log2(x) * LN2_HI; }
WEFT_OVERLOAD float native_log10(float x) { return weft_native_log2(x) * LOG10_2_HI; }
WEFT_OVERLOAD float native_powr(float x, float y) { return weft_native_exp2(y * weft_native_log2(x)); }

WEFT_CORE uint weft_native_reduce(float x, float* r) {
  const float t = FMA(x, 2.0f * INV_PI_HI, MAGIC), k = t - MAGIC;
  *r = FMA(k, -0.5f * PI_LO, FMA(k, -0.5f * PI_HI, x));
  return as_uint(t);
}

WEFT_OVERLOAD float native_sin(float x) {
  float r;
  const uint q = weft_native_reduce(x, &r);
  return weft_sin_of(q, r, 0);
}

WEFT_OVERLOAD float native_cos(float x) {
  float r;
  const uint q = weft_native_reduce(x, &r);
  return weft_sin_of(q + 1, r, 0);
}

WEFT_OVERLOAD float native_tan(float x) {
  float r;
  const uint q = weft_native_reduce(x, &r);
  const float s = weft_sin_quarter(r), c = weft_cos_quarter(r);
  return (q & 1 ? -c : s) / (q & 1 ? s : c);
}

#endif
