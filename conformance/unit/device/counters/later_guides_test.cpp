// CUDA C Best Practices Guide §9.2: its figures, for 2.x and 3.x, and the rules that later devices share.
#include <gtest/gtest.h>

#include "device/counters/branches.h"
#include "device/counters/constant_memory.h"
#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"
#include "patterns.h"

namespace weft::device::counters {
namespace {

using test::by_lane;
using test::strided;

TEST(CudaBestPractices, Figure3OneLine) {
  EXPECT_EQ(global_access(kCc20, strided(4, 1)).transactions_128, 1u);
  EXPECT_EQ(global_access(kCc20, strided(4, 1)).transferred_bytes, 128u);
  EXPECT_EQ(global_access(kCc20, by_lane(4, [](unsigned k) { return 4 * (k ^ 5); })).transactions, 1u)
      << "permuted";
  WarpAccess some = strided(4, 1);
  some.mask = 0x80000001u;
  EXPECT_EQ(global_access(kCc20, some).transferred_bytes, 128u) << "the whole line all the same";
}

TEST(CudaBestPractices, Figure4TwoLines) {
  EXPECT_EQ(global_access(kCc20, strided(4, 1, 1)).transactions, 2u);
}

TEST(CudaBestPractices, Figure5FiveSectors) {
  EXPECT_EQ(global_access(kCc20, strided(4, 1, 1), GlobalCaching::second_level).transactions_32, 5u);
  EXPECT_EQ(global_access(kCc35, strided(4, 1, 1)).sectors, 5u);
  EXPECT_EQ(global_access(kCc52, strided(4, 1, 1)).sectors, 5u);
}

TEST(CudaBestPractices, Figure6OffsetCopy) {
  for (unsigned offset = 0; offset <= 32; ++offset) {
    EXPECT_EQ(global_access(kCc20, strided(4, 1, offset)).transactions, offset % 32 == 0 ? 1u : 2u);
    EXPECT_EQ(global_access(kCc20, strided(4, 1, offset), GlobalCaching::second_level).sectors,
              offset % 8 == 0 ? 4u : 5u);
  }
}

TEST(CudaBestPractices, Figure7StrideOfTwo) {
  EXPECT_EQ(global_access(kCc20, strided(4, 2)).transactions, 2u);
  EXPECT_EQ(global_access(kCc20, strided(4, 2), GlobalCaching::second_level).sectors, 8u);
  const GlobalCost cost = global_access(kCc20, strided(4, 2));
  EXPECT_EQ(2 * cost.requested_bytes, cost.transferred_bytes);
  EXPECT_EQ(cost.fewest, 1u);
}

TEST(CudaBestPractices, Figure8StrideCopy) {
  for (unsigned stride = 1; stride <= 32; ++stride) {
    EXPECT_EQ(global_access(kCc20, strided(4, stride)).transactions, (31 * stride) / 32 + 1);
  }
  EXPECT_EQ(global_access(kCc20, strided(4, 32)).transactions, 32u);
}

TEST(CudaBestPractices, StoresPassTheFirstLevelCache) {
  const GlobalCost cost = global_access(kCc20, strided(4, 1, 0, Kind::store));
  EXPECT_EQ(cost.transactions_32, 4u);
  EXPECT_EQ(cost.transactions_128, 0u);
}

TEST(CudaBestPractices, WideWordsOf2xAreRequestsOfPartsOfAWarp) {
  EXPECT_EQ(global_access(kCc20, strided(8, 1)).transactions, 2u);
  EXPECT_EQ(global_access(kCc20, strided(16, 1)).transactions, 4u);
  EXPECT_EQ(global_access(kCc20, by_lane(16, [](unsigned) { return 256; })).transactions, 4u)
      << "each quarter-warp fetches the line";
}

TEST(CudaBestPractices, Text9_2_2_1ThirtyTwoBanks) {
  for (unsigned stride = 0; stride <= 64; ++stride) {
    // The lanes that share a bank: gcd(stride, 32), or none where all read one word.
    unsigned ways = 1;
    for (unsigned d = 2; d <= 32; d *= 2) ways = stride && stride % d == 0 ? d : ways;
    for (Capability capability : {kCc20, kCc50, kCc90}) {
      EXPECT_EQ(local_access(capability, strided(4, stride)).conflicts, ways - 1) << stride;
    }
  }
  EXPECT_EQ(local_access(kCc20, strided(1, 1)).conflicts, 0u) << "lanes share words by multicast";
  EXPECT_EQ(local_access(kCc20, by_lane(4, [](unsigned k) { return 4 * (k / 4 + 8 * (k % 2)); })).conflicts,
            0u);
}

TEST(CudaBestPractices, Text9_2_2_1SixtyFourBitBanksOf3x) {
  EXPECT_EQ(local_access(kCc30, strided(4, 2)).conflicts, 0u) << "32 words apart in a run of 64";
  EXPECT_EQ(local_access(kCc30, strided(4, 4)).conflicts, 1u);
  EXPECT_EQ(local_access(kCc30, strided(8, 1)).wavefronts, 1u);
  const LocalOptions wide{.bank_width = BankWidth::bits_64};
  EXPECT_EQ(local_access(kCc30, strided(4, 1), wide).conflicts, 0u);
  EXPECT_EQ(local_access(kCc30, strided(4, 2), wide).conflicts, 0u);
  EXPECT_EQ(local_access(kCc30, strided(4, 3), wide).conflicts, 1u);
  EXPECT_EQ(local_access(kCc30, strided(8, 1), wide).wavefronts, 1u);
  EXPECT_EQ(local_access(kCc30, strided(8, 2), wide).conflicts, 1u);
}

TEST(CudaBestPractices, WideWordsInLocalMemory) {
  EXPECT_EQ(local_access(kCc20, strided(8, 1)).wavefronts, 2u);
  EXPECT_EQ(local_access(kCc20, strided(8, 1)).conflicts, 0u);
  EXPECT_EQ(local_access(kCc20, strided(16, 1)).wavefronts, 8u) << "16-byte words conflict two-way on 2.x";
  EXPECT_EQ(local_access(kCc90, strided(16, 1)).wavefronts, 4u);
  EXPECT_EQ(local_access(kCc90, strided(8, 0)).wavefronts, 1u) << "half-warps joined";
  EXPECT_EQ(local_access(kCc20, strided(8, 0)).wavefronts, 2u);
  EXPECT_EQ(local_access(kCc90, strided(8, 0, 0, Kind::store)).wavefronts, 2u) << "stores never are";
}

TEST(CudaBestPractices, Text9_2_5ConstantAddressesOfAWarp) {
  EXPECT_EQ(constant_passes(kCc30, by_lane(4, [](unsigned k) { return k / 8 * 4; })), 4u);
}

TEST(Atomics, PassesOfTheMostRepeatedAddress) {
  for (Kind kind : {Kind::atomic, Kind::reduction}) {
    const GlobalCost cost = global_access(kCc90, by_lane(
                                                     4, [](unsigned k) { return k % 8 * 4; }, kind));
    EXPECT_EQ(cost.requests, 1u);
    EXPECT_EQ(cost.passes, 4u);
    EXPECT_EQ(cost.sectors, 4u);
    EXPECT_EQ(cost.fewest, 1u);
  }
  EXPECT_EQ(global_access(kCc90, joined(strided(4, 0, 0, Kind::reduction))).sectors, 1u);
  EXPECT_EQ(global_access(kCc12, strided(4, 0, 0, Kind::reduction)).transactions_32, 32u);
  EXPECT_EQ(local_access(kCc90, strided(4, 0, 0, Kind::atomic)).conflicts, 31u);
}

// Silicon's rule alone: a lane that loses its bank to another line of the same queue visits its sector again.
TEST(Atomics, LinesThatMeetInAQueue) {
  constexpr std::uint64_t line = 128;
  const auto three_lanes = [&](std::uint64_t other_line) {
    return by_lane(
        4, [&](unsigned k) { return k == 0 ? 0 : k == 1 ? other_line * line + 4 : 4; }, Kind::reduction, 7);
  };
  EXPECT_EQ(global_access(kCc90, three_lanes(5)).sectors, 3u) << "lines 0 and 5 share a queue";
  EXPECT_EQ(global_access(kCc90, three_lanes(4)).sectors, 2u) << "lines 0 and 4 do not";
}

// "Optimizing CUDA" tutorial, "Control flow": a condition below the warp's size diverges, one above it does
// not.
TEST(Branches, GranularityOfTheCondition) {
  BranchCounts counts;
  for (unsigned warp = 0; warp < 4; ++warp) {
    std::uint32_t taken = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) taken |= (warp * 32 + lane > 2 ? 1u : 0u) << lane;
    counts.branch(~0u, taken);
  }
  EXPECT_EQ(counts.branches, 4u);
  EXPECT_EQ(counts.divergent, 1u);
  for (unsigned warp = 0; warp < 4; ++warp) counts.branch(~0u, warp > 2 ? ~0u : 0u);
  EXPECT_EQ(counts.divergent, 1u);
  EXPECT_EQ(counts.efficiency(), 7.0 / 8);
  InstructionCounts instructions;
  instructions.execute(0xffffu, 10);
  EXPECT_EQ(instructions.efficiency(), 0.5);
}

}  // namespace
}  // namespace weft::device::counters
