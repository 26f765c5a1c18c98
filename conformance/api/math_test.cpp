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

/// fma is rounded once on every processor, be its operands or its result great, small, denormal, or close to the middle of two floats.
TEST_F(Math, ProductsWithASum) {
  const Program program = session.build(
      "kernel void each(global const float* a, global const float* b, global const float* c, global float* to) {"
      "  size_t i = get_global_id(0); to[i] = fma(a[i], b[i], c[i]); }");
  const Kernel kernel = session.kernel(program, "each");
  const std::vector<cl_float> random = arguments<cl_float>(512);
  std::vector<cl_float> a, b, c;
  const auto add = [&](cl_float x, cl_float y, cl_float z) { a.push_back(x), b.push_back(y), c.push_back(z); };
  for (std::size_t i = 0; i < random.size(); ++i) {
    const cl_float x = random[i], y = random[(i * 7 + 3) % random.size()], product = x * y;
    add(x, y, random[(i * 11 + 5) % random.size()]);
    for (const cl_float z : {product, -product, product * 0x1p-23f, -product * 0x1p25f, 0x1p-149f, -0.0f}) add(x, y, z);
    // The middle of two floats, and a little more or less, which is lost in double.
    add(1 + 0x1p-12f, 1 + 0x1p-12f, 0x1p-60f), add(1 + 0x1p-12f, 1 + 0x1p-12f, -0x1p-60f), add(1 + 0x1p-12f, 1 + 0x1p-12f, 0);
    add(0x1.000002p-75f, 0x1.8p-74f, 0x1p-149f), add(0x1.8p-75f, 0x1p-75f, -0x1p-126f), add(x, 1 + 0x1p-23f, x * 0x1p-24f);
  }
  a.resize(a.size() / 448 * 448), b.resize(a.size()), c.resize(a.size());
  for (const std::size_t local : {7, 64}) {
    const Mem to = session.upload(std::vector<cl_float>(a.size()));
    session.launch(kernel, {{a.size()}, {local}}, session.upload(a), session.upload(b), session.upload(c), to);
    const auto got = session.download<cl_float>(to, a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      const cl_float want = std::fma(a[i], b[i], c[i]);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got[i])) << a[i] << " " << b[i] << " " << c[i];
      } else {
        EXPECT_TRUE(got[i] == want && std::signbit(got[i]) == std::signbit(want)) << a[i] << " " << b[i] << " " << c[i] << ": " << got[i];
      }
    }
  }
}

/// Functions under -cl-fast-relaxed-math: in a vector's lanes, in the few of a small group, and for a uniform value.
TEST_F(Math, Relaxed) {
  struct Case {
    const char* call;
    double (*reference)(double);
    double low, high, relative, absolute;
  };
  const Case cases[] = {
      {"exp(x)", std::exp, -40, 40, 0x1p-16, 0},
      {"exp2(x)", std::exp2, -100, 100, 0x1p-15, 0},
      {"log(x)", std::log, 1e-3, 1e6, 3 * 0x1p-23, 0x1p-21},
      {"log2(x)", std::log2, 1e-3, 1e6, 3 * 0x1p-23, 0x1p-21},
      {"log10(x)", std::log10, 1e30, 3.4028234e38, 3 * 0x1p-23, 0},  // to the greatest number
      {"sin(x)", std::sin, -10, 10, 0, 0x1p-11},
      {"cos(x)", std::cos, -10, 10, 0, 0x1p-11},
      {"tan(x)", std::tan, -1.5, 1.5, 0x1p-17, 0},
      {"tanh(x)", std::tanh, -9, 9, 0x1p-17, 0},
      {"acos(x)", std::acos, -1, 1, 0x1p-12, 0},
      {"atan(x)", std::atan, -9, 9, 0x1p-12, 0},
      {"sqrt(x)", std::sqrt, 0, 1e6, 3 * 0x1p-23, 0},
      {"pow(x, 2.5f)", [](double x) { return std::pow(x, 2.5); }, 0, 100, 0x1p-15, 0},
      {"length((float3)(x, 2, 3))", [](double x) { return std::sqrt(x * x + 13); }, -50, 50, 0x1p-20, 0},
      {"normalize((float2)(x, 2)).x", [](double x) { return x / std::sqrt(x * x + 4); }, -50, 50, 0x1p-20, 0},
      {"x / (x + 3)", [](double x) { return x / (x + 3); }, -1, 50, 5 * 0x1p-23, 0},
  };
  for (const Case& one : cases) {
    const std::string call = one.call;
    const Program program = session.build(
        "kernel void each(global float* a) { size_t i = get_global_id(0); float x = a[i]; a[i] = " + call + "; }\n"
        "kernel void shared(float x, global float* a) { a[get_global_id(0)] = " + call + "; }", "-cl-fast-relaxed-math");
    std::vector<cl_float> in(7 * 64);
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<cl_float>(one.low + (one.high - one.low) * static_cast<double>(i) / static_cast<double>(in.size() - 1));
    const auto expect_near = [&](cl_float x, cl_float got) {
      const double want = one.reference(x);
      EXPECT_LE(std::abs(got - want), std::max(one.absolute, one.relative * std::abs(want))) << call << " of " << x;
    };
    for (const std::size_t local : {7, 64}) {
      const Mem buffer = session.upload(in);
      session.launch(session.kernel(program, "each"), {{in.size()}, {local}}, buffer);
      const auto got = session.download<cl_float>(buffer, in.size());
      for (std::size_t i = 0; i < in.size(); ++i) expect_near(in[i], got[i]);
    }
    const Kernel all = session.kernel(program, "shared");
    for (std::size_t i = 0; i < in.size(); i += 50) {
      const Mem buffer = session.buffer(64 * sizeof(cl_float));
      session.launch(all, {{64}, {64}}, in[i], buffer);
      for (const cl_float got : session.download<cl_float>(buffer, 64)) expect_near(in[i], got);
    }
  }
}

}  // namespace
}  // namespace weft::conformance
