// Rounding, comparing and fused operations (OpenCL C 3.0 §6.15.2): ceil, floor, rint, round, trunc, fabs,
// copysign, fdim, fma, mad, fmax, fmin, maxmag, minmag, nan.
#ifndef T
#define WEFT_BODY "math_rounding.cl"
#include "math_each_type.h"
#else

WEFT_OVERLOAD T ceil(T x) { return CEIL(x); }
WEFT_OVERLOAD T floor(T x) { return FLOOR(x); }
WEFT_OVERLOAD T rint(T x) { return RINT(x); }
WEFT_OVERLOAD T trunc(T x) { return TRUNC(x); }

WEFT_OVERLOAD T round(T x) {
  const T t = TRUNC(x);
  const T step = ABS(x - t) >= C(0.5) ? C(1.0) : C(0.0);
  return COPYSIGN(t + COPYSIGN(step, x), x);
}

WEFT_OVERLOAD T fabs(T x) { return ABS(x); }
WEFT_OVERLOAD T copysign(T x, T y) { return COPYSIGN(x, y); }
WEFT_OVERLOAD T fdim(T x, T y) { return x <= y ? C(0.0) : x - y; }
WEFT_OVERLOAD T fma(T a, T b, T c) { return FMA(a, b, c); }
WEFT_OVERLOAD T mad(T a, T b, T c) { return MAD(a, b, c); }

WEFT_OVERLOAD T fmax(T x, T y) { return __builtin_elementwise_max(x, y); }
WEFT_OVERLOAD T fmin(T x, T y) { return __builtin_elementwise_min(x, y); }

WEFT_OVERLOAD T maxmag(T x, T y) {
  const T larger = __builtin_elementwise_max(x, y);
  const T from_y = ABS(y) > ABS(x) ? y : larger;
  return ABS(x) > ABS(y) ? x : from_y;
}

WEFT_OVERLOAD T minmag(T x, T y) {
  const T smaller = __builtin_elementwise_min(x, y);
  const T from_y = ABS(y) < ABS(x) ? y : smaller;
  return ABS(x) < ABS(y) ? x : from_y;
}

WEFT_OVERLOAD T nan(U code) { return AS_T(AS_U(QNAN) | (code & (((U)1 << (MANTISSA - 1)) - 1))); }

#endif
