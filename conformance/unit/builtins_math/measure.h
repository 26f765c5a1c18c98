// Errors of a function in units in the last place, against values in quadruple precision.
#pragma once

#include <quadmath.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace weft::test {

using Quad = __float128;

inline bool is_signed(Quad x) { return signbitq(x) != 0; }
inline bool is_signed(double x) { return std::signbit(x); }
/// As frexp gives it.
inline int exponent_of(Quad x) {
  int exponent = 0;
  frexpq(x, &exponent);
  return exponent;
}
inline int exponent_of(double x) { return x == 0 ? 0 : std::ilogb(x) + 1; }
template <typename Exact>
Exact power_of_two(int n) {
  if constexpr (std::is_same_v<Exact, double>)
    return std::bit_cast<double>(std::uint64_t(n + 1023) << 52);  // n is far from the ends
  else
    return ldexpq(1, n);
}

/// The greatest error found, in ulp, and where.
template <typename T>
struct Worst {
  double error = 0;
  T x = 0, y = 0;
  T got = 0, want = 0;
};

/// `got` against the exact `want`, in ulp of T at `want`; infinite if the kind of value or a zero's sign is
/// wrong. A result that overflows where the exact one is just below the limit counts as the next number up.
template <typename T, typename Exact>
double ulp_error(T got, Exact want) {
  using Limits = std::numeric_limits<T>;
  const double wrong = std::numeric_limits<double>::infinity();
  if (want != want) return std::isnan(got) ? 0 : wrong;
  if (std::isnan(got)) return wrong;
  const T rounded = static_cast<T>(want);
  if (got == rounded) return got == 0 && want == 0 && std::signbit(got) != is_signed(want) ? wrong : 0;
  if (std::isinf(rounded) && want - want != 0) return wrong;
  int exponent = exponent_of(want);
  exponent = std::max(exponent, Limits::min_exponent);
  exponent = std::min<int>(exponent, Limits::max_exponent);
  const Exact limit = std::signbit(got) ? -power_of_two<Exact>(Limits::max_exponent) : power_of_two<Exact>(Limits::max_exponent);
  const Exact error = (std::isinf(got) ? limit : Exact(got)) - want;
  return static_cast<double>((error < 0 ? -error : error) / power_of_two<Exact>(exponent - Limits::digits));
}

/// Arguments: special values, random bits, numbers spread over [-limit, limit] evenly and by magnitude, and neighbours of one.
template <typename T>
class Arguments {
 public:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Arguments(double limit, unsigned seed) : limit_(limit), engine_(seed) {}

  static const std::vector<T>& special() {
    using L = std::numeric_limits<T>;
    static const std::vector<T> values = [] {
      std::vector<T> v = {0,
                          L::denorm_min(),
                          3 * L::denorm_min(),
                          L::min() / 2,
                          L::min(),
                          L::epsilon(),
                          T(0.25),
                          T(0.5),
                          T(0.75),
                          1,
                          T(1.5),
                          2,
                          T(2.5),
                          3,
                          4,
                          5,
                          7,
                          8,
                          16,
                          64,
                          127,
                          128,
                          T(1e5),
                          T(1 << 20),
                          T(1 << 23),
                          T(1 << 24),
                          (1 << 24) + T(2),
                          T(0x1p31),
                          T(0x1p53),
                          T(1e30),
                          L::max() / 2,
                          L::max(),
                          L::infinity()};
      // The nearest to multiples of pi/2 that there are.
      v.push_back(sizeof(T) == 4 ? T(std::ldexp(16367173., 72)) : T(std::ldexp(6381956970095103., 797)));
      const std::size_t n = v.size();
      for (std::size_t i = 0; i < n; ++i) {
        if (v[i] > 0 && v[i] < L::infinity()) {
          v.push_back(std::nextafter(v[i], T(0)));
          v.push_back(std::nextafter(v[i], L::infinity()));
        }
      }
      const std::size_t m = v.size();
      for (std::size_t i = 0; i < m; ++i) v.push_back(-v[i]);
      v.push_back(L::quiet_NaN());
      return v;
    }();
    return values;
  }

  T near(T x) { return static_cast<T>(x * (1 + unit() / 16)); }

  T next() {
    const auto bits = static_cast<Bits>(engine_());
    switch (engine_() % 4) {
      case 0:
        return std::bit_cast<T>(bits);
      case 1:
        return static_cast<T>(unit() * limit_);
      case 2:
        return static_cast<T>(unit() * std::exp2(unit() * 20));
      default:
        return static_cast<T>(std::round(unit() * std::min(limit_, 1e4)) +
                              unit() * std::exp2(-10 + 10 * unit()));
    }
  }

 private:
  double unit() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }
  double limit_;
  std::mt19937_64 engine_;
};

}  // namespace weft::test
