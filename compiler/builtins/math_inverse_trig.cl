// Inverse trigonometric functions (OpenCL C 3.0 §6.15.2): asin, acos, atan, atan2 and their pi forms.
#ifndef T
#define WEFT_BODY "math_inverse_trig.cl"
#include "math_each_type.h"
#else

#define HALF_PI_HI (C(0.5) * PI_HI)
#define HALF_PI_LO (C(0.5) * PI_LO)

/// For |x| <= 1/2 asin(|x|) = *y + *tail, else asin(|x|) = pi/2 - 2 (*y + *tail): the arcsine of sqrt((1 - |x|) / 2), twice. Returns
/// which. `exact`: with what the rounding of the root leaves out, which takes a division.
WEFT_CORE bool weft_asin_parts(T x, bool exact, T* y, T* tail) {
  const T a = ABS(x);
  const bool far = a > C(0.5);
  const T z_far = MAD(C(-0.5), a, C(0.5)), z = far ? z_far : a * a;
  const T root = SQRT(z_far), s = far ? root : a;
  *tail = s * z * weft_poly_asin(z);
  if (exact) *tail += (far & (root > C(0.0))) ? FMA(-root, root, z_far) * C(0.5) / root : C(0.0);
  *y = s;
  return far;
}

WEFT_CORE T weft_asin(T x) {
  T s, tail;
  const bool far = weft_asin_parts(x, false, &s, &tail);
  const T y = s + tail, complement = HALF_PI_HI - (y + y - HALF_PI_LO);
  return COPYSIGN(far ? complement : y, x);
}

/// To one ulp, half of what the above may be off.
WEFT_CORE T weft_asin_exact(T x) {
  T y, tail;
  const bool far = weft_asin_parts(x, true, &y, &tail);
  const T twice = y + y, rest = HALF_PI_HI - twice, left = (HALF_PI_HI - rest) - twice;
  const T complement = rest + (FMA(C(-2.0), tail, HALF_PI_LO) + left);
  return COPYSIGN(far ? complement : y + tail, x);
}

WEFT_CORE T weft_acos(T x) {
  T s, tail;
  const bool far = weft_asin_parts(x, false, &s, &tail);
  const T once = s + tail, y = far ? once + once : once;
  const bool negative = x < C(0.0);
  // Near: pi/2 -+ y. Far: y, or pi - y.
  const T near = HALF_PI_HI - ((negative ? -y : y) - HALF_PI_LO);
  const T other = PI_HI - (y - PI_LO);
  const T far_value = negative ? other : y;
  return far ? far_value : near;
}

/// atan(a / b), 0 <= a <= b, b > 0 or both 0.
WEFT_CORE T weft_atan_ratio(T a, T b) {
#if WEFT_DOUBLE
  // Beyond tan(pi/8): pi/4 + atan((a - b) / (a + b)). b is at most half the greatest, so that the sum is
  // finite.
  const bool upper = a > b * 0x1.a827999fcef32p-2;
  const T n = upper ? a - b : a, d = upper ? a + b : b;
  T t = n / d;
  t = b == C(0.0) ? C(0.0) : t;
  const T z = t * t, y = MAD(t * z, weft_poly_atan(z), t);
  const T shifted = 0x1.921fb54442d18p-1 + (y + 0x1.1a62633145c07p-55);
  return upper ? shifted : y;
#else
  T t = a / b;
  t = b == C(0.0) ? C(0.0) : t;
  const T z = t * t;
  return MAD(t * z, weft_poly_atan(z), t);
#endif
}

WEFT_CORE T weft_atan(T x) {
  const T a = ABS(x);
#if WEFT_DOUBLE
  // pi/4 + atan((a - 1) / (a + 1)) from tan(pi/8) on, and pi/2 + atan(-1 / a) from 1 / tan(pi/8) on.
  const bool middle = a > 0x1.a827999fcef32p-2, far = a > 0x1.3504f333f9de6p+1;
  const T n = far ? -1.0 : (middle ? a - 1.0 : a), d = far ? a : (middle ? a + 1.0 : 1.0);
  const T base = far ? HALF_PI_HI : (middle ? 0.5 * HALF_PI_HI : 0.0);
  const T t = n / d, z = t * t;
  return COPYSIGN(base + MAD(t * z, weft_poly_atan(z), t), x);
#else
  const bool inverse = a > C(1.0);
  // a of infinity over 1: 1 / inf = 0.
  const T t = (inverse ? C(1.0) : a) / (inverse ? a : C(1.0)), z = t * t;
  const T y = MAD(t * z, weft_poly_atan(z), t);
  const T complement = HALF_PI_HI - (y - HALF_PI_LO);
  return COPYSIGN(inverse ? complement : y, x);
#endif
}

/// The arctangent of the lesser magnitude over the greater, which is y's where *swap.
WEFT_CORE T weft_atan2_octant(T y, T x, bool* swap, bool* equal) {
  T ax = ABS(x), ay = ABS(y);
  // Both infinite: as if equal. Large: less, for the sum's sake. Denormal: more, for that of the product's in
  // it.
  const bool both = (ax == INF) & (ay == INF);
  ax = both ? C(1.0) : ax;
  ay = both ? C(1.0) : ay;
  *swap = ay > ax;
  *equal = (ay == ax) & (ax != C(0.0));
  T a = *swap ? ax : ay, b = *swap ? ay : ax;
  const T factor =
      b > PICK(0x1p120f, 0x1p1020) ? C(0.25) : (b < PICK(0x1p-100f, 0x1p-960) ? C(0x1p24) : C(1.0));
  a *= factor;
  b *= factor;
  return weft_atan_ratio(a, b);
}

WEFT_CORE T weft_atan2(T y, T x) {
  bool swap, equal;
  const T t = weft_atan2_octant(y, x, &swap, &equal);
  const T up = HALF_PI_HI - (t - HALF_PI_LO);
  const T quadrant = swap ? up : t;
  const T left = PI_HI - (quadrant - PI_LO);
  const T angle = AS_I(x) < 0 ? left : quadrant;
  const bool nan = (x != x) | (y != y);
  return nan ? QNAN : COPYSIGN(angle, y);
}

/// x / pi; a zero keeps its sign.
WEFT_CORE T weft_over_pi(T x) { return COPYSIGN(FMA(x, INV_PI_HI, x * INV_PI_LO), x); }

/// Multiples of 1/4 are exact, which atan2's angle over pi is not.
WEFT_CORE T weft_atan2pi(T y, T x) {
  bool swap, equal;
  const T t = weft_over_pi(weft_atan2_octant(y, x, &swap, &equal));
  const T octant = equal ? C(0.25) : t;
  const T quadrant = swap ? C(0.5) - octant : octant;
  const T angle = AS_I(x) < 0 ? C(1.0) - quadrant : quadrant;
  const bool nan = (x != x) | (y != y);
  return nan ? QNAN : COPYSIGN(angle, y);
}

WEFT_OVERLOAD T asin(T x) { return weft_asin(x); }
WEFT_OVERLOAD T acos(T x) { return weft_acos(x); }
WEFT_OVERLOAD T atan(T x) { return weft_atan(x); }
WEFT_OVERLOAD T atan2(T y, T x) { return weft_atan2(y, x); }
WEFT_OVERLOAD T asinpi(T x) { return weft_over_pi(weft_asin_exact(x)); }
WEFT_OVERLOAD T acospi(T x) { return weft_over_pi(weft_acos(x)); }
WEFT_OVERLOAD T atanpi(T x) { return weft_over_pi(weft_atan(x)); }
WEFT_OVERLOAD T atan2pi(T y, T x) { return weft_atan2pi(y, x); }

#endif
