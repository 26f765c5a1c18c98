// Measures the math functions of the OpenCL C library against quadruple precision and the bounds of the full
// profile (OpenCL C 3.0 §7.4). The library is linked as scalar code of the host.
//
//   unit_builtins_math [samples] [name...]     default: 20000 of all, and as many near the worst of one argument
//   unit_builtins_math every [name...]         functions of one float at all floats, against the double function
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "measure.h"
#include "reference.h"

namespace {

using namespace weft::test;

int samples = 20000;
std::vector<std::string> chosen;
int failures = 0;

bool is_chosen(const std::string& name) {
  for (const auto& c : chosen) {
    if (c == name) return true;
  }
  return chosen.empty();
}

template <typename T>
void report(const char* name, const Worst<T>& worst, double bound, bool two) {
  const bool failed = worst.error > bound;
  failures += failed;
  std::printf("%-12s %-6s %10.3g %8g%s", name, sizeof(T) == 4 ? "float" : "double", worst.error, bound,
              failed ? "  FAIL" : "");
  if (failed || std::getenv("WEFT_TEST_VERBOSE")) {
    std::printf("  at %a", double(worst.x));
    if (two) std::printf(", %a", double(worst.y));
    std::printf(": %a, exact %a", double(worst.got), double(worst.want));
  }
  std::printf("\n");
}

template <typename T>
void note(Worst<T>& worst, T x, T y, T got, Quad want) {
  const double error = ulp_error(got, want);
  if (error > worst.error) worst = {error, x, y, got, static_cast<T>(want)};
}

template <typename T, typename F, typename R>
void unary(const char* name, F function, R reference, double bound, double limit) {
  if (!is_chosen(name)) return;
  Worst<T> worst;
  const auto check = [&](T x) { note<T>(worst, x, 0, function(x), reference(Quad(x))); };
  for (const T x : Arguments<T>::special()) check(x);
  Arguments<T> arguments(limit, 1);
  for (int i = 0; i < samples; ++i) check(arguments.next());
  // Where the error is great, it is greater close by.
  for (int i = 0; i < samples; ++i) check(arguments.near(worst.x));
  report(name, worst, bound, false);
}

/// All arguments there are, on all processors. What double gives is taken for exact: its own error is nothing beside a float's last place.
template <typename F, typename R>
void every(const char* name, F function, R reference, double bound) {
  if (!is_chosen(name)) return;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst<float>> worst(threads);
  {
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        Worst<float> mine;
        for (std::uint64_t bits = t; bits < std::uint64_t{1} << 32; bits += threads) {
          const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits)), got = function(x);
          const double want = reference(double(x)), error = ulp_error(got, want);
          if (error > mine.error) mine = {error, x, 0, got, float(want)};
        }
        worst[t] = mine;
      });
  }
  report(name, *std::ranges::max_element(worst, {}, &Worst<float>::error), bound, false);
  std::fflush(stdout);
}

template <typename T, typename F, typename R>
void binary(const char* name, F function, R reference, double bound, double limit) {
  if (!is_chosen(name)) return;
  Worst<T> worst;
  const auto check = [&](T x, T y) { note(worst, x, y, function(x, y), reference(Quad(x), Quad(y))); };
  for (const T x : Arguments<T>::special()) {
    for (const T y : Arguments<T>::special()) check(x, y);
  }
  Arguments<T> arguments(limit, 2);
  for (int i = 0; i < samples; ++i) {
    const T x = arguments.next();
    check(x, arguments.next());
  }
  report(name, worst, bound, true);
}

/// The second argument an int.
template <typename T, typename F, typename R>
void with_int(const char* name, F function, R reference, double bound, double limit) {
  if (!is_chosen(name)) return;
  Worst<T> worst;
  const auto check = [&](T x, int n) { note<T>(worst, x, T(n), function(x, n), reference(Quad(x), n)); };
  std::vector<int> numbers = {0,          1,         2, 3, 4, 5, 31, 32, 127, 150, 1023, 2100, (1 << 24) + 1,
                              2147483646, 2147483647};
  for (int i = static_cast<int>(numbers.size()); i-- > 0;) numbers.push_back(-numbers[i]);
  numbers.push_back(-2147483647 - 1);
  for (const T x : Arguments<T>::special()) {
    for (const int n : numbers) check(x, n);
  }
  Arguments<T> arguments(limit, 3);
  std::mt19937 engine(4);
  for (int i = 0; i < samples; ++i) {
    const int n = static_cast<int>(engine()) >> engine() % 32;
    check(arguments.next(), n);
    check(T(1) + std::ldexp(arguments.next(), -static_cast<int>(engine() % 24)), n);
  }
  report(name, worst, bound, true);
}

/// Results that must be equal in every bit, NaN apart: `wrong` counts the others.
template <typename T>
void exact(const char* name, int wrong, int total) {
  failures += wrong != 0;
  std::printf("%-12s %-6s %10d wrong of %d%s\n", name, sizeof(T) == 4 ? "float" : "double", wrong, total,
              wrong ? "  FAIL" : "");
}
template <typename T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// ---- the library, under its mangled names
// ----------------------------------------------------------------------

#define NAMES1(name, length)                             \
  float name##_f(float) __asm__("_Z" #length #name "f"); \
  double name##_d(double) __asm__("_Z" #length #name "d");
#define NAMES2(name, length)                                     \
  float name##_f(float, float) __asm__("_Z" #length #name "ff"); \
  double name##_d(double, double) __asm__("_Z" #length #name "dd");
#define NAMES_INT(name, length)                                \
  float name##_f(float, int) __asm__("_Z" #length #name "fi"); \
  double name##_d(double, int) __asm__("_Z" #length #name "di");
#define NAMES_POINTER(name, length, F, D, f, d)                  \
  float name##_f(float, F*) __asm__("_Z" #length #name "fP" #f); \
  double name##_d(double, D*) __asm__("_Z" #length #name "dP" #d);
extern "C" {
// name, length, reference, bound, span of most arguments
#define UNARY(M)                                                                                             \
  M(acos, 4, acosq, 4, 1)                                                                                    \
  M(acosh, 5, acoshq, 4, 100)                                                                                \
  M(acospi, 6, acospi_of, 5, 1) M(asin, 4, asinq, 4, 1) M(asinh, 5, asinhq, 4, 100) M(                       \
      asinpi, 6, asinpi_of, 5, 1) M(atan, 4, atanq, 5, 10) M(atanh, 5, atanhq, 5, 1)                         \
      M(atanpi, 6, atanpi_of, 5, 10) M(cbrt, 4, cbrtq, 2, 1e6) M(ceil, 4, ceilq, 0, 10) M(                   \
          cos, 3, cosq, 4, 1e5) M(cosh, 4, coshq, 4, 90) M(cospi, 5, cospi_of, 4, 100)                       \
          M(erf, 3, erfq, 16, 5) M(erfc, 4, erfcq, 16, 11) M(exp, 3, expq, 3, 105) M(exp2, 4, exp2q, 3, 150) \
              M(exp10, 5, exp10_of, 3, 45) M(expm1, 5, expm1q, 3, 90) M(fabs, 4, fabsq, 0, 10)               \
                  M(floor, 5, floorq, 0, 10) M(log, 3, logq, 3, 10) M(log2, 4, log2q, 3, 10)                 \
                      M(log10, 5, log10q, 3, 10) M(log1p, 5, log1pq, 2, 10) M(logb, 4, logb_of, 0, 10)       \
                          M(rint, 4, rintq, 0, 10) M(round, 5, roundq, 0, 10) M(rsqrt, 5, rsqrt_of, 2, 10)   \
                              M(sin, 3, sinq, 4, 1e5) M(sinh, 4, sinhq, 4, 90) M(sinpi, 5, sinpi_of, 4, 100) \
                                  M(sqrt, 4, sqrtq, 0.5, 10) M(tan, 3, tanq, 5, 1e5)                         \
                                      M(tanh, 4, tanhq, 5, 10) M(tanpi, 5, tanpi_of, 6, 100)                 \
                                          M(tgamma, 6, tgamma_of, 16, 40) M(lgamma, 6, lgamma_of, 1e9, 40)   \
                                              M(trunc, 5, truncq, 0, 10)
#define BINARY(M)                                                                              \
  M(atan2, 5, atan2q, 6, 10)                                                                   \
  M(atan2pi, 7, atan2pi_of, 6, 10)                                                             \
  M(copysign, 8, copysignq, 0, 10) M(fdim, 4, fdim_of, 0.5, 10) M(fmod, 4, fmodq, 0, 1e3)      \
      M(hypot, 5, hypotq, 4, 10) M(maxmag, 6, maxmag_of, 0, 10) M(minmag, 6, minmag_of, 0, 10) \
          M(pow, 3, powq, 16, 20) M(powr, 4, powr_of, 16, 20) M(remainder, 9, remainderq, 0, 1e3)
#define WITH_INT(M) M(ldexp, 5, ldexpq, 0.5, 10) M(pown, 4, pown_of, 16, 10) M(rootn, 5, rootn_of, 16, 10)
#define NAMES1_OF(name, length, ...) NAMES1(name, length)
#define NAMES2_OF(name, length, ...) NAMES2(name, length)
#define NAMES_INT_OF(name, length, ...) NAMES_INT(name, length)
UNARY(NAMES1_OF)
BINARY(NAMES2_OF)
WITH_INT(NAMES_INT_OF)
NAMES2(nextafter, 9)
NAMES2(fmax, 4)
NAMES2(fmin, 4)
NAMES_POINTER(fract, 5, float, double, f, d)
NAMES_POINTER(modf, 4, float, double, f, d)
NAMES_POINTER(sincos, 6, float, double, f, d)
NAMES_POINTER(frexp, 5, int, int, i, i)
NAMES_POINTER(lgamma_r, 8, int, int, i, i)
float remquo_f(float, float, int*) __asm__("_Z6remquoffPi");
double remquo_d(double, double, int*) __asm__("_Z6remquoddPi");
int ilogb_f(float) __asm__("_Z5ilogbf");
int ilogb_d(double) __asm__("_Z5ilogbd");
// float alone; bounds in ulp where the result is normal
#define NATIVE(M)                                                                                   \
  M(native_exp2, 11, exp2q)                                                                         \
  M(native_exp, 10, expq)                                                                           \
  M(native_log2, 11, log2q) M(native_log, 10, logq) M(native_sin, 10, sinq) M(native_cos, 10, cosq) \
      M(native_tan, 10, tanq) M(native_rsqrt, 12, rsqrt_of)
#define NATIVE_NAME(name, length, reference) float name##_f(float) __asm__("_Z" #length #name "f");
NATIVE(NATIVE_NAME)
// Of relaxed math: name, its length with __weft_relaxed_, reference, range, absolute error allowed beside ulp, ulp, ulp for each |x|
// (OpenCL C 3.0 §7.4, with unsafe math optimizations; tighter where these functions are).
#define RELAXED(M)                                                                                                             \
  M(exp, 18, expq, -80, 80, 0, 3, 2)                                                                                           \
  M(exp2, 19, exp2q, -120, 120, 0, 3, 2)                                                                                       \
  M(exp10, 20, exp10_of, -35, 35, 0, 8, 7) M(log, 18, logq, 0, 1e30, 0x1p-21, 3, 0) M(log2, 19, log2q, 0, 1e30, 0x1p-21, 3, 0) \
      M(log10, 20, log10q, 0, 1e30, 0x1p-21, 3, 0) M(log, 18, logq, 0.5, 2, 0x1p-21, 3, 0)                                   \
          M(sin, 18, sinq, -3.15, 3.15, 0x1p-20, 0, 0) M(cos, 18, cosq, -3.15, 3.15, 0x1p-20, 0, 0)                            \
              M(sin, 18, sinq, -1e5, 1e5, 0x1p-11, 0, 0) M(tan, 18, tanq, -1.5, 1.5, 0, 16, 0)                                 \
                  M(tanh, 19, tanhq, -20, 20, 0, 16, 0) M(asin, 19, asinq, -1, 1, 0, 64, 0)                                    \
                      M(acos, 19, acosq, -1, 1, 0, 64, 0) M(atan, 19, atanq, -100, 100, 0, 64, 0)                              \
                          M(sqrt, 19, sqrtq, 0, 1e30, 0, 3, 0)
#define RELAXED_NAME(name, length, ...) float relaxed_##name(float) __asm__("_Z" #length "__weft_relaxed_" #name "f");
RELAXED(RELAXED_NAME)
float relaxed_pow(float, float) __asm__("_Z18__weft_relaxed_powff");
float relaxed_pown(float, int) __asm__("_Z19__weft_relaxed_pownfi");
float relaxed_rootn(float, int) __asm__("_Z20__weft_relaxed_rootnfi");
float relaxed_atan2(float, float) __asm__("_Z20__weft_relaxed_atan2ff");
}

/// `count` points of [low, high], on a logarithmic scale where low is 0.
template <typename F>
void each_point(double low, double high, F use) {
  const int count = 200000;
  for (int i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    use(static_cast<float>(low == 0 ? high * std::exp2(-200 * share) : low + (high - low) * share));
  }
}

void relaxed(const char* name, float (*function)(float), Quad (*reference)(Quad), double low, double high, double absolute, double ulp,
             double ulp_each) {
  double worst = 0, beyond = 0;
  each_point(low, high, [&](float x) {
    const Quad want = reference(Quad(x));
    const float got = function(x);
    const double error = ulp_error(got, want);
    if (static_cast<double>(fabsq(Quad(got) - want)) <= absolute || std::abs(static_cast<double>(want)) < 0x1p-126) return;
    worst = std::max(worst, error);
    beyond = std::max(beyond, error - ulp - ulp_each * std::abs(x));
  });
  failures += beyond > 0;
  std::printf("relaxed %-8s %8.3g ulp beyond %.3g absolute, in [%g, %g]%s\n", name, worst, absolute, low, high, beyond > 0 ? "  FAIL" : "");
}

/// Of two arguments: relative errors.
void relaxed_pairs() {
  double worst[4] = {};
  const auto note = [](double& all, float got, double want) {
    if (std::isnormal(static_cast<float>(want))) all = std::max(all, std::abs(got / want - 1));
  };
  for (int i = 1; i < 1000; ++i) {
    for (int k = -100; k < 100; ++k) {
      const float x = static_cast<float>(i) * 0.037f, y = static_cast<float>(k) * 0.173f;
      note(worst[0], relaxed_pow(x, y), std::pow(double(x), double(y)));
      note(worst[0], relaxed_pow(-x, static_cast<float>(k)), std::pow(-double(x), k));
      note(worst[1], relaxed_pown(-x, k), std::pow(-double(x), k));
      note(worst[2], relaxed_rootn(-x, 2 * k + 1), -std::pow(double(x), 1.0 / (2 * k + 1)));
      note(worst[3], relaxed_atan2(y, x), std::atan2(double(y), double(x)));
      note(worst[3], relaxed_atan2(y, -x), std::atan2(double(y), -double(x)));
    }
  }
  failures += relaxed_pow(0, 0) != 1 || relaxed_pow(0, 3) != 0 || relaxed_pow(1, 1e30f) != 1 || relaxed_atan2(0, 0) != 0;
  const char* const names[] = {"pow", "pown", "rootn", "atan2"};
  for (int i = 0; i < 4; ++i) {
    failures += !(worst[i] < 0x1p-15);
    std::printf("relaxed %-8s %8.3g relative%s\n", names[i], worst[i], worst[i] < 0x1p-15 ? "" : "  FAIL");
  }
}
#define RUN_RELAXED(name, length, reference, ...) relaxed(#name, relaxed_##name, reference, __VA_ARGS__);

#define RUN1(name, length, reference, bound, limit)       \
  unary<float>(#name, name##_f, reference, bound, limit); \
  unary<double>(#name, name##_d, reference, bound, limit);
#define RUN2(name, length, reference, bound, limit)        \
  binary<float>(#name, name##_f, reference, bound, limit); \
  binary<double>(#name, name##_d, reference, bound, limit);
#define RUN_INT(name, length, reference, bound, limit)       \
  with_int<float>(#name, name##_f, reference, bound, limit); \
  with_int<double>(#name, name##_d, reference, bound, limit);

/// What is exact beside the float function: the library's `own` for double, but where that takes microseconds for large arguments.
using Function = double (*)(double);
Function exact_of(const std::string& name, Function own) {
  if (name == "sin") return [](double x) { return std::sin(x); };
  if (name == "cos") return [](double x) { return std::cos(x); };
  if (name == "tan") return [](double x) { return std::tan(x); };
  return own;
}
#define RUN_EVERY(name, length, reference, bound, limit) every(#name, name##_f, exact_of(#name, name##_d), bound);

/// native_*: absolute error relative to max(1, |result|) on an everyday range.
#define RUN_NATIVE(name, length, reference)                                                      \
  {                                                                                              \
    double worst = 0;                                                                            \
    for (int i = 1; i < 4000; ++i) {                                                             \
      const float x = i * 0.005f;                                                                \
      const Quad want = reference(Quad(x));                                                      \
      const Quad scale = fabsq(want) > 1 ? fabsq(want) : Quad(1);                                \
      worst = std::max(worst, static_cast<double>(fabsq(Quad(name##_f(x)) - want) / scale));     \
    }                                                                                            \
    failures += !(worst < 1e-5);                                                                 \
    std::printf("%-12s float  %10.3g relative%s\n", #name, worst, worst < 1e-5 ? "" : "  FAIL"); \
  }

template <typename T>
struct Exact {
  T (*nextafter)(T, T);
  T (*fmax)(T, T);
  T (*fmin)(T, T);
  T (*remquo)(T, T, int*);
  T (*fract)(T, T*);
  T (*modf)(T, T*);
  T (*sincos)(T, T*);
  T (*sin)(T);
  T (*cos)(T);
  T (*frexp)(T, int*);
  T (*lgamma_r)(T, int*);
  int (*ilogb)(T);

  void run() const {
    int wrong[9] = {}, pairs = 0, ones = 0;
    const auto pair = [&](T x, T y) {
      ++pairs;
      wrong[0] += !same(nextafter(x, y), std::nextafter(x, y));
      if (x != 0 || y != 0) {
        wrong[1] += !same(fmax(x, y), std::isnan(x) ? y : std::isnan(y) || x > y ? x : y);
        wrong[2] += !same(fmin(x, y), std::isnan(x) ? y : std::isnan(y) || x < y ? x : y);
      }
      int quotient = 0;
      const T r = remquo(x, y, &quotient);
      wrong[3] += !same(r, std::remainder(x, y)) || quotient != quotient_bits(x, y);
    };
    const auto one = [&](T x) {
      ++ones;
      T whole = 0, expected_whole = 0;
      int e = 0, expected_e = 0;
      const T expected_fract = std::isnan(x)   ? x
                               : std::isinf(x) ? std::copysign(T(0), x)
                                               : std::fmin(x - std::floor(x), std::nextafter(T(1), T(0)));
      const T f = fract(x, &whole);
      wrong[4] += !same(f, expected_fract) || !same(whole, std::floor(x));
      const T m = modf(x, &whole);
      wrong[5] += !same(m, std::modf(x, &expected_whole)) || !same(whole, expected_whole);
      const T half = frexp(x, &e);
      wrong[6] += !same(half, std::frexp(x, &expected_e)) || (std::isfinite(x) && e != expected_e);
      wrong[7] += ilogb(x) != (x == 0 ? -2147483647 - 1 : !std::isfinite(x) ? 2147483647 : std::ilogb(x));
      const T sine = sincos(x, &whole);
      wrong[8] += !same(sine, sin(x)) || !same(whole, cos(x));
    };
    for (const T x : Arguments<T>::special()) {
      one(x);
      for (const T y : Arguments<T>::special()) pair(x, y);
    }
    Arguments<T> arguments(100, 5);
    for (int i = 0; i < samples; ++i) {
      const T x = arguments.next();
      one(x);
      pair(x, arguments.next());
    }
    const char* const names[] = {"nextafter", "fmax",  "fmin",  "remquo", "fract",
                                 "modf",      "frexp", "ilogb", "sincos"};
    for (int i = 0; i < 9; ++i) {
      if (is_chosen(names[i])) exact<T>(names[i], wrong[i], i < 4 ? pairs : ones);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) samples = std::atoi(argv[1]);
  for (int i = 2; i < argc; ++i) chosen.emplace_back(argv[i]);
  if (argc > 1 && std::string(argv[1]) == "every") {
    UNARY(RUN_EVERY)
    std::printf("%d failed\n", failures);
    return failures != 0;
  }
  UNARY(RUN1)
  BINARY(RUN2)
  WITH_INT(RUN_INT)
  Exact<float>{nextafter_f, fmax_f, fmin_f, remquo_f, fract_f,    modf_f,
               sincos_f,    sin_f,  cos_f,  frexp_f,  lgamma_r_f, ilogb_f}
      .run();
  Exact<double>{nextafter_d, fmax_d, fmin_d, remquo_d, fract_d,    modf_d,
                sincos_d,    sin_d,  cos_d,  frexp_d,  lgamma_r_d, ilogb_d}
      .run();
  if (chosen.empty()) {
    NATIVE(RUN_NATIVE)
    RELAXED(RUN_RELAXED)
    relaxed_pairs();
  }
  std::printf("%d failed\n", failures);
  return failures != 0;
}
