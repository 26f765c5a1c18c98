// half_* and native_* functions (OpenCL C 3.0 §6.15.2) and those of relaxed math, float alone.
//
// half_* are the full functions under their names, but for denormals. native_* leave out what costs: denormals, infinities and NaN, arguments beyond 2^20
// of the trigonometric functions; they are what relaxed math makes of the others.
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
HALF_OF(sin)
HALF_OF(sqrt)
HALF_OF(tan)
WEFT_OVERLOAD float half_rsqrt(float x) { return __weft_rsqrt_normal_f32(x); }
WEFT_OVERLOAD float powr(float, float);
WEFT_OVERLOAD float half_powr(float x, float y) { return powr(x, y); }
WEFT_OVERLOAD float half_divide(float x, float y) { return x / y; }
WEFT_OVERLOAD float half_recip(float x) { return 1.0f / x; }

// What stands in place of the functions under -cl-fast-relaxed-math (linker/relaxed_math.h), within OpenCL C 3.0 §7.4, "with unsafe math
// optimizations", for finite arguments: 8192 ulp are more than any of these needs. Denormals may be 0.

/// 2^x.
WEFT_CORE float weft_relaxed_exp2(float x) {
  const float r = __weft_float_rest_f32(x);
  return __weft_float_raise_f32(MAD(r, weft_poly_relaxed_exp2(r), 1.0f), x);
}

/// log2(x); -infinity of 0.
WEFT_CORE float weft_relaxed_log2(float x) {
  const float f = __weft_float_significand_f32(x) - 1.0f;
  return MAD(f, weft_poly_relaxed_log2(f), __weft_float_binade_f32(x));
}

/// x^y for x >= 0; 0^0 is 1.
WEFT_CORE float weft_relaxed_powr(float x, float y) {
  const float l = weft_relaxed_log2(x);
  return weft_relaxed_exp2(y * (-0x1p100f > l ? -0x1p100f : l));
}

WEFT_CORE float weft_with_sign(float r, uint sign) { return as_float(as_uint(r) ^ (sign & SIGN_BIT)); }

/// sin(n pi + r), |r| <= pi/2 or little more.
WEFT_CORE float weft_relaxed_sine(uint n, float r) {
  const float z = r * r;
  return weft_with_sign(MAD(r * z, weft_poly_relaxed_sin(z), r), n << 31);
}

/// x = n pi + *r; returns n, or its low bit alone.
WEFT_CORE uint weft_relaxed_reduce_sin(float x, float* r) {
  const float t = MAD(x, INV_PI_HI, MAGIC), n = t - MAGIC;
  *r = MAD(n, -PI_LO, FMA(n, -PI_HI, x));
  return as_uint(t);
}

/// x = (n - 1/2) pi + *r: cos(x) is sin(n pi + *r).
WEFT_CORE uint weft_relaxed_reduce_cos(float x, float* r) {
  const float t = MAD(x, INV_PI_HI, 0.5f) + MAGIC, n = (t - MAGIC) - 0.5f;
  *r = MAD(n, -PI_LO, FMA(n, -PI_HI, x));
  return as_uint(t);
}

/// Large arguments leave any rest: their sine is wrong, but a sine.
WEFT_CORE float weft_within_quarter(float r) {
  r = r < 1.5708f ? r : 1.5708f;
  return r > -1.5708f ? r : -1.5708f;
}

WEFT_CORE float weft_relaxed_sin(float x) {
  float r;
  const uint n = weft_relaxed_reduce_sin(x, &r);
  return weft_relaxed_sine(n, weft_within_quarter(r));
}

WEFT_CORE float weft_relaxed_cos(float x) {
  float r;
  const uint n = weft_relaxed_reduce_cos(x, &r);
  return weft_relaxed_sine(n, weft_within_quarter(r));
}

WEFT_CORE float weft_relaxed_tan(float x) {
  const float t = MAD(x, 2.0f * INV_PI_HI, MAGIC), n = t - MAGIC;
  const float r = MAD(n, -0.5f * PI_LO, FMA(n, -0.5f * PI_HI, x)), z = r * r;
  const float y = MAD(r * z, weft_poly_tan(z), r);
  return as_uint(t) & 1 ? -1.0f / y : y;
}

/// asin(a) or, where a > 1/2, pi/4 less half of it.
WEFT_CORE float weft_relaxed_asin_part(float a) {
  const float z_far = MAD(-0.5f, a, 0.5f);
  const bool far = a > 0.5f;
  const float z = far ? z_far : a * a, s = far ? __weft_float_root_f32(z_far) : a;
  return MAD(s * z, weft_poly_relaxed_asin(z), s);
}

/// atan(t), 0 <= t <= 1.
WEFT_CORE float weft_relaxed_atan_part(float t) {
  const float z = t * t;
  return MAD(t * z, weft_poly_relaxed_atan(z), t);
}

#define HALF_PI (0.5f * PI_HI)
#define RELAXED(name) WEFT_OVERLOAD float __weft_relaxed_##name

RELAXED(exp2)(float x) { return weft_relaxed_exp2(x); }
RELAXED(exp)(float x) { return weft_relaxed_exp2(x * LOG2E_HI); }
RELAXED(exp10)(float x) { return weft_relaxed_exp2(x * 0x1.a934fp+1f); }
RELAXED(log2)(float x) { return weft_relaxed_log2(x); }
RELAXED(log)(float x) { return weft_relaxed_log2(x) * LN2_HI; }
RELAXED(log10)(float x) { return weft_relaxed_log2(x) * LOG10_2_HI; }
RELAXED(powr)(float x, float y) { return weft_relaxed_powr(x, y); }
RELAXED(pow)(float x, float y) { return weft_with_sign(weft_relaxed_powr(ABS(x), y), weft_is_odd(y) ? as_uint(x) : 0); }
RELAXED(pown)(float x, int n) { return weft_with_sign(weft_relaxed_powr(ABS(x), (float)n), n & 1 ? as_uint(x) : 0); }
RELAXED(rootn)(float x, int n) { return weft_with_sign(weft_relaxed_powr(ABS(x), 1.0f / (float)n), n & 1 ? as_uint(x) : 0); }
RELAXED(sqrt)(float x) { return __weft_float_root_f32(x); }
RELAXED(rsqrt)(float x) { return __weft_rsqrt_normal_f32(x); }
RELAXED(sin)(float x) { return weft_relaxed_sin(x); }
RELAXED(cos)(float x) { return weft_relaxed_cos(x); }
RELAXED(tan)(float x) { return weft_relaxed_tan(x); }

#define RELAXED_SINCOS(space)                       \
  RELAXED(sincos)(float x, space float* cosine) {   \
    *cosine = weft_relaxed_cos(x);                  \
    return weft_relaxed_sin(x);                     \
  }
RELAXED_SINCOS(__private)
RELAXED_SINCOS(__local)
RELAXED_SINCOS(__generic)
RELAXED_SINCOS(__global)

RELAXED(tanh)(float x) {
  const float a = ABS(x);
  float lo;
  const float h = weft_expm1_half(2.0f * (a > 30.0f ? 30.0f : a), &lo);
  return COPYSIGN(h / (h + 1.0f), x);
}

RELAXED(asin)(float x) {
  const float a = ABS(x), y = weft_relaxed_asin_part(a);
  return COPYSIGN(a > 0.5f ? MAD(-2.0f, y, HALF_PI) : y, x);
}

RELAXED(acos)(float x) {
  const float a = ABS(x), y = weft_relaxed_asin_part(a), of_a = a > 0.5f ? y + y : HALF_PI - y;
  return x < 0.0f ? PI_HI - of_a : of_a;
}

RELAXED(atan)(float x) {
  const float a = ABS(x), inverse = 1.0f / a, y = weft_relaxed_atan_part(inverse < a ? inverse : a);
  return COPYSIGN(a > 1.0f ? HALF_PI - y : y, x);
}

RELAXED(atan2)(float y, float x) {
  const float ax = ABS(x), ay = ABS(y), low = ay > ax ? ax : ay, high = ay > ax ? ay : ax;
  const float octant = weft_relaxed_atan_part(low / (high > 0x1p-126f ? high : 0x1p-126f));
  const float quadrant = ay > ax ? HALF_PI - octant : octant;
  return COPYSIGN(x < 0.0f ? PI_HI - quadrant : quadrant, y);
}

WEFT_OVERLOAD float native_divide(float x, float y) { return __weft_has_tables() ? x * __weft_float_reciprocal_f32(y) : x / y; }
WEFT_OVERLOAD float native_recip(float x) { return __weft_float_reciprocal_f32(x); }
WEFT_OVERLOAD float native_sqrt(float x) { return __weft_float_root_f32(x); }
WEFT_OVERLOAD float native_rsqrt(float x) { return __weft_rsqrt_normal_f32(x); }
WEFT_OVERLOAD float native_exp2(float x) { return weft_relaxed_exp2(x); }
WEFT_OVERLOAD float native_exp(float x) { return weft_relaxed_exp2(x * LOG2E_HI); }
WEFT_OVERLOAD float native_exp10(float x) { return weft_relaxed_exp2(x * 0x1.a934fp+1f); }
WEFT_OVERLOAD float native_log2(float x) { return weft_relaxed_log2(x); }
WEFT_OVERLOAD float native_log(float x) { return weft_relaxed_log2(x) * LN2_HI; }
WEFT_OVERLOAD float native_log10(float x) { return weft_relaxed_log2(x) * LOG10_2_HI; }
WEFT_OVERLOAD float native_powr(float x, float y) { return weft_relaxed_powr(x, y); }
WEFT_OVERLOAD float native_sin(float x) { return weft_relaxed_sin(x); }
WEFT_OVERLOAD float native_cos(float x) { return weft_relaxed_cos(x); }
WEFT_OVERLOAD float native_tan(float x) { return weft_relaxed_tan(x); }

#endif
