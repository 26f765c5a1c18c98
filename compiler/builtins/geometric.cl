// Geometric functions (OpenCL C 3.0 §6.15.5).
//
// length, distance and normalize must not overflow or lose small vectors in the squares: the components are
// first scaled by a power of two, chosen by their greatest magnitude. The fast_ forms are the plain formulas.
#include "builtins.h"

#define DOT_(p, q) (p * q)
#define DOT_2(p, q) weft_mad(p.s0, q.s0, p.s1* q.s1)
#define DOT_3(p, q) weft_mad(p.s2, q.s2, DOT_2(p, q))
#define DOT_4(p, q) weft_mad(p.s3, q.s3, DOT_3(p, q))

#define GREATER(a, b) ((a) < (b) ? (b) : (a))
#define GREATEST_2(m) GREATER(m.s0, m.s1)
#define GREATEST_3(m) GREATER(GREATEST_2(m), m.s2)
#define GREATEST_4(m) GREATER(GREATEST_3(m), m.s3)

// The scale of a vector whose greatest magnitude is `greatest`: 1 where squares neither overflow nor
// underflow.
WEFT_HELPER float scale_of(float greatest) {
  const float up = greatest < 0x1p-50f ? 0x1p+90f : 1.0f;
  return greatest > 0x1p+60f ? 0x1p-70f : up;
}
WEFT_HELPER float unscale_of(float greatest) {
  const float down = greatest < 0x1p-50f ? 0x1p-90f : 1.0f;
  return greatest > 0x1p+60f ? 0x1p+70f : down;
}
WEFT_HELPER double scale_of(double greatest) {
  const double up = greatest < 0x1p-450 ? 0x1p+600 : 1.0;
  return greatest > 0x1p+500 ? 0x1p-530 : up;
}
WEFT_HELPER double unscale_of(double greatest) {
  const double down = greatest < 0x1p-450 ? 0x1p-600 : 1.0;
  return greatest > 0x1p+500 ? 0x1p+530 : down;
}

// The scalar forms of length and distance are exact magnitudes.
#define SCALAR(T)                                                                \
  WEFT_BUILTIN T dot(T x, T y) { return x * y; }                                 \
  WEFT_BUILTIN T length(T x) { return __builtin_elementwise_abs(x); }            \
  WEFT_BUILTIN T distance(T x, T y) { return __builtin_elementwise_abs(x - y); } \
  WEFT_BUILTIN T normalize(T x) {                                                \
    /* Zero and NaN stay. */                                                     \
    const T unit = __builtin_elementwise_copysign((T)1, x);                      \
    return (x < 0 || x > 0) ? unit : x;                                          \
  }
SCALAR(float)
SCALAR(double)

#define VECTOR(T, n)                                                                               \
  WEFT_BUILTIN T dot(T##n x, T##n y) { return DOT_##n(x, y); }                                     \
  WEFT_BUILTIN T length(T##n x) {                                                                  \
    const T##n magnitude = __builtin_elementwise_abs(x);                                           \
    const T greatest = GREATEST_##n(magnitude);                                                    \
    const T##n scaled = x * scale_of(greatest);                                                    \
    return __builtin_elementwise_sqrt(DOT_##n(scaled, scaled)) * unscale_of(greatest);             \
  }                                                                                                \
  WEFT_BUILTIN T distance(T##n x, T##n y) {                                                        \
    const T##n difference = x - y, magnitude = __builtin_elementwise_abs(difference);              \
    const T greatest = GREATEST_##n(magnitude);                                                    \
    const T##n scaled = difference * scale_of(greatest);                                           \
    return __builtin_elementwise_sqrt(DOT_##n(scaled, scaled)) * unscale_of(greatest);             \
  }                                                                                                \
  WEFT_BUILTIN T##n normalize(T##n x) {                                                            \
    const T##n magnitude = __builtin_elementwise_abs(x);                                           \
    const T greatest = GREATEST_##n(magnitude);                                                    \
    /* Beside an infinite component, finite ones become zero and infinite ones one. Zero stays. */ \
    const bool infinite = greatest == (T)INFINITY;                                                 \
    const T scale = infinite ? (T)0 : scale_of(greatest);                                          \
    const T##n unit = __builtin_elementwise_copysign((T##n)(T)1, x);                               \
    const T##n scaled = magnitude == (T##n)(T)INFINITY ? unit : x * scale;                         \
    const T squares = DOT_##n(scaled, scaled);                                                     \
    const T divisor = squares == (T)0 ? (T)1 : __builtin_elementwise_sqrt(squares);                \
    /* Scaled down, a small component would lose its bits: the quotient takes a quarter of x. */   \
    const bool down = scale < (T)1 && !infinite;                                                   \
    const T##n dividend = down ? x * (T)0.25 : scaled;                                             \
    return dividend / (down ? divisor * ((T)0.25 * unscale_of(greatest)) : divisor);               \
  }
VECTOR(float, 2)
VECTOR(float, 3)
VECTOR(float, 4)
VECTOR(double, 2)
VECTOR(double, 3)
VECTOR(double, 4)

// Products of differences cancel: each is computed as one rounded product and one fused step.
#define CROSS(T)                                                                    \
  WEFT_BUILTIN T##3 cross(T##3 x, T##3 y) {                                         \
    return __builtin_elementwise_fma(x.yzx, y.zxy, -(x.zxy * y.yzx));               \
  }                                                                                 \
  WEFT_BUILTIN T##4 cross(T##4 x, T##4 y) {                                         \
    const T##3 product = __builtin_elementwise_fma(x.yzx, y.zxy, -(x.zxy * y.yzx)); \
    return (T##4)(product, 0);                                                      \
  }
CROSS(float)
CROSS(double)

// Primitives, which the warp compiler makes of what the processor has.
__attribute__((const)) float __weft_rsqrt_normal_f32(float x);
__attribute__((const)) float __weft_float_root_f32(float x);

// The squares of zero, and of what is next to nothing beside 1, do not make an infinite factor. The same under -cl-fast-relaxed-math
// (linker/relaxed_math.h) for length, distance and normalize.
#define FAST(n, prefix)                                                                                \
  WEFT_BUILTIN float prefix##length(float##n x) { return __weft_float_root_f32(DOT_##n(x, x)); }       \
  WEFT_BUILTIN float prefix##distance(float##n x, float##n y) {                                        \
    const float##n difference = x - y;                                                                 \
    return __weft_float_root_f32(DOT_##n(difference, difference));                                     \
  }                                                                                                    \
  WEFT_BUILTIN float##n prefix##normalize(float##n x) {                                                \
    const float squares = DOT_##n(x, x);                                                               \
    return x * __weft_rsqrt_normal_f32(squares > 0x1p-126f ? squares : 0x1p-126f);                     \
  }
#define FAST_WIDTHS(prefix) FAST(, prefix) FAST(2, prefix) FAST(3, prefix) FAST(4, prefix)
FAST_WIDTHS(fast_)
FAST_WIDTHS(__weft_relaxed_)

// Of half, in float, which squares neither overflow nor underflow, and rounded once.
#define AS_FLOATS(x, n) WEFT_CONVERT(x, float, n)
#define HALF_FUNCTIONS(n)                                                                                 \
  WEFT_BUILTIN half dot(half##n x, half##n y) { return (half)dot(AS_FLOATS(x, n), AS_FLOATS(y, n)); }     \
  WEFT_BUILTIN half length(half##n x) { return (half)fast_length(AS_FLOATS(x, n)); }                      \
  WEFT_BUILTIN half distance(half##n x, half##n y) {                                                      \
    return (half)fast_distance(AS_FLOATS(x, n), AS_FLOATS(y, n));                                         \
  }                                                                                                       \
  WEFT_BUILTIN half##n normalize(half##n x) { return WEFT_CONVERT(normalize(AS_FLOATS(x, n)), half, n); }
HALF_FUNCTIONS()
HALF_FUNCTIONS(2)
HALF_FUNCTIONS(3)
HALF_FUNCTIONS(4)
WEFT_BUILTIN half3 cross(half3 x, half3 y) { return WEFT_CONVERT(cross(AS_FLOATS(x, 3), AS_FLOATS(y, 3)), half, 3); }
WEFT_BUILTIN half4 cross(half4 x, half4 y) { return WEFT_CONVERT(cross(AS_FLOATS(x, 4), AS_FLOATS(y, 4)), half, 4); }
