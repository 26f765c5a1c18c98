// Best Practices Guide §3.2: its figures and listings, each by its number.
#include <gtest/gtest.h>

#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"
#include "device/counters/partitions.h"
#include "patterns.h"

namespace weft::device::counters {
namespace {

using test::by_lane;
using test::kFirstHalf;
using test::strided;

constexpr unsigned kTile = 16;

GlobalCost half_warp(Capability capability, WarpAccess access, unsigned half = 0) {
  access.mask &= half ? ~kFirstHalf : kFirstHalf;
  return global_access(capability, access);
}

// --- §3.2.1: coalescing
// ------------------------------------------------------------------------------------------

TEST(BestPracticesGuide, Figure3_4AllLanesButOne) {
  WarpAccess access = strided(4, 1);
  access.mask &= ~(1u << 9);
  for (Capability capability : {kCc10, kCc11, kCc12, kCc13}) {
    const GlobalCost cost = half_warp(capability, access);
    EXPECT_EQ(cost.transactions, 1u);
    EXPECT_EQ(cost.transactions_64, 1u);
    EXPECT_EQ(cost.requested_bytes, 60u);
    EXPECT_EQ(cost.transferred_bytes, 64u);
  }
  const WarpAccess permuted = by_lane(4, [](unsigned k) { return 4096 + 4 * (k ^ 1); });
  EXPECT_EQ(half_warp(kCc12, permuted).transactions_64, 1u);
  EXPECT_EQ(half_warp(kCc11, permuted).transactions, 16u);
}

TEST(BestPracticesGuide, Figure3_5OneSegmentOf128Bytes) {
  EXPECT_EQ(half_warp(kCc13, strided(4, 1, 1)).transactions, 1u);
  EXPECT_EQ(half_warp(kCc13, strided(4, 1, 1)).transactions_128, 1u);
  EXPECT_EQ(half_warp(kCc11, strided(4, 1, 1)).transactions, 16u);
}

TEST(BestPracticesGuide, Figure3_6TwoSegments) {
  const GlobalCost cost = half_warp(kCc13, strided(4, 1, 17));
  EXPECT_EQ(cost.transactions, 2u);
  EXPECT_EQ(cost.transactions_64, 1u);
  EXPECT_EQ(cost.transactions_32, 1u);
}

// Figure 3.7 and Listing 3.5: the copy with an offset, on 1.0 (GeForce 8800) and 1.3 (GTX 280).
TEST(BestPracticesGuide, Figure3_7OffsetCopy) {
  for (unsigned offset = 0; offset <= 32; ++offset) {
    const WarpAccess access = strided(4, 1, offset);
    const GlobalCost old = half_warp(kCc10, access);
    EXPECT_EQ(old.transactions, offset % 16 == 0 ? 1u : 16u) << offset;
    EXPECT_EQ(old.transferred_bytes, offset % 16 == 0 ? 64u : 16u * 32) << offset;

    // Half-warps alternate: the even one starts in a segment's lower half, the odd one in its upper half.
    // Offsets from 16 on exchange them.
    const unsigned even = offset / 16 % 2, odd = 1 - even;
    const GlobalCost first = half_warp(kCc13, access, even), second = half_warp(kCc13, access, odd);
    const unsigned within = offset % 16;
    if (within == 0) {
      EXPECT_EQ(first.transactions_64, 1u) << offset;
      EXPECT_EQ(second.transactions_64, 1u) << offset;
      EXPECT_EQ(first.transactions + second.transactions, 2u) << offset;
      continue;
    }
    EXPECT_EQ(first.transactions, 1u) << offset;
    EXPECT_EQ(first.transactions_128, 1u) << offset;
    EXPECT_EQ(second.transactions, 2u) << offset;
    if (within == 8) {
      EXPECT_EQ(second.transactions_32, 2u) << "the guide's blip at 8";
    } else {
      EXPECT_EQ(second.transactions_64, 1u) << offset;
      EXPECT_EQ(second.transactions_32, 1u) << offset;
    }
  }
}

TEST(BestPracticesGuide, Figure3_8StrideOfTwo) {
  const GlobalCost cost = half_warp(kCc13, strided(4, 2));
  EXPECT_EQ(cost.transactions, 1u);
  EXPECT_EQ(cost.transactions_128, 1u);
  EXPECT_EQ(2 * cost.requested_bytes, cost.transferred_bytes) << "half of the transaction is not used";
  EXPECT_EQ(cost.fewest, 1u);
}

// Figure 3.9 and Listing 3.6: the copy with a stride.
TEST(BestPracticesGuide, Figure3_9StrideCopy) {
  unsigned before = 0;
  for (unsigned stride = 1; stride <= 40; ++stride) {
    const GlobalCost cost = half_warp(kCc13, strided(4, stride));
    EXPECT_GE(cost.transactions, before) << "waste grows with the stride";
    before = cost.transactions;
    EXPECT_EQ(cost.transactions, (15 * stride * 4) / 128 + 1 > 16 ? 16u : (15 * stride * 4) / 128 + 1)
        << stride;
    EXPECT_EQ(half_warp(kCc10, strided(4, stride)).transactions, stride == 1 ? 1u : 16u) << stride;
  }
  EXPECT_EQ(before, 16u) << "one for each lane in the end";
}

// --- §3.2.2: local memory in matrix products
// -----------------------------------------------------------------------

/// Work-item (x, y) of a 16 × 16 group: lane 0 to 15 are row y, 16 to 31 row y + 1.
unsigned column(unsigned lane) { return lane % kTile; }
unsigned row(unsigned lane) { return lane / kTile; }

TEST(BestPracticesGuide, Listing3_7SimpleMultiply) {
  constexpr unsigned n = 512;
  for (unsigned i = 0; i < kTile; ++i) {
    const WarpAccess a = by_lane(4, [=](unsigned k) { return 4 * (row(k) * kTile + i); });
    EXPECT_EQ(half_warp(kCc11, a).transactions, 16u) << "all lanes read one word";
    EXPECT_EQ(half_warp(kCc12, a).transactions, 1u);
    EXPECT_EQ(half_warp(kCc12, a).transferred_bytes, 32u) << "of which 4 are used";
    const WarpAccess b = by_lane(4, [=](unsigned k) { return 4 * (i * n + column(k)); });
    EXPECT_EQ(half_warp(kCc10, b).transactions, 1u);
    EXPECT_EQ(half_warp(kCc13, b).transactions, 1u);
  }
}

TEST(BestPracticesGuide, Listing3_8And3_9SharedTiles) {
  for (unsigned i = 0; i < kTile; ++i) {
    const WarpAccess a_tile = by_lane(4, [=](unsigned k) { return 4 * (row(k) * kTile + i); });
    EXPECT_EQ(local_access(kCc10, a_tile).conflicts, 0u) << "broadcast";
    const WarpAccess b_tile = by_lane(4, [=](unsigned k) { return 4 * (i * kTile + column(k)); });
    EXPECT_EQ(local_access(kCc10, b_tile).conflicts, 0u);
  }
}

TEST(BestPracticesGuide, Listing3_10StridedGlobalReads) {
  for (unsigned i = 0; i < kTile; ++i) {
    const WarpAccess transposed = by_lane(4, [=](unsigned k) { return 4 * (column(k) * kTile + i); });
    EXPECT_EQ(half_warp(kCc11, transposed).transactions, 16u);
    const GlobalCost later = half_warp(kCc13, transposed);
    EXPECT_EQ(later.transactions, 8u) << "two rows of 64 bytes to a segment";
    EXPECT_EQ(later.fewest, 1u);
  }
}

TEST(BestPracticesGuide, Listing3_11SixteenWayConflictAndItsPadding) {
  for (unsigned pitch : {kTile, kTile + 1}) {
    const WarpAccess store = by_lane(
        4, [=](unsigned k) { return 4 * (column(k) * pitch + row(k)); }, Kind::store);
    const LocalCost cost = local_access(kCc10, store);
    EXPECT_EQ(cost.wavefronts, pitch == kTile ? 2u * 16 : 2u);
    EXPECT_EQ(cost.conflicts, pitch == kTile ? 2u * 15 : 0u);
    for (unsigned i = 0; i < kTile; ++i) {
      const WarpAccess load = by_lane(4, [=](unsigned k) { return 4 * (i * pitch + column(k)); });
      EXPECT_EQ(local_access(kCc10, load).conflicts, 0u);
    }
  }
}

// --- the matrix transpose in its stages
// ------------------------------------------------------------------------------

TEST(Transpose, NaiveStoresAreUncoalesced) {
  constexpr unsigned width = 512;
  const WarpAccess load = by_lane(4, [](unsigned k) { return 4 * (row(k) * width + column(k)); });
  const WarpAccess store = by_lane(
      4, [](unsigned k) { return 4 * (column(k) * width + row(k)); }, Kind::store);
  EXPECT_EQ(global_access(kCc10, load).transactions, 2u);
  EXPECT_EQ(global_access(kCc10, load).incoherent, 0u);
  EXPECT_EQ(global_access(kCc10, store).transactions, 32u);
  EXPECT_EQ(global_access(kCc10, store).incoherent, 32u);
  EXPECT_EQ(global_access(kCc13, store).transactions_32, 32u);
  EXPECT_EQ(global_access(kCc90, store).sectors, 16u) << "two rows of the group share a sector";
}

TEST(Transpose, TileReadByColumns) {
  for (unsigned pitch : {kTile, kTile + 1}) {
    const WarpAccess column_read = by_lane(4, [=](unsigned k) { return 4 * (column(k) * pitch + row(k)); });
    EXPECT_EQ(local_access(kCc13, column_read).conflicts, pitch == kTile ? 30u : 0u)
        << "16-way in each half-warp";
  }
  // With 32 banks the same padding leaves one two-way conflict, and a tile of 32 × 33 none.
  const WarpAccess padded16 = by_lane(4, [](unsigned k) { return 4 * (column(k) * 17 + row(k)); });
  EXPECT_EQ(local_access(kCc90, padded16).conflicts, 1u);
  EXPECT_EQ(local_access(kCc20, strided(4, 32)).conflicts, 31u);
  EXPECT_EQ(local_access(kCc20, strided(4, 33)).conflicts, 0u);
}

TEST(Transpose, PartitionCamping) {
  // Neighbouring groups of 32 × 32 tiles store to the same columns of a matrix 2048 floats wide: every row of
  // 8 KiB starts in the same of 8 partitions. Diagonal order of the groups spreads them.
  constexpr unsigned width = 2048, tile = 32, groups = 16;
  PartitionSpread rows(partition_layout(kCc13)), stores(partition_layout(kCc13)),
      diagonal(partition_layout(kCc13));
  for (unsigned group = 0; group < groups; ++group) {
    rows.add(std::uint64_t{4} * group * tile);
    stores.add(std::uint64_t{4} * group * tile * width);
    diagonal.add(std::uint64_t{4} * (group * tile * width + group * tile));
  }
  EXPECT_EQ(rows.balance(), 1.0);
  EXPECT_EQ(stores.fullest(), groups);
  EXPECT_EQ(stores.balance(), 1.0 / 8);
  EXPECT_EQ(diagonal.balance(), 1.0);
  EXPECT_EQ(partition_layout(kCc10).partitions, 6u);
}

}  // namespace
}  // namespace weft::device::counters
