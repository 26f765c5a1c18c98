// Types named as OpenCL C names them, the values that the tests try, and rounding by the host's arithmetic.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

namespace weft::test {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Edges and pseudo-random values of an integer type; a multiple of four of them.
template <std::integral T>
std::vector<T> values() {
  using U = std::make_unsigned_t<T>;
  std::vector<T> result = {
      0, 1, T(-1), T(2), T(-2), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
  for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit)
    for (int delta : {-1, 0, 1})
      for (int sign : {1, -1}) result.push_back(T(U(sign) * U((U(1) << bit) + U(delta))));
  std::mt19937_64 random(42);
  while (result.size() < 600) result.push_back(T(random() >> (random() % 64)));
  while (result.size() % 4) result.push_back(0);
  return result;
}

/// Edges of all formats, ties, powers of two and their neighbours, and pseudo-random values of any exponent.
template <std::floating_point T>
std::vector<T> values() {
  const T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> result = {T(0),
                           T(-0.0),
                           infinity,
                           -infinity,
                           std::numeric_limits<T>::quiet_NaN(),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::lowest(),
                           std::numeric_limits<T>::denorm_min(),
                           -std::numeric_limits<T>::denorm_min()};
  for (int exponent = -160; exponent < 130; ++exponent)
    for (int sign : {1, -1})
      for (T factor : {T(1), T(1.5), T(1.25), T(1.0009765625), T(1.00048828125)}) {
        const T value = T(sign) * std::ldexp(factor, exponent);
        for (T v : {value, std::nextafter(value, T(0)), std::nextafter(value, T(sign) * infinity)})
          result.push_back(v);
      }
  for (int i = -300; i < 300; ++i) result.push_back(T(i) / 4);
  std::mt19937_64 random(43);
  for (int i = 0; i < 2000; ++i) result.push_back(std::bit_cast<T>(Bits<T>(random())));
  for (int i = 0; i < 2000; ++i) result.push_back(std::ldexp(T(std::int64_t(random())), -int(random() % 70)));
  while (result.size() % 4) result.push_back(0);
  return result;
}

enum class Mode { kDefault, kNearest, kZero, kUp, kDown };

inline Mode mode_of(const std::string& suffix) {
  if (suffix.ends_with("_rte")) return Mode::kNearest;
  if (suffix.ends_with("_rtz")) return Mode::kZero;
  if (suffix.ends_with("_rtp")) return Mode::kUp;
  if (suffix.ends_with("_rtn")) return Mode::kDown;
  return Mode::kDefault;
}

}  // namespace weft::test
