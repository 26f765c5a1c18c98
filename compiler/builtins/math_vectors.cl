// The vector forms of the math functions (OpenCL C 3.0 §6.15.2).
#include "math_vectors.h"

#define UNARY_OF(M, T)                                                                                    \
  M(T, acos, T)                                                                                           \
  M(T, acosh, T)                                                                                          \
  M(T, acospi, T)                                                                                         \
  M(T, asin, T) M(T, asinh, T) M(T, asinpi, T) M(T, atan, T) M(T, atanh, T) M(T, atanpi, T) M(T, cbrt, T) \
      M(T, cos, T) M(T, cosh, T) M(T, cospi, T) M(T, erf, T) M(T, erfc, T) M(T, exp, T) M(T, exp2, T)     \
          M(T, exp10, T) M(T, expm1, T) M(T, lgamma, T) M(T, log, T) M(T, log2, T) M(T, log10, T)         \
              M(T, log1p, T) M(T, logb, T) M(T, round, T) M(T, rsqrt, T) M(T, sin, T) M(T, sinh, T)       \
                  M(T, sinpi, T) M(T, tan, T) M(T, tanh, T) M(T, tanpi, T) M(T, tgamma, T)                \
                      M(int, ilogb, T)
UNARY_OF(WEFT_UNARY, half)
UNARY_OF(WEFT_UNARY, float)
UNARY_OF(WEFT_UNARY, double)
WEFT_UNARY(half, nan, ushort)
WEFT_UNARY(float, nan, uint)
WEFT_UNARY(double, nan, ulong)

#define BINARY_OF(M, T)                                                                                    \
  M(T, atan2, T, T)                                                                                        \
  M(T, atan2pi, T, T)                                                                                      \
  M(T, fdim, T, T) M(T, fmod, T, T) M(T, hypot, T, T) M(T, maxmag, T, T)                                   \
      M(T, minmag, T, T) M(T, nextafter, T, T) M(T, pow, T, T) M(T, powr, T, T) M(T, remainder, T, T)      \
          M(T, ldexp, T, int) M(T, pown, T, int) M(T, rootn, T, int)
BINARY_OF(WEFT_BINARY, half)
BINARY_OF(WEFT_BINARY, float)
BINARY_OF(WEFT_BINARY, double)

WEFT_BINARY_SCALAR(half, ldexp, half, int)
WEFT_BINARY_SCALAR(float, ldexp, float, int)
WEFT_BINARY_SCALAR(double, ldexp, double, int)

#define WHOLE_OF(T)                                                                                    \
  WEFT_WHOLE_UNARY(T, ceil, ceil)                                                                      \
  WEFT_WHOLE_UNARY(T, fabs, abs)                                                                       \
  WEFT_WHOLE_UNARY(T, floor, floor)                                                                    \
  WEFT_WHOLE_UNARY(T, rint, rint) WEFT_WHOLE_UNARY(T, sqrt, sqrt) WEFT_WHOLE_UNARY(T, trunc, trunc)    \
      WEFT_WHOLE_BINARY(T, copysign, copysign) WEFT_WHOLE_BINARY(T, fmax, max)                         \
          WEFT_WHOLE_BINARY(T, fmin, min) WEFT_WHOLE_BINARY_SCALAR(T, fmax, max)                       \
              WEFT_WHOLE_BINARY_SCALAR(T, fmin, min) WEFT_WHOLE_TERNARY(T, fma, fma)
WHOLE_OF(half)
WHOLE_OF(float)
WHOLE_OF(double)
WEFT_VECTOR_WIDTHS(WEFT_WHOLE_MAD, float, mad)
WEFT_VECTOR_WIDTHS(WEFT_WHOLE_MAD, double, mad)
WEFT_TERNARY(half, mad, half, half, half)

// T F(T, P *) and T F(T, T, P *): through a private variable a component, stored as one vector.
#define COMPONENT_P(F, c) r.c = F(x.c, &part), result.c = part;
#define COMPONENT_VP(F, c) r.c = F(x.c, y.c, &part), result.c = part;
#define VECTOR_P(n, T, F, P, space)              \
  WEFT_OVERLOAD T##n F(T##n x, space P##n* to) { \
    T##n r;                                      \
    P##n result;                                 \
    P part;                                      \
    WEFT_DO##n(COMPONENT_P, F)* to = result;     \
    return r;                                    \
  }
#define VECTOR_VP(n, T, F, P, space)                     \
  WEFT_OVERLOAD T##n F(T##n x, T##n y, space P##n* to) { \
    T##n r;                                              \
    P##n result;                                         \
    P part;                                              \
    WEFT_DO##n(COMPONENT_VP, F)* to = result;            \
    return r;                                            \
  }
#define POINTER(T, F, P)                           \
  WEFT_OVERLOAD T F(T, __private P*);              \
  WEFT_VECTOR_WIDTHS(VECTOR_P, T, F, P, __private) \
  WEFT_VECTOR_WIDTHS(VECTOR_P, T, F, P, __local)   \
  WEFT_VECTOR_WIDTHS(VECTOR_P, T, F, P, __global)  \
  WEFT_VECTOR_WIDTHS(VECTOR_P, T, F, P, __generic)
#define POINTER2(T, F, P)                           \
  WEFT_OVERLOAD T F(T, T, __private P*);            \
  WEFT_VECTOR_WIDTHS(VECTOR_VP, T, F, P, __private) \
  WEFT_VECTOR_WIDTHS(VECTOR_VP, T, F, P, __local)   \
  WEFT_VECTOR_WIDTHS(VECTOR_VP, T, F, P, __global)  \
  WEFT_VECTOR_WIDTHS(VECTOR_VP, T, F, P, __generic)
#define POINTERS_OF(T) \
  POINTER(T, fract, T) \
  POINTER(T, modf, T)  \
  POINTER(T, sincos, T) POINTER(T, frexp, int) POINTER(T, lgamma_r, int) POINTER2(T, remquo, int)
POINTERS_OF(half)
POINTERS_OF(float)
POINTERS_OF(double)

#define HALF_AND_NATIVE(M, prefix)                                                                    \
  M(float, prefix##_cos, float)                                                                       \
  M(float, prefix##_exp, float)                                                                       \
  M(float, prefix##_exp2, float)                                                                      \
  M(float, prefix##_exp10, float) M(float, prefix##_log, float) M(float, prefix##_log2, float)        \
      M(float, prefix##_log10, float) M(float, prefix##_recip, float) M(float, prefix##_rsqrt, float) \
          M(float, prefix##_sin, float) M(float, prefix##_sqrt, float) M(float, prefix##_tan, float)
HALF_AND_NATIVE(WEFT_UNARY, half)
HALF_AND_NATIVE(WEFT_UNARY, native)
#define RELAXED_UNARY(name) WEFT_UNARY(float, __weft_relaxed_##name, float)
RELAXED_UNARY(exp2)
RELAXED_UNARY(exp)
RELAXED_UNARY(exp10)
RELAXED_UNARY(log2)
RELAXED_UNARY(log)
RELAXED_UNARY(log10)
RELAXED_UNARY(rsqrt)
RELAXED_UNARY(sqrt)
RELAXED_UNARY(sin)
RELAXED_UNARY(cos)
RELAXED_UNARY(tan)
RELAXED_UNARY(tanh)
RELAXED_UNARY(asin)
RELAXED_UNARY(acos)
RELAXED_UNARY(atan)
WEFT_BINARY(float, __weft_relaxed_atan2, float, float)
WEFT_BINARY(float, __weft_relaxed_pow, float, float)
WEFT_BINARY(float, __weft_relaxed_powr, float, float)
WEFT_BINARY(float, __weft_relaxed_pown, float, int)
WEFT_BINARY(float, __weft_relaxed_rootn, float, int)
POINTER(float, __weft_relaxed_sincos, float)
WEFT_BINARY(float, half_divide, float, float)
WEFT_BINARY(float, half_powr, float, float)
WEFT_BINARY(float, native_divide, float, float)
WEFT_BINARY(float, native_powr, float, float)
