// Math functions that are made of what the processor has: right to their bounds in a vector's lanes and for a uniform value.
#include <algorithm>
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

template <typename T>
void expect_same(T want, T got, const char* what, T x) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << what << " of " << x;
  } else {
    EXPECT_EQ(got, want) << what << " of " << x;
    EXPECT_EQ(std::signbit(got), std::signbit(want)) << what << " of " << x;
  }
}

/// Exponents and mantissas of all numbers, in lanes that are all on, and of uniform ones.
template <typename T>
void check_parts(Session& session, const std::string& type) {
  const Program program = session.build(
      "#define PARTS(x, k) scaled[i] = ldexp(x, k); exponent[i] = logb(x); whole[i] = ilogb(x); fraction[i] = frexp(x, power + i)\n"
      "#define TO global T* scaled, global T* exponent, global int* whole, global T* fraction, global int* power\n"
      "kernel void each(global const T* x, global const int* k, TO) { size_t i = get_global_id(0); PARTS(x[i], k[i]); }\n"
      "kernel void uniform(T x, int k, TO) { size_t i = get_global_id(0); PARTS(x, k); }",
      "-DT=" + type);
  const std::vector<T> in = arguments<T>(64 * 40);
  constexpr cl_int kFar = std::numeric_limits<T>::max_exponent;
  const cl_int steps[] = {0, 1, -1, kFar, -kFar, 2 * kFar + 60, -2 * kFar - 60, std::numeric_limits<cl_int>::max(), std::numeric_limits<cl_int>::min()};
  std::vector<cl_int> by(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) by[i] = i % 3 ? static_cast<cl_int>(i * 37 % (2 * kFar)) - kFar : steps[i / 3 % std::size(steps)];
  const auto check = [&](const auto& launch, std::size_t count, const auto& x, const auto& k) {
    const Mem scaled = session.upload(std::vector<T>(count)), exponent = session.upload(std::vector<T>(count)), whole = session.upload(std::vector<cl_int>(count)),
              fraction = session.upload(std::vector<T>(count)), power = session.upload(std::vector<cl_int>(count));
    launch(scaled, exponent, whole, fraction, power);
    const auto got_scaled = session.download<T>(scaled, count), got_exponent = session.download<T>(exponent, count),
               got_fraction = session.download<T>(fraction, count);
    const auto got_whole = session.download<cl_int>(whole, count), got_power = session.download<cl_int>(power, count);
    for (std::size_t i = 0; i < count; ++i) {
      int exponent_of_x = 0;
      expect_same(std::ldexp(x(i), std::clamp(k(i), -5 * kFar, 5 * kFar)), got_scaled[i], "ldexp", x(i));
      expect_same(std::logb(x(i)), got_exponent[i], "logb", x(i));
      EXPECT_EQ(got_whole[i], x(i) == 0 ? std::numeric_limits<cl_int>::min() : std::isfinite(x(i)) ? std::ilogb(x(i)) : std::numeric_limits<cl_int>::max())
          << x(i);
      expect_same(std::frexp(x(i), &exponent_of_x), got_fraction[i], "frexp", x(i));
      if (std::isfinite(x(i))) EXPECT_EQ(got_power[i], exponent_of_x) << x(i);
    }
  };
  const Mem x = session.upload(in), k = session.upload(by);
  check([&](auto&... to) { session.launch(session.kernel(program, "each"), {{in.size()}, {64}}, x, k, to...); }, in.size(),
        [&](std::size_t i) { return in[i]; }, [&](std::size_t i) { return by[i]; });
  for (std::size_t i = 0; i < 60; ++i)
    check([&](auto&... to) { session.launch(session.kernel(program, "uniform"), {{64}, {64}}, in[i], by[i], to...); }, 64,
          [&](std::size_t) { return in[i]; }, [&](std::size_t) { return by[i]; });
}

TEST_F(Math, Parts) {
  check_parts<cl_float>(session, "float");
  check_parts<cl_double>(session, "double");
}

/// Of numbers of all sizes, some beside much smaller ones: squares overflow or vanish.
template <typename T>
void check_hypot(Session& session, const std::string& type) {
  const Program program = session.build("kernel void each(global const T* x, global const T* y, global T* to)"
                                        "{ size_t i = get_global_id(0); to[i] = hypot(x[i], y[i]); }",
                                        "-DT=" + type);
  const std::vector<T> some = arguments<T>(64 * 20);
  std::vector<T> x, y;
  for (std::size_t i = 0; i < some.size(); ++i)
    for (const std::size_t k : {0, 1, 7, 40}) {
      x.push_back(some[i]);
      y.push_back(k == 40 ? some[i] * T(0.375) : some[(i + k) % some.size()]);
    }
  for (const bool are_near : {false, true}) {
    // Where all lanes have squares in range, too.
    if (are_near)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 32 ? T(1) + T(i % 97) : T(0), y[i] = i % 64 ? T(i % 89) - T(40) : T(0);
    const Mem to = session.upload(std::vector<T>(x.size()));
    session.launch(session.kernel(program, "each"), {{x.size()}, {64}}, session.upload(x), session.upload(y), to);
    const auto got = session.download<T>(to, x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double exact = std::hypot(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
      const T want = static_cast<T>(exact);
      if (!std::isfinite(want)) {
        expect_same(want, got[i], "hypot", x[i]);
      } else {
        const T ulp = std::nextafter(want, std::numeric_limits<T>::infinity()) - want;
        EXPECT_LE(std::abs(static_cast<long double>(got[i]) - exact), 4 * static_cast<long double>(ulp)) << x[i] << ", " << y[i];
      }
    }
  }
}

TEST_F(Math, Hypot) {
  check_hypot<cl_float>(session, "float");
  check_hypot<cl_double>(session, "double");
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
TEST_F(Math, NativeQuotientsAndRoots) {
  const Program program = session.build(
      "kernel void each(global const float* x, global float* inverse, global float* quotient, global float* root, global float* inverse_root) {"
      "  size_t i = get_global_id(0);"
      "  inverse[i] = native_recip(x[i]); quotient[i] = native_divide(3.0f, x[i]);"
      "  root[i] = native_sqrt(fabs(x[i])); inverse_root[i] = native_rsqrt(fabs(x[i]));"
      "}");
  constexpr cl_float kInfinity = std::numeric_limits<cl_float>::infinity();
  std::vector<cl_float> in = {0.0f, -0.0f, kInfinity, -kInfinity, 1.0f, -3.0f, 0x1p100f, -0x1p-100f};
  while (in.size() < 64 * 64) in.push_back(std::ldexp(1 + static_cast<float>(in.size()) / 4096, static_cast<int>(in.size() * 37 % 240) - 120) * (in.size() % 2 ? 1.0f : -1.0f));
  const std::size_t n = in.size();
  const Mem x = session.upload(in), inverse = session.buffer(n * 4), quotient = session.buffer(n * 4), root = session.buffer(n * 4), inverse_root = session.buffer(n * 4);
  session.launch(session.kernel(program, "each"), {{n}, {64}}, x, inverse, quotient, root, inverse_root);
  const auto got_inverse = session.download<cl_float>(inverse, n), got_quotient = session.download<cl_float>(quotient, n),
             got_root = session.download<cl_float>(root, n), got_inverse_root = session.download<cl_float>(inverse_root, n);
  const auto expect_near = [](float got, double want, const char* what, float x) {
    if (want == 0 || std::isinf(want))
      EXPECT_EQ(got, want) << what << " of " << x;
    else
      EXPECT_LE(std::abs(got - want), 0x1p-20 * std::abs(want)) << what << " of " << x;
  };
  for (std::size_t i = 0; i < n; ++i) {
    expect_near(got_inverse[i], 1.0 / in[i], "inverse", in[i]);
    expect_near(got_quotient[i], 3.0 / in[i], "quotient", in[i]);
    if (std::isfinite(in[i])) expect_near(got_root[i], std::sqrt(std::abs(double(in[i]))), "root", in[i]);
    expect_near(got_inverse_root[i], 1 / std::sqrt(std::abs(double(in[i]))), "inverse root", in[i]);
  }
}

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
      {"rsqrt(x)", [](double x) { return 1 / std::sqrt(x); }, 1e-30, 5, 2 * 0x1p-23, 0},
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

/// Powers whose exponents only the launch brings, of numbers so small that the powers are numbers, too: a bound that programs do not know of would
/// leave 11^2 beside 121.
TEST_F(Math, PowersThatAreIntegers) {
  const Program program = session.build("kernel void powers(global double* a, double y) { size_t i = get_global_id(0); a[i] = pow(a[i], y); }");
  const Kernel kernel = session.kernel(program, "powers");
  for (int exponent = 2; exponent <= 5; ++exponent) {
    std::vector<double> numbers(2048);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % (exponent == 5 ? 1024 : 2048));
    const Mem buffer = session.upload(numbers);
    session.launch(kernel, {{numbers.size()}, {64}}, buffer, static_cast<double>(exponent));
    const auto got = session.download<double>(buffer, numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      double want = 1;
      for (int k = 0; k < exponent; ++k) want *= numbers[i];
      EXPECT_EQ(got[i], want) << numbers[i] << " to the power of " << exponent;
    }
  }
}

}  // namespace
}  // namespace weft::conformance
