// Half loads for all 65,536 bit patterns; stores in every rounding mode against the sorted list of halves.
#include <algorithm>

#include "cases.h"
#include "common/half_value.h"
#include "values.h"

extern "C" void load_half(ulong, const ushort*, float*);
extern "C" void load_half_4(ulong, const ushort*, float*);
#define DECLARE(T, suffix)                                          \
  extern "C" void store_half_##T##suffix(ulong, const T*, ushort*); \
  extern "C" void store_half_##T##suffix##_4(ulong, const T*, ushort*);
WEFT_TEST_HALF_STORES(DECLARE)

namespace weft::test {
namespace {

using conformance::half_value;

/// The bits of |x| rounded down, and whether that is exact.
unsigned half_below(double magnitude, bool* exact) {
  unsigned low = 0, high = 0x7c00;  // half_value(low) <= magnitude
  while (low < high) {
    const unsigned middle = (low + high + 1) / 2;
    if (half_value(middle) <= magnitude)
      low = middle;
    else
      high = middle - 1;
  }
  *exact = half_value(low) == magnitude;
  return low;
}

unsigned half_of(double x, Mode mode) {
  const unsigned sign = std::signbit(x) ? 0x8000 : 0;
  bool exact;
  const double magnitude = std::fabs(x);
  unsigned bits = half_below(magnitude, &exact);
  if (exact) return sign | bits;
  bool outward = (mode == Mode::kUp && !sign) || (mode == Mode::kDown && sign);
  if (mode == Mode::kDefault || mode == Mode::kNearest) {
    // Past the greatest half the spacing goes on: 65536 is where infinity stands.
    const double above = bits == 0x7bff ? 65536 : half_value(bits + 1),
                 middle = (half_value(bits) + above) / 2;
    outward = magnitude > middle || (magnitude == middle && (bits & 1));
  }
  return sign | (bits + outward);
}

TEST(BuiltinsHalf, Loads) {
  std::vector<ushort> halves(65536);
  for (unsigned i = 0; i < halves.size(); ++i) halves[i] = static_cast<ushort>(i);
  std::vector<float> one(halves.size()), four(halves.size());
  load_half(halves.size(), halves.data(), one.data());
  load_half_4(halves.size(), halves.data(), four.data());
  for (unsigned i = 0; i < halves.size(); ++i) {
    const float expected = static_cast<float>(half_value(i));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(one[i]) && std::isnan(four[i])) << i;
      continue;
    }
    ASSERT_EQ(std::bit_cast<uint>(one[i]), std::bit_cast<uint>(expected)) << i;
    ASSERT_EQ(std::bit_cast<uint>(four[i]), std::bit_cast<uint>(expected)) << i;
  }
}

template <typename T>
void check(const std::string& suffix, void (*scalar)(ulong, const T*, ushort*),
           void (*vector)(ulong, const T*, ushort*)) {
  std::vector<T> x = values<T>();
  // Each half, the middle between two, and the neighbours of both.
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const T value = static_cast<T>(half_value(bits)),
            next = bits == 0x7bff ? T(65536) : T(half_value(bits + 1));
    const T middle = (value + next) / 2;
    for (T v : {value, middle, std::nextafter(middle, T(0)), std::nextafter(middle, next)}) {
      x.push_back(v);
      x.push_back(-v);
    }
  }
  std::vector<ushort> one(x.size()), four(x.size());
  scalar(x.size(), x.data(), one.data());
  vector(x.size(), x.data(), four.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) {
      ASSERT_TRUE(std::isnan(half_value(one[i])) && std::isnan(half_value(four[i]))) << suffix;
      continue;
    }
    const unsigned expected = half_of(x[i], mode_of(suffix));
    ASSERT_EQ(one[i], expected) << suffix << " of " << x[i];
    ASSERT_EQ(four[i], expected) << suffix << " of 4-vectors, " << x[i];
  }
}

#define CHECK(T, suffix) check<T>(#suffix, store_half_##T##suffix, store_half_##T##suffix##_4);
TEST(BuiltinsHalf, Stores) { WEFT_TEST_HALF_STORES(CHECK) }

}  // namespace
}  // namespace weft::test
