// The gamma function and its logarithm (OpenCL C 3.0 §6.15.2): tgamma, lgamma, lgamma_r.
// Computed in double for both types: too rare to be worth more.
#ifndef T
#define WEFT_BODY "math_gamma.cl"
#include "math_each_type.h"
#else
#if WEFT_DOUBLE

#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1
#define HALF_LOG_2PI_LO -0x1.65b5a1b7ff5dfp-55

/// sin(pi x).
WEFT_CORE double weft_sin_pi(double x) {
  const double y = FMA(-2.0, RINT(x * 0.5), x), t = FMA(2.0, y, MAGIC), fraction = FMA(-0.5, t - MAGIC, y);
  return weft_sin_of(as_ulong(t), FMA(fraction, PI_HI, fraction * PI_LO), 0);
}

/// Hands the halves of two roundings on: *a + *b as a sum and its error, |a| >= |b|.
WEFT_CORE void weft_sum(double* a, double* b) {
  const double s = *a + *b;
  *b = (*a - s) + *b;
  *a = s;
}

WEFT_CORE double weft_tgamma(double x) {
  // gamma(x) = -pi / (x sin(pi x) gamma(-x))
  const bool reflect = x < -0.5;
  double z = reflect ? -x : x;
  z = z > 200.0 ? 200.0 : z;
  // gamma(z) = gamma(w) / (z (z + 1) ... (w - 1)), w = z + k >= 7.5; w's rounding error goes with it.
  const double steps = 8.0 - FLOOR(z), k = steps > 8.0 ? 8.0 : (steps > 0.0 ? steps : 0.0);
  double product = 1.0;
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; ++i) product *= i < k ? z + i : 1.0;
  const double w = z + k, v = w - z, w_lo = (z - (w - v)) + (k - v);
  // log(gamma(w)) by Stirling's series, doubled.
  double hi, lo;
  weft_log_extended(w, &hi, &lo);
  const double c = w - 0.5, inverse = 1.0 / w;
  double a = c * hi, rest = FMA(c, hi, -a) + FMA(c, lo, w_lo * hi);
  double b = -w;
  weft_sum(&a, &b);
  rest += b + HALF_LOG_2PI_LO;
  b = HALF_LOG_2PI;
  weft_sum(&a, &b);
  rest += b;
  b = weft_poly_stirling(inverse * inverse) * inverse;
  weft_sum(&a, &b);
  rest += b;
  const double sine = weft_sin_pi(x);
  const double numerator = reflect ? 0x1.921fb54442d18p+1 * product : 1.0;
  const double denominator = reflect ? -x * sine : product;
  // 2^n last: gamma(w) may overflow where the reflected value is finite.
  double head, p, n;
  ulong u;
  weft_exp_parts(reflect ? -a : a, reflect ? -rest : rest, &head, &p, &n, &u);
  const double quotient = numerator / denominator;
  double y = weft_scale(quotient * MAD(head, p, head), n, u);
  y = x == 0.0 ? COPYSIGN((double)INFINITY, x) : y;
  y = x == (double)INFINITY ? x : y;
  const bool pole = reflect & (TRUNC(x) == x);
  return pole ? (double)NAN : y;
}

/// log(|gamma(x)|).
WEFT_CORE double weft_lgamma(double x) {
  const double z = ABS(x);
  // Below 8: from gamma(2 + t), |t| <= 1/2, by a product.
  const double n = RINT(z), t = z - n;
  double product = n < 2.0 ? (n < 1.0 ? z * (z + 1.0) : z) : 1.0;
#pragma clang loop unroll(full)
  for (int i = 2; i < 8; ++i) product *= i < n ? t + i : 1.0;
  const bool near = z < 8.0;
  const double l = weft_log(near ? product : z);
  const double small = FMA(t, weft_poly_lgamma2(t), n < 2.0 ? -l : l);
  const double inverse = 1.0 / z;
  const double large =
      FMA(z - 0.5, l - 1.0, (HALF_LOG_2PI - 0.5) + weft_poly_stirling(inverse * inverse) * inverse);
  double y = near ? small : large;
  if (x < -0x1p-70) {
    const double sine = ABS(weft_sin_pi(x));
    y = 0x1.250d048e7a1bdp+0 - weft_log(z * sine) - y;
    y = sine == 0.0 ? (double)INFINITY : y;
  }
  return z == (double)INFINITY ? z : y;
}

WEFT_CORE int weft_gamma_sign(double x) {
  const bool negative = (x < 0.0) & weft_is_odd(FLOOR(x));
  return (negative | (as_long(x) == as_long(-0.0))) ? -1 : 1;
}

#endif

WEFT_OVERLOAD T tgamma(T x) { return (T)weft_tgamma((double)x); }
WEFT_OVERLOAD T lgamma(T x) { return (T)weft_lgamma((double)x); }

#define LGAMMA_R(space)                            \
  WEFT_OVERLOAD T lgamma_r(T x, space int* sign) { \
    *sign = weft_gamma_sign((double)x);            \
    return (T)weft_lgamma((double)x);              \
  }
LGAMMA_R(__private)
LGAMMA_R(__local)
LGAMMA_R(__generic)
LGAMMA_R(__global)

#endif
