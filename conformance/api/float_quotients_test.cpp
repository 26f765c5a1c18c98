// Quotients of floats by constants and by arguments (compiler/wide/float_quotients.h): as exact as OpenCL asks for (OpenCL C 3.0 §7.4), for all there is.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class FloatQuotients : public ApiTest {};

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> dividends() {
  std::vector<float> values{0.0F, -0.0F, kInfinity, -kInfinity, kNan, 1.0F, -1.0F, std::numeric_limits<float>::max(), std::numeric_limits<float>::min(),
                            std::numeric_limits<float>::denorm_min(), -3.0F, 255.0F, 0x1.fffffep0F, 0x1.000002p0F};
  std::uint32_t state = 1;
  for (int exponent = -149; exponent < 128; ++exponent)
    for (int i = 0; i < 40; ++i) {
      state = state * 1664525 + 1013904223;
      values.push_back(std::ldexp(1.0F + static_cast<float>(state >> 9) * 0x1p-23F, exponent) * (state & 256 ? -1.0F : 1.0F));
    }
  while (values.size() % 64) values.push_back(1.0F);
  return values;
}

/// How many last places `got` is away from `want`, a quotient of floats in double.
double ulps(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : 1e9;
  const auto nearest = static_cast<float>(want);
  if (std::isinf(nearest) || nearest == 0) {
    // What is next to them may be rounded the other way.
    if (got == nearest) return std::signbit(got) == std::signbit(nearest) ? 0 : 1e9;
    if (std::isinf(want) || want == 0) return 1e9;
  }
  const int exponent = std::max(std::ilogb(want), -126);
  return std::isinf(got) ? (std::abs(want) >= std::numeric_limits<float>::max() ? 1 : 1e9) : std::abs(double(got) - want) / std::ldexp(1.0, exponent - 23);
}

TEST_F(FloatQuotients, ByConstantsAndArguments) {
  const std::vector<float> x = dividends();
  std::vector<float> divisors{3.0F, 7.0F, 0.1F, -255.0F, 1e-30F, 1e30F, 0x1.fffffep0F, 0x1p126F, 0x1.8p126F, 0x1.4p127F, std::numeric_limits<float>::max(),
                              0x1.2p-126F, 0x1p-127F, 0x1p-128F, 0x1p-129F, 0x3p-149F, std::numeric_limits<float>::denorm_min(), 0.0F, -0.0F, kInfinity, -kInfinity, kNan};
  std::string source = "kernel void by_argument(global const float* x, global float* y, float d) { size_t i = get_global_id(0); y[i] = x[i] / d; }\n";
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    char number[64];
    std::snprintf(number, sizeof number, "as_float(0x%08xu)", std::bit_cast<std::uint32_t>(divisors[k]));
    source += "kernel void by_constant" + std::to_string(k) + "(global const float* x, global float* y) { size_t i = get_global_id(0); y[i] = x[i] / " + number + "; }\n";
  }
  const Program program = session.build(source);
  const Mem in = session.upload(x), out = session.upload(std::vector<float>(x.size()));
  for (std::size_t k = 0; k < divisors.size(); ++k)
    for (const bool constant : {false, true}) {
      const float d = divisors[k];
      SCOPED_TRACE((constant ? "the constant " : "the argument ") + std::to_string(d) + ", place " + std::to_string(k));
      if (constant)
        session.launch(session.kernel(program, ("by_constant" + std::to_string(k)).c_str()), Range{{x.size()}, {64}}, in, out);
      else
        session.launch(session.kernel(program, "by_argument"), Range{{x.size()}, {64}}, in, out, d);
      const std::vector<float> y = session.download<float>(out, x.size());
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_LE(ulps(y[i], double(x[i]) / double(d)), 2.5) << x[i] << " by " << d << " is " << y[i];
    }
}

}  // namespace
}  // namespace weft::conformance
