// The functions in quadruple precision, where libquadmath has them not or otherwise than OpenCL C 3.0 §7.5.1.
#pragma once

#include <quadmath.h>

namespace weft::test {

using Quad = __float128;

inline bool is_integer(Quad x) { return truncq(x) == x; }
inline bool is_odd(Quad x) { return is_integer(x) && !isinfq(x) && fmodq(x, 2) != 0; }
inline const Quad kNan = nanq("");

inline Quad exp10_of(Quad x) { return powq(10, x); }
inline Quad rsqrt_of(Quad x) { return 1 / sqrtq(x); }
inline Quad sinpi_of(Quad x) {
  if (isinfq(x)) return kNan;
  if (is_integer(x)) return copysignq(0, x);
  return sinq(M_PIq * fmodq(x, 2));
}
inline Quad cospi_of(Quad x) {
  if (isinfq(x)) return kNan;
  const Quad r = fabsq(fmodq(x, 2));
  if (r == 0.5Q || r == 1.5Q) return 0;
  return cosq(M_PIq * r);
}
inline Quad tanpi_of(Quad x) {
  if (isinfq(x)) return kNan;
  if (is_integer(x)) return copysignq(0, is_odd(x) ? -x : x);
  if (is_integer(2 * x)) return is_odd(floorq(x)) ? -HUGE_VALQ : HUGE_VALQ;
  return tanq(M_PIq * fmodq(x, 1));
}
inline Quad asinpi_of(Quad x) { return asinq(x) / M_PIq; }
inline Quad acospi_of(Quad x) { return acosq(x) / M_PIq; }
inline Quad atanpi_of(Quad x) { return atanq(x) / M_PIq; }
inline Quad atan2pi_of(Quad y, Quad x) { return atan2q(y, x) / M_PIq; }
inline Quad tgamma_of(Quad x) {
  if (x < 0 && is_integer(x)) return kNan;
  return tgammaq(x);
}
inline Quad lgamma_of(Quad x) { return lgammaq(x); }

inline Quad powr_of(Quad x, Quad y) {
  if (!(x >= 0) || y != y) return kNan;
  if (y == 0 && (x == 0 || isinfq(x))) return kNan;
  if (isinfq(y) && x == 1) return kNan;
  return powq(fabsq(x), y);
}
inline Quad pown_of(Quad x, int n) { return powq(x, n); }
inline Quad rootn_of(Quad x, int n) {
  if (n == 0 || x != x || (x < 0 && n % 2 == 0)) return kNan;
  Quad magnitude = powq(fabsq(x), Quad(1) / n);
  return n % 2 ? copysignq(magnitude, x) : magnitude;
}
inline Quad maxmag_of(Quad x, Quad y) {
  return fabsq(x) > fabsq(y) ? x : fabsq(y) > fabsq(x) ? y : fmaxq(x, y);
}
inline Quad minmag_of(Quad x, Quad y) {
  return fabsq(x) < fabsq(y) ? x : fabsq(y) < fabsq(x) ? y : fminq(x, y);
}
inline Quad fdim_of(Quad x, Quad y) { return x != x || y != y ? kNan : x > y ? x - y : 0; }
inline Quad logb_of(Quad x) { return logbq(x); }

/// The low 7 bits of the rounded quotient, with its sign.
inline int quotient_bits(Quad x, Quad y) {
  if (x != x || y != y || isinfq(x) || y == 0) return 0;
  const Quad a = fabsq(x), b = fabsq(y);
  if (isinfq(y)) return 0;
  const Quad rest = fmodq(a, 128 * b);
  const Quad quotient = (rest - remainderq(rest, b)) / b;  // exact, to 128
  const int bits = static_cast<int>(quotient) & 127;
  return (signbitq(x) != 0) != (signbitq(y) != 0) ? -bits : bits;
}

}  // namespace weft::test
