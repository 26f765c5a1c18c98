// Programming Guide §3.1.2: its figures and the cases of its text, each by its number.
#include <gtest/gtest.h>

#include "device/counters/constant_memory.h"
#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"
#include "device/counters/private_memory.h"
#include "patterns.h"

namespace weft::device::counters {
namespace {

using test::by_lane;
using test::kFirstHalf;
using test::strided;

GlobalCost half_warp(Capability capability, WarpAccess access) {
  access.mask &= kFirstHalf;
  return global_access(capability, access);
}

/// Steps of the first half-warp.
unsigned steps(WarpAccess access, Broadcast broadcast = Broadcast::best) {
  access.mask &= kFirstHalf;
  return local_access(kCc10, access, {.broadcast = broadcast}).wavefronts;
}

// --- global memory
// ---------------------------------------------------------------------------------------------------

TEST(ProgrammingGuide, Figure3_1LeftAllLanesInOrder) {
  for (Capability capability : {kCc10, kCc11, kCc12, kCc13}) {
    const GlobalCost cost = half_warp(capability, by_lane(4, [](unsigned k) { return 128 + 4 * k; }));
    EXPECT_EQ(cost.transactions, 1u);
    EXPECT_EQ(cost.transactions_64, 1u);
    EXPECT_EQ(cost.incoherent, 0u);
  }
}

TEST(ProgrammingGuide, Figure3_1RightSomeLanesInactive) {
  const WarpAccess access = by_lane(
      4, [](unsigned k) { return 128 + 4 * k; }, Kind::load, 0xffff & ~0x2412u);
  EXPECT_EQ(half_warp(kCc10, access).transactions, 1u);
  EXPECT_EQ(half_warp(kCc12, access).transactions, 1u);
}

TEST(ProgrammingGuide, Figure3_2LeftNotInSequence) {
  const WarpAccess access = by_lane(4, [](unsigned k) { return 128 + 4 * (k == 3 ? 4 : k == 4 ? 3 : k); });
  EXPECT_EQ(half_warp(kCc10, access).transactions, 16u);
  EXPECT_EQ(half_warp(kCc10, access).incoherent, 16u);
}

TEST(ProgrammingGuide, Figure3_2RightMisaligned) {
  EXPECT_EQ(half_warp(kCc10, by_lane(4, [](unsigned k) { return 132 + 4 * k; })).transactions, 16u);
}

TEST(ProgrammingGuide, Figure3_3LeftNotContiguous) {
  EXPECT_EQ(half_warp(kCc10, by_lane(4, [](unsigned k) { return 128 + 8 * k; })).transactions, 16u);
}

TEST(ProgrammingGuide, Figure3_3RightFloat3) {
  // A float3 of 12 bytes is three instructions; the figure shows one of them.
  const GlobalCost cost = half_warp(kCc10, by_lane(12, [](unsigned k) { return 128 + 12 * k; }));
  EXPECT_EQ(cost.requests, 3u);
  EXPECT_EQ(cost.transactions, 3u * 16);
}

TEST(ProgrammingGuide, Figure3_4LeftRandomWithin64Bytes) {
  const WarpAccess access = by_lane(4, [](unsigned k) { return 128 + 4 * (k * 7 % 16); });
  const GlobalCost cost = half_warp(kCc12, access);
  EXPECT_EQ(cost.transactions, 1u);
  EXPECT_EQ(cost.transactions_64, 1u);
  EXPECT_EQ(half_warp(kCc11, access).transactions, 16u);
}

TEST(ProgrammingGuide, Figure3_4CenterMisaligned) {
  const GlobalCost cost = half_warp(kCc13, by_lane(4, [](unsigned k) { return 132 + 4 * k; }));
  EXPECT_EQ(cost.transactions, 1u);
  EXPECT_EQ(cost.transactions_128, 1u);
}

TEST(ProgrammingGuide, Figure3_4RightMisalignedOverTwoSegments) {
  const GlobalCost cost = half_warp(kCc13, by_lane(4, [](unsigned k) { return 120 + 4 * k; }));
  EXPECT_EQ(cost.transactions, 2u);
  EXPECT_EQ(cost.transactions_32, 1u);
  EXPECT_EQ(cost.transactions_64, 1u);
}

TEST(ProgrammingGuide, Text3_1_2_1WordsOf8And16Bytes) {
  const GlobalCost eight = half_warp(kCc10, strided(8, 1));
  EXPECT_EQ(eight.transactions, 1u);
  EXPECT_EQ(eight.transactions_128, 1u);
  const GlobalCost sixteen = half_warp(kCc10, strided(16, 1));
  EXPECT_EQ(sixteen.transactions, 2u);
  EXPECT_EQ(sixteen.transactions_128, 2u);
  EXPECT_EQ(half_warp(kCc12, strided(16, 1)).transactions_128, 2u) << "two at least for 16-byte words";
}

TEST(ProgrammingGuide, Text3_1_2_1BytesAndShorts) {
  EXPECT_EQ(half_warp(kCc10, strided(1, 1)).transactions, 16u) << "1.0 coalesces no words below 4 bytes";
  EXPECT_EQ(half_warp(kCc12, strided(1, 1)).transactions_32, 1u);
  EXPECT_EQ(half_warp(kCc12, strided(2, 1)).transactions_32, 1u)
      << "64 bytes, of which the lower half is used";
  EXPECT_EQ(half_warp(kCc12, strided(2, 2)).transactions_64, 1u);
  EXPECT_EQ(half_warp(kCc12, strided(1, 3)).transactions, 2u) << "48 bytes lie in two segments of 32";
}

TEST(ProgrammingGuide, Text3_1_2_1SeveralLanesOneAddress) {
  const WarpAccess same = by_lane(4, [](unsigned) { return 128; });
  EXPECT_EQ(half_warp(kCc12, same).transactions_32, 1u);
  EXPECT_EQ(half_warp(kCc10, same).transactions, 16u);
}

TEST(ProgrammingGuide, Text3_1_2_1TwoDimensionalArray) {
  // A group 16 wide, an array whose width is a multiple of 16, or is not.
  for (unsigned width : {512u, 500u}) {
    const WarpAccess rows =
        by_lane(4, [=](unsigned k) { return 4096 + 4 * (width * (k / 16 + 1) + k % 16); });
    EXPECT_EQ(global_access(kCc10, rows).transactions, width == 512 ? 2u : 32u) << width;
  }
}

TEST(ProgrammingGuide, Text3_1_2_2PrivateArraysCoalesce) {
  const WarpAccess element = by_lane(4, [](unsigned) { return 20; });
  const GlobalCost old = private_access(kCc10, element);
  EXPECT_EQ(old.transactions_64, 2u);
  EXPECT_EQ(old.incoherent, 0u);
  EXPECT_EQ(private_access(kCc90, element).sectors, 4u);
  EXPECT_EQ(private_access(kCc90, by_lane(8, [](unsigned) { return 16; })).sectors, 8u);
  EXPECT_EQ(private_access(kCc90, by_lane(4, [](unsigned k) { return 4 * k; })).sectors, 32u);
}

TEST(ProgrammingGuide, Text3_1_2_3ConstantAddresses) {
  EXPECT_EQ(constant_passes(kCc10, strided(4, 0)), 2u) << "one for each half-warp";
  EXPECT_EQ(constant_passes(kCc20, strided(4, 0)), 1u);
  EXPECT_EQ(constant_passes(kCc10, strided(4, 1)), 32u);
  const WarpAccess halves = by_lane(4, [](unsigned k) { return k / 16 * 4; });
  EXPECT_EQ(constant_passes(kCc10, halves), 2u);
  EXPECT_EQ(constant_passes(kCc90, halves), 2u) << "the same address in each half only";
}

// --- local memory
// ----------------------------------------------------------------------------------------------------

TEST(ProgrammingGuide, Figure3_5LeftStrideOfOneWord) { EXPECT_EQ(steps(strided(4, 1)), 1u); }

TEST(ProgrammingGuide, Figure3_5RightRandomPermutation) {
  EXPECT_EQ(steps(by_lane(4, [](unsigned k) { return 4 * ((k * 5 + 3) % 16); })), 1u);
}

TEST(ProgrammingGuide, Figure3_6StrideOfThreeWords) { EXPECT_EQ(steps(strided(4, 3)), 1u); }

TEST(ProgrammingGuide, Figure3_7LeftStrideOfTwoWords) { EXPECT_EQ(steps(strided(4, 2)), 2u); }

TEST(ProgrammingGuide, Figure3_7RightStrideOfEightWords) { EXPECT_EQ(steps(strided(4, 8)), 8u); }

TEST(ProgrammingGuide, Figure3_8LeftAllLanesWithinOneWord) {
  EXPECT_EQ(steps(by_lane(4, [](unsigned) { return 20; })), 1u);
  EXPECT_EQ(steps(by_lane(1, [](unsigned k) { return 20 + k % 4; })), 1u);
}

TEST(ProgrammingGuide, Figure3_8RightTheBroadcastWordDecides) {
  // Several lanes read bank 5's word; the others read banks of their own.
  const WarpAccess access = by_lane(4, [](unsigned k) { return 4 * (k == 3 || k == 4 || k == 6 ? 5 : k); });
  EXPECT_EQ(steps(access, Broadcast::best), 1u);
  EXPECT_GT(steps(access, Broadcast::worst), 1u);
  const WarpAccess two = by_lane(4, [](unsigned k) { return 4 * (k == 4 ? 5 : k); });
  EXPECT_EQ(steps(two, Broadcast::best), 1u);
  EXPECT_EQ(steps(two, Broadcast::worst), 2u) << "two-way";
}

TEST(ProgrammingGuide, Text3_1_2_5OddStridesOnly) {
  for (unsigned stride = 1; stride <= 33; ++stride) {
    EXPECT_EQ(steps(strided(4, stride)) == 1, stride % 2 == 1) << stride;
  }
}

TEST(ProgrammingGuide, Text3_1_2_5Chars) {
  EXPECT_GT(steps(strided(1, 1)), 1u);
  EXPECT_EQ(steps(strided(1, 4)), 1u);
}

TEST(ProgrammingGuide, Text3_1_2_5Doubles) {
  WarpAccess access = strided(8, 1);
  access.mask = kFirstHalf;
  const LocalCost cost = local_access(kCc13, access);
  EXPECT_EQ(cost.wavefronts, 4u) << "two 32-bit requests, each two-way";
  EXPECT_EQ(cost.conflicts, 2u);
  EXPECT_EQ(steps(strided(4, 1)), 1u) << "the halves in arrays of their own";
}

TEST(ProgrammingGuide, Text3_1_2_5StructsOf3And2And5) {
  for (unsigned member = 0; member < 3; ++member) {
    EXPECT_EQ(steps(by_lane(4, [=](unsigned k) { return 12 * k + 4 * member; })), 1u) << "three words";
  }
  for (unsigned member = 0; member < 2; ++member) {
    EXPECT_EQ(steps(by_lane(4, [=](unsigned k) { return 8 * k + 4 * member; })), 2u) << "two words";
  }
  for (unsigned member = 0; member < 5; ++member) {
    EXPECT_EQ(steps(by_lane(4, [=](unsigned k) { return 20 * k + 4 * member; })), 1u) << "five words";
  }
  // A float and a char in five bytes, packed: the float, which the guide calls one read, is split by the
  // bytes that it is aligned to, so only the char is compared.
  EXPECT_GT(steps(by_lane(1, [](unsigned k) { return 5 * k + 4; })), 1u) << "five bytes";
}

TEST(ProgrammingGuide, Text3_1_2_5HalvesOfAWarpDoNotConflict) {
  const LocalCost cost =
      local_access(kCc10, by_lane(4, [](unsigned k) { return 4 * (k % 16) + 1024 * (k / 16); }));
  EXPECT_EQ(cost.wavefronts, 2u);
  EXPECT_EQ(cost.conflicts, 0u);
}

}  // namespace
}  // namespace weft::device::counters
