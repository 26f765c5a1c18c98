// The primitives of the math functions as they are where the processor has no instructions for them; their other forms are
// for tests that run kernels.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace {

template <typename T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int kMantissa = 23, kBias = 127;
  static constexpr float kLow = 0x1.555556p-1f;
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr double kLow = 0x1.6a09e667f3bcdp-1;
};

template <typename T>
T scale(T p, typename Format<T>::Bits u) {
  using F = Format<T>;
  const auto power = [](typename F::Bits biased) { return std::bit_cast<T>(biased << F::kMantissa); };
  return p * power(u / 2) * power(u - u / 2);
}

template <typename T>
T exponent(T x) {
  int e;
  return std::frexp(x, &e) < Format<T>::kLow ? T(e - 1) : T(e);
}

template <typename T>
T mantissa(T x) {
  int e;
  const T m = std::frexp(x, &e);
  return m < Format<T>::kLow ? 2 * m : m;
}

/// Something where x is 0, infinite or NaN.
template <typename T>
T octave(T x) {
  return T(std::ilogb(x));
}

template <typename T>
T unit(T x) {
  int e;
  return 2 * std::frexp(x, &e);
}

template <typename T>
T scale_any(T x, T n) {
  constexpr T kFar = 4 * Format<T>::kBias;
  return std::ldexp(x, static_cast<int>(std::clamp(n, -kFar, kFar)));
}

template <typename T>
T ends(T x, T y) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (x == kInfinity) return x;
  return x > 0 ? y : x == 0 ? -kInfinity : std::numeric_limits<T>::quiet_NaN();
}

}  // namespace

extern "C" {
float __weft_rsqrt_f32(float x) { return 1 / std::sqrt(x); }
float __weft_rsqrt_normal_f32(float x) { return 1 / std::sqrt(x); }
double __weft_rsqrt_f64(double x) { return 1 / std::sqrt(x); }
float __weft_float_scale_f32(float p, float, std::uint32_t u) { return scale(p, u); }
double __weft_float_scale_f64(double p, double, std::uint64_t u) { return scale(p, u); }
float __weft_float_exponent_f32(float x) { return exponent(x); }
double __weft_float_exponent_f64(double x) { return exponent(x); }
float __weft_float_mantissa_f32(float x) { return mantissa(x); }
double __weft_float_mantissa_f64(double x) { return mantissa(x); }
float __weft_float_octave_f32(float x) { return octave(x); }
double __weft_float_octave_f64(double x) { return octave(x); }
float __weft_float_unit_f32(float x) { return unit(x); }
double __weft_float_unit_f64(double x) { return unit(x); }
float __weft_float_ldexp_f32(float x, float n) { return scale_any(x, n); }
double __weft_float_ldexp_f64(double x, double n) { return scale_any(x, n); }
float __weft_float_ends_f32(float x, float y) { return ends(x, y); }
double __weft_float_ends_f64(double x, double y) { return ends(x, y); }
float __weft_float_rest_f32(float x) { return x > 128 || x < -126 ? 0 : x - std::floor(x); }
float __weft_float_raise_f32(float p, float x) { return x < -126 ? 0 : std::ldexp(p, static_cast<int>(std::floor(x > 129 ? 129.0f : x))); }
float __weft_float_binade_f32(float x) {
  int e;
  return x == 0 ? -std::numeric_limits<float>::infinity() : std::frexp(x, &e) < 0.75f ? float(e - 1) : float(e);
}
float __weft_float_significand_f32(float x) {
  int e;
  const float m = std::frexp(x, &e);
  return x == 0 ? 1 : m < 0.75f ? 2 * m : m;
}
float __weft_float_root_f32(float x) { return std::sqrt(x); }
float __weft_float_reciprocal_f32(float x) { return 1 / x; }
// Tables are of processors that permute two registers.
bool __weft_has_tables() { return false; }
[[noreturn]] void __weft_float_table16_f64() { std::abort(); }
[[noreturn]] void __weft_float_table32_f32() { std::abort(); }
}
