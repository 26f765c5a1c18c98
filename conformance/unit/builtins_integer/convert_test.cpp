// convert_T[_sat][_mode] against exact values: long double holds every source exactly.
#include "cases.h"
#include "values.h"

#define DECLARE(S, D, suffix)                                        \
  extern "C" void convert_##S##_to_##D##suffix(ulong, const S*, D*); \
  extern "C" void convert_##S##_to_##D##suffix##_4(ulong, const S*, D*);
#define DECLARE_INTEGER(S, D) WEFT_TEST_MODES(DECLARE, S, D, ) WEFT_TEST_MODES(DECLARE, S, D, _sat)
#define DECLARE_FLOAT(S, D) WEFT_TEST_MODES(DECLARE, S, D, )
WEFT_TEST_TO_INTEGER(DECLARE_INTEGER)
WEFT_TEST_TO_FLOAT(DECLARE_FLOAT)

namespace weft::test {
namespace {

long double rounded(long double x, Mode mode) {
  switch (mode) {
    case Mode::kNearest:
      return std::nearbyint(x);
    case Mode::kUp:
      return std::ceil(x);
    case Mode::kDown:
      return std::floor(x);
    default:
      return std::trunc(x);
  }
}

/// The reference; false if the specification leaves the result open.
template <typename D, typename S>
bool converted(S source, Mode mode, bool saturate, D* result) {
  const long double x = source;
  if constexpr (std::integral<D>) {
    const long double low = std::numeric_limits<D>::min(), high = std::numeric_limits<D>::max();
    if (std::integral<S> && !saturate) {
      *result = static_cast<D>(source);
      return true;
    }
    if (std::isnan(x)) {
      *result = 0;
      return saturate;
    }
    const long double value = rounded(x, mode);
    if (value < low || value > high) {
      *result = value < low ? std::numeric_limits<D>::min() : std::numeric_limits<D>::max();
      return saturate;
    }
    *result = static_cast<D>(value);
    return true;
  } else {
    const int direction = mode == Mode::kZero   ? FE_TOWARDZERO
                          : mode == Mode::kUp   ? FE_UPWARD
                          : mode == Mode::kDown ? FE_DOWNWARD
                                                : FE_TONEAREST;
    volatile long double in = x;
    std::fesetround(direction);
    volatile D out = static_cast<D>(in);
    std::fesetround(FE_TONEAREST);
    *result = out;
    return true;
  }
}

template <typename T>
bool same(T a, T b) {
  if constexpr (std::floating_point<T>)
    return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b) || (a != a && b != b);
  return a == b;
}

template <typename S, typename D>
void check(const char* name, void (*scalar)(ulong, const S*, D*), void (*vector)(ulong, const S*, D*)) {
  const std::string suffix = name;
  const Mode mode = mode_of(suffix);
  const bool saturate = suffix.find("_sat") != std::string::npos;
  const std::vector<S> x = values<S>();
  std::vector<D> one(x.size()), four(x.size());
  scalar(x.size(), x.data(), one.data());
  vector(x.size(), x.data(), four.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    D expected;
    if (!converted(x[i], mode, saturate, &expected)) continue;
    ASSERT_TRUE(same(one[i], expected)) << name << "(" << +x[i] << ") = " << +one[i] << ", not " << +expected;
    ASSERT_TRUE(same(four[i], expected))
        << name << "_4(" << +x[i] << ") = " << +four[i] << ", not " << +expected;
  }
}

#define CHECK(S, D, suffix)                                                  \
  check<S, D>("convert_" #S "_to_" #D #suffix, convert_##S##_to_##D##suffix, \
              convert_##S##_to_##D##suffix##_4);
#define TEST_INTEGER(S, D)             \
  TEST(BuiltinsConvert, S##_to_##D) {  \
    WEFT_TEST_MODES(CHECK, S, D, )     \
    WEFT_TEST_MODES(CHECK, S, D, _sat) \
  }
#define TEST_FLOAT(S, D) \
  TEST(BuiltinsConvert, S##_to_##D) { WEFT_TEST_MODES(CHECK, S, D, ) }
WEFT_TEST_TO_INTEGER(TEST_INTEGER)
WEFT_TEST_TO_FLOAT(TEST_FLOAT)

}  // namespace
}  // namespace weft::test
