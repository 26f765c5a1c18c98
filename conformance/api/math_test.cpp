// Math functions that are made of what the processor has: right to their bounds in a vector's lanes and for a uniform value.
#include <cmath>
#include <limits>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Math : public ApiTest {};

/// Zeros, infinities, NaN, numbers below 0, denormals, and `count` numbers of all sizes.
template <typename T>
std::vector<T> arguments(std::size_t count) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0, -T(0), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -1, -Limits::denorm_min(),
                           Limits::denorm_min(), Limits::min() / 3, Limits::min(), Limits::max(), 1, 4, T(0.25)};
  std::uint32_t state = 1;
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  while (values.size() < count) {
    const T mantissa = 1 + static_cast<T>(random()) / (1 << 24);
    values.push_back(std::ldexp(mantissa, static_cast<int>(random() % (Limits::max_exponent * 2)) - Limits::max_exponent));
  }
  return values;
}

template <typename T>
void expect_reciprocal_root(T x, T got) {
  const long double want = 1 / std::sqrt(static_cast<long double>(x));
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << x;
  } else if (std::isinf(want) || want == 0) {
    EXPECT_EQ(got, static_cast<T>(want)) << x;
    EXPECT_EQ(std::signbit(got), std::signbit(want)) << x;
  } else {
    const T near = static_cast<T>(want);
    const T ulp = std::nextafter(near, std::numeric_limits<T>::infinity()) - near;
    EXPECT_LE(std::abs(static_cast<long double>(got) - want), 2 * static_cast<long double>(ulp)) << x;
  }
}

template <typename T>
void check_reciprocal_root(Session& session, const std::string& type) {
  const Program program = session.build("kernel void each(global " + type + "* a) { size_t i = get_global_id(0); a[i] = rsqrt(a[i]); }\n"
                                        "kernel void roots(" + type + " x, global " + type + "* a) { a[get_global_id(0)] = rsqrt(x); }");
  const std::vector<T> in = arguments<T>(7 * 400);
  const Kernel each = session.kernel(program, "each");
  for (const std::size_t local : {7, 400}) {
    const Mem buffer = session.upload(in);
    session.launch(each, {{in.size()}, {local}}, buffer);
    const auto got = session.download<T>(buffer, in.size());
    for (std::size_t i = 0; i < in.size(); ++i) expect_reciprocal_root(in[i], got[i]);
  }
  const Kernel all = session.kernel(program, "roots");
  for (std::size_t i = 0; i < 40; ++i) {
    const Mem buffer = session.upload(std::vector<T>(64));
    session.launch(all, {{64}, {64}}, in[i], buffer);
    for (const T got : session.download<T>(buffer, 64)) expect_reciprocal_root(in[i], got);
  }
}

TEST_F(Math, ReciprocalRoot) {
  check_reciprocal_root<cl_float>(session, "float");
  check_reciprocal_root<cl_double>(session, "double");
}

}  // namespace
}  // namespace weft::conformance
