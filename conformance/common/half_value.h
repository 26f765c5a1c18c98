// The number that the bits of a half stand for, exactly (IEEE 754 binary16).
#pragma once

#include <cmath>

namespace weft::conformance {

inline double half_value(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10) & 31, fraction = static_cast<int>(bits) & 1023;
  const double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                           : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                          : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

}  // namespace weft::conformance
