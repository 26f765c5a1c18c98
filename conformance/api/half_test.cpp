// Arithmetic of half (cl_khr_fp16), each operation against the host's in double, rounded to half once: all pairs of some hundred
// numbers that lie at the ends, between denormal and normal, and one bit apart, and numbers of all sizes.
#include <cmath>

#include "api/fixture.h"
#include "common/half_value.h"

namespace weft::conformance {
namespace {

/// To nearest even. The value must be a double exactly, or so rounded that it lies on the same side of every half and midpoint.
cl_half half_of(long double value) {
  const cl_half sign = std::signbit(value) ? 0x8000 : 0;
  const long double magnitude = std::fabs(value);
  if (std::isnan(value)) return 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  const int exponent = magnitude < 0x1p-14L ? -14 : std::ilogb(magnitude);
  // The bits of a half count in units of its last place, over the ends of binades too.
  const auto units = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<cl_half>(sign | (((exponent + 14) << 10) + units));
}

class Half : public ApiTest {
 protected:
  static std::vector<cl_half> numbers() {
    std::vector<cl_half> result = {0x0000, 0x0001, 0x0002, 0x0003, 0x01ff, 0x03fe, 0x03ff, 0x0400, 0x0401, 0x07ff, 0x0800, 0x3555,
                                   0x37ff, 0x3800, 0x3bff, 0x3c00, 0x3c01, 0x3c02, 0x3fff, 0x4000, 0x4200, 0x4248, 0x57ff, 0x7800,
                                   0x7801, 0x7bfe, 0x7bff, 0x7c00, 0x7e00};
    std::uint32_t state = 7;
    while (result.size() < 110) result.push_back(((state = state * 1664525u + 1013904223u) >> 9) & 0x7fff);
    const std::size_t positive = result.size();
    for (std::size_t i = 0; i < positive; ++i) result.push_back(result[i] | 0x8000);
    return result;
  }

  static void expect_same(cl_half got, cl_half want, const std::string& what) {
    const bool nan = std::isnan(half_value(want));
    EXPECT_TRUE(nan ? std::isnan(half_value(got)) : got == want) << what << ": " << std::hex << got << ", not " << want;
  }

  /// `source`'s kernel k(global const half* a, b, c, global half* r) on all of them, and on one group that is not full.
  std::vector<cl_half> run(const std::string& body, const std::vector<cl_half>& a, const std::vector<cl_half>& b, const std::vector<cl_half>& c) {
    const Program program = session.build(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
        "kernel void k(global const half* a, global const half* b, global const half* c, global half* r) {"
        " size_t i = get_global_id(0); half x = a[i], y = b[i], z = c[i]; r[i] = " + body + "; }");
    const Mem from_a = session.upload(a), from_b = session.upload(b), from_c = session.upload(c), to = session.upload(a);
    session.launch(session.kernel(program, "k"), {{a.size()}, {100}}, from_a, from_b, from_c, to);
    return session.download<cl_half>(to, a.size());
  }

  void SetUp() override {
    ApiTest::SetUp();
    if (!has_extension("cl_khr_fp16")) GTEST_SKIP() << "no cl_khr_fp16";
    const auto all = numbers();
    std::uint32_t state = 3;
    for (const cl_half x : all)
      for (const cl_half y : all) {
        a.push_back(x);
        b.push_back(y);
        c.push_back(all[((state = state * 1664525u + 1013904223u) >> 9) % all.size()]);
      }
    while (a.size() % 100) a.push_back(0), b.push_back(0), c.push_back(0);
  }

  std::vector<cl_half> a, b, c;
};

TEST_F(Half, OperationsRoundOnce) {
  struct Operation {
    const char* text;
    long double (*host)(double, double);
  };
  const Operation operations[] = {
      {"x + y", [](double x, double y) { return static_cast<long double>(x) + y; }},
      {"x - y", [](double x, double y) { return static_cast<long double>(x) - y; }},
      {"x * y", [](double x, double y) { return static_cast<long double>(x) * y; }},
      {"x / y", [](double x, double y) { return static_cast<long double>(x) / y; }},
      {"sqrt(x)", [](double x, double) { return std::sqrt(static_cast<long double>(x)); }},
      {"-x", [](double x, double) { return -static_cast<long double>(x); }},
      {"fabs(x)", [](double x, double) { return std::fabs(static_cast<long double>(x)); }},
      {"rint(x)", [](double x, double) { return std::nearbyint(static_cast<long double>(x)); }},
      {"floor(x)", [](double x, double) { return std::floor(static_cast<long double>(x)); }},
      {"copysign(x, y)", [](double x, double y) { return std::copysign(static_cast<long double>(x), static_cast<long double>(y)); }},
  };
  for (const Operation& operation : operations) {
    const auto got = run(operation.text, a, b, c);
    for (std::size_t i = 0; i < a.size(); ++i)
      expect_same(got[i], half_of(operation.host(half_value(a[i]), half_value(b[i]))),
                  std::string(operation.text) + " of " + std::to_string(half_value(a[i])) + ", " + std::to_string(half_value(b[i])));
  }
}

TEST_F(Half, FusedProductsRoundOnce) {
  const auto got = run("fma(x, y, z)", a, b, c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    // 64 bits are enough for the sum, or it is so far above its smaller part that no midpoint is near.
    const long double want = static_cast<long double>(half_value(a[i])) * half_value(b[i]) + half_value(c[i]);
    expect_same(got[i], half_of(want), "fma " + std::to_string(i));
  }
}

TEST_F(Half, EachOperationOfAnExpressionRounds) {
  const auto got = run("x * y + z", a, b, c);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const cl_half product = half_of(static_cast<long double>(half_value(a[i])) * half_value(b[i]));
    expect_same(got[i], half_of(static_cast<long double>(half_value(product)) + half_value(c[i])), "sum " + std::to_string(i));
  }
}

TEST_F(Half, ComesFromDoublesAndIntegersRoundedOnce) {
  const Program program = session.build(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void d(global const double* a, global half* r) { size_t i = get_global_id(0); r[i] = (half)a[i]; }\n"
      "kernel void l(global const long* a, global half* r) { size_t i = get_global_id(0); r[i] = (half)a[i]; }\n"
      "kernel void b(global const half* a, global long* r) { size_t i = get_global_id(0); r[i] = convert_long_sat(a[i]); }");
  // Midpoints of halves and the doubles on both sides, which float does not tell apart.
  std::vector<cl_double> doubles;
  for (unsigned bits = 0; bits < 0x7bff; bits += 37) {
    const double middle = (half_value(static_cast<cl_half>(bits)) + half_value(static_cast<cl_half>(bits + 1))) / 2;
    for (const double x : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e9)}) doubles.insert(doubles.end(), {x, -x});
  }
  std::vector<cl_long> longs;
  for (cl_long x : {0l, 1l, 2047l, 2049l, 2051l, 65504l, 65519l, 65520l, 65535l, 16777217l, 1l << 62}) longs.insert(longs.end(), {x, -x});
  const auto check = [&](const char* name, const auto& from) {
    const Mem in = session.upload(from), out = session.upload(std::vector<cl_half>(from.size()));
    session.launch(session.kernel(program, name), {{from.size()}, {1}}, in, out);
    const auto got = session.download<cl_half>(out, from.size());
    for (std::size_t i = 0; i < from.size(); ++i) expect_same(got[i], half_of(from[i]), name + std::to_string(from[i]));
  };
  check("d", doubles);
  check("l", longs);
  const std::vector<cl_half> halves = {0x7c00, 0xfc00, 0x7e00, 0x7bff, 0xfbff, 0x3bff, 0x0001};
  const Mem in = session.upload(halves), out = session.upload(std::vector<cl_long>(halves.size()));
  session.launch(session.kernel(program, "b"), {{halves.size()}, {1}}, in, out);
  EXPECT_EQ(session.download<cl_long>(out, halves.size()), (std::vector<cl_long>{CL_LONG_MAX, CL_LONG_MIN, 0, 65504, -65504, 0, 0}));
}

TEST_F(Half, IsAnArgument) {
  const Program program = session.build(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(half s, half3 v, global half* r) { half4 w = (half4)(v.zyx, s) * s; vstore4(w, get_global_id(0), r); }");
  const Mem out = session.upload(std::vector<cl_half>(4 * 40));
  const cl_half half = 0x3800;  // 0.5
  const cl_half4 vector = {{0x3c00, 0x4000, 0x4200, 0}};
  session.launch(session.kernel(program, "k"), {{40}, {40}}, half, vector, out);
  const auto got = session.download<cl_half>(out, 4 * 40);
  for (std::size_t i = 0; i < 40; ++i)
    EXPECT_EQ(std::vector<cl_half>(got.begin() + 4 * i, got.begin() + 4 * i + 4), (std::vector<cl_half>{0x3e00, 0x3c00, 0x3800, 0x3400}));
}

}  // namespace
}  // namespace weft::conformance
