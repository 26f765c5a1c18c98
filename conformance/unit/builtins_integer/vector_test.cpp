// Vector memory accesses touch exactly their elements; shuffles take masks modulo the element count.
#include "values.h"

extern "C" void copy_3(ulong, const float*, float*);
extern "C" void widen_half_3(ulong, const ushort*, float*);
extern "C" void narrow_half_3(ulong, const float*, ushort*);
extern "C" void shuffle_8(ulong, const ushort*, const ushort*, ushort*);
extern "C" void shuffle2_16(ulong, const float*, const uint*, float*);

namespace weft::test {
namespace {

TEST(BuiltinsVector, ThreeVectorsArePacked) {
  std::vector<float> x(31), r(31, -1);
  for (int i = 0; i < 31; ++i) x[i] = static_cast<float>(i);
  copy_3(10, x.data(), r.data());
  x[30] = -1;
  EXPECT_EQ(r, x);
}

TEST(BuiltinsVector, AlignedHalvesOfThreeStandAtFours) {
  std::vector<ushort> x(40), back(40, 0xffff);
  for (int i = 0; i < 40; ++i) x[i] = static_cast<ushort>(0x3c00 + i);
  std::vector<float> r(30);
  widen_half_3(10, x.data(), r.data());
  narrow_half_3(10, r.data(), back.data());
  for (int i = 0; i < 40; ++i) EXPECT_EQ(back[i], i % 4 == 3 ? 0xffff : x[i]) << i;
}

TEST(BuiltinsVector, Shuffles) {
  std::mt19937 random(1);
  std::vector<ushort> x(40), mask(80), r(80);
  for (auto& v : x) v = static_cast<ushort>(random());
  for (auto& v : mask) v = static_cast<ushort>(random());
  shuffle_8(10, x.data(), mask.data(), r.data());
  for (int i = 0; i < 80; ++i) EXPECT_EQ(r[i], x[i / 8 * 4 + mask[i] % 4]) << i;

  std::vector<float> y(160), s(160);
  std::vector<uint> masks(160);
  for (auto& v : y) v = static_cast<float>(random());
  for (auto& v : masks) v = random();
  shuffle2_16(10, y.data(), masks.data(), s.data());
  for (int i = 0; i < 160; ++i) EXPECT_EQ(s[i], y[i / 16 * 16 + masks[i] % 16]) << i;
}

}  // namespace
}  // namespace weft::test
