// Exact remainders (OpenCL C 3.0 §6.15.2): fmod, remainder, remquo.
#ifndef T
#define WEFT_BODY "math_remainder.cl"
#include "math_each_type.h"
#else

/// rest = q b + r, 0 <= r < b, for any finite rest >= 0; returns r, adds q modulo 128 to *quotient.
///
/// A step subtracts the rounded quotient: what remains of x is exact (an FMA's rounding error of a division
/// is a number of T), and each step takes MANTISSA bits off the quotient.
WEFT_CORE T weft_divide_far(T rest, T b, int* quotient) {
  const T down = PICK(0x1p-100f, 0x1p-700), up = PICK(0x1p100f, 0x1p700);
  T sum = C(0.0);
  while (ABS(rest) >= b) {
    // A multiple of b so large that the quotient is finite.
    T s = b;
    s = ABS(rest) * down > s ? s * up : s;
    s = ABS(rest) * down > s ? s * up : s;
    const T q = RINT(rest / s);
    rest = FMA(-q, s, rest);
    const T low = FMA(C(-128.0), RINT(q * C(0x1p-7)), q);
    sum += s == b ? low : C(0.0);
  }
  const bool below = rest < C(0.0);
  *quotient = (int)sum - (below ? 1 : 0);
  return below ? rest + b : rest;
}

/// |x| = q |y| + *r, 0 <= *r < |y|; *r = |x|, q = 0 for infinite y, NaN where x is infinite, y is 0 or one is NaN. Returns q modulo 128.
///
/// The quotients of common arguments are integers of T and exact but for the last one, to which a quotient just below may be rounded.
WEFT_CORE int weft_divide(T x, T y, T* r) {
  const T a = ABS(x), b = ABS(y), q = TRUNC(a / b);
  T rest = FMA(-q, b, a);
  const bool below = rest < C(0.0);
  rest = below ? rest + b : rest;
  int quotient = (int)AS_U(q + MAGIC) - (below ? 1 : 0);
  // Not so where the quotient is no such integer, or is infinite or NaN. What is special costs nothing elsewhere.
  if (!((q < PICK(0x1p22f, 0x1p51)) & (b < INF))) {
    const bool valid = (a < INF) & (b < INF) & (b != C(0.0));
    rest = weft_divide_far(valid ? a : C(0.0), valid ? b : C(1.0), &quotient);
    const bool nan = !(a < INF) | (b != b) | (b == C(0.0));
    rest = valid ? rest : nan ? QNAN : a;
  }
  *r = rest;
  return quotient & 0x7f;
}

WEFT_OVERLOAD T fmod(T x, T y) {
  T r;
  weft_divide(x, y, &r);
  return COPYSIGN(r, x);
}

/// To the nearest quotient, ties to even; *quotient: its low 7 bits with its sign.
WEFT_CORE T weft_remquo(T x, T y, int* quotient) {
  T r;
  int q = weft_divide(x, y, &r);
  const T b = ABS(y);
  const bool up = (r > b - r) | ((r == b - r) & (q & 1));
  r = up ? r - b : r;
  q = (q + (up ? 1 : 0)) & 0x7f;
  *quotient = (AS_I(x) ^ AS_I(y)) < 0 ? -q : q;
  // x's sign, turned where r is negative; a zero has x's.
  return AS_T(AS_U(r) ^ (AS_U(x) & SIGN_BIT));
}

WEFT_OVERLOAD T remainder(T x, T y) {
  int q;
  return weft_remquo(x, y, &q);
}

#define REMQUO(space)                                     \
  WEFT_OVERLOAD T remquo(T x, T y, space int* quotient) { \
    int q;                                                \
    const T r = weft_remquo(x, y, &q);                    \
    *quotient = q;                                        \
    return r;                                             \
  }
REMQUO(__private)
REMQUO(__local)
REMQUO(__generic)
REMQUO(__global)

#endif
