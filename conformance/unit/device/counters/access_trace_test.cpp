// Counts that depend on the order of accesses.
#include "device/counters/access_trace.h"

#include <gtest/gtest.h>

#include "device/counters/global_memory.h"

namespace weft::device::counters {
namespace {

constexpr AccessKind kWord{};

struct Sums {
  std::vector<Counts> lines{2};
  Counts total;
};
Sums sums_of(const AccessTrace& trace) {
  Sums sums;
  trace.add_to(sums.lines, sums.total);
  return sums;
}
double camping(const Counts& counts) {
  return static_cast<double>(counts.partition_steps) / static_cast<double>(counts.partition_transactions);
}

// A matrix 2048 floats wide is transposed by tiles of 32 x 32: loads of neighbouring groups spread over the partitions, stores go
// to one ("Optimizing Matrix Transpose in CUDA"). Groups of another wave are another matter.
TEST(AccessTrace, PartitionsOfATranspose) {
  constexpr std::uint64_t kWidth = 2048, kTile = 32, kGroups = 64;
  for (const bool diagonal : {false, true}) {
    AccessTrace trace(kCc13, 2), other(kCc13, 2);
    for (std::uint64_t group = 0; group < kGroups; ++group) {
      AccessTrace& of = group % 2 ? trace : other;  // two threads
      of.begin_group(0);
      std::uint64_t load[kWarpSize], store[kWarpSize];
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        load[lane] = 4 * (group * kTile + lane + (diagonal ? group * kTile * kWidth : 0));
        store[lane] = 4 * (group * kTile * kWidth + lane + (diagonal ? group * kTile : 0));
      }
      of.global(0, kWord, ~0u, load);
      of.global(1, kWord, ~0u, store);
    }
    trace.merge(other);
    const Sums sums = sums_of(trace);
    EXPECT_EQ(sums.lines[0].partition_transactions, 2 * kGroups) << "a half-warp, 64 bytes";
    EXPECT_EQ(camping(sums.lines[0]), 1.0);
    EXPECT_EQ(camping(sums.lines[1]), diagonal ? 1.0 : 8.0);
    EXPECT_EQ(camping(sums.total), diagonal ? 1.0 : 4.5) << "9 of 16 transactions";
  }
}

TEST(AccessTrace, WavesFollowEachOther) {
  AccessTrace trace(kCc10, 2);
  for (std::uint64_t wave = 0; wave < 6; ++wave) {
    trace.begin_group(wave);
    const std::uint64_t address[kWarpSize] = {256 * wave};
    trace.global(0, kWord, 1, address);
  }
  EXPECT_EQ(camping(sums_of(trace).total), 6.0) << "each partition by itself";
  trace.clear();
  EXPECT_EQ(sums_of(trace).total, Counts());
}

TEST(AccessTrace, NoPartitionsSince2) {
  AccessTrace trace(kCc20, 2);
  trace.begin_group(0);
  const std::uint64_t address[kWarpSize] = {};
  trace.global(0, kWord, ~0u, address);
  EXPECT_EQ(sums_of(trace).total, Counts());
}

TEST(AccessTrace, TransactionsAreTheModels) {
  for (const Capability capability : {kCc10, kCc13}) {
    for (const unsigned stride : {0u, 1u, 2u, 17u}) {
      for (const unsigned width : {1u, 4u, 8u, 16u}) {
        WarpAccess access;
        access.width = static_cast<std::uint8_t>(width);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) access.address[lane] = std::uint64_t{lane} * stride * width;
        unsigned transactions = 0, bytes = 0;
        for_each_transaction(capability, access, [&](std::uint64_t address, unsigned size) {
          EXPECT_EQ(address % 32, 0u);
          EXPECT_EQ(address / 256, (address + size - 1) / 256) << "in one partition";
          ++transactions, bytes += size;
        });
        const GlobalCost cost = global_access(capability, access);
        EXPECT_EQ(transactions, cost.transactions) << stride << ' ' << width;
        EXPECT_EQ(bytes, cost.transferred_bytes) << stride << ' ' << width;
      }
    }
  }
}

/// A row of texels of 4 bytes: a sector has 4 of them.
void read_row(AccessTrace& trace, unsigned column, unsigned row, std::uint16_t image = 0) {
  std::uint64_t number[kWarpSize];
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    number[lane] = column + lane | std::uint64_t{row} << 28 | std::uint64_t{2} << 56;
  }
  trace.texels(0, image, ~0u, number);
}

TEST(AccessTrace, TexelsThatAreReadAgain) {
  AccessTrace trace(kCc13, 2);
  trace.begin_group(0);
  read_row(trace, 0, 0);
  EXPECT_EQ(sums_of(trace).total.texture_misses, 8u);
  read_row(trace, 0, 0);
  read_row(trace, 0, 1);  // the same sectors: they have two rows
  EXPECT_EQ(sums_of(trace).lines[0].texture_hits, 16u);
  read_row(trace, 0, 0, 1);  // of another image
  trace.begin_group(0);      // another group
  read_row(trace, 0, 0);
  EXPECT_EQ(sums_of(trace).total.texture_hits, 16u);
  EXPECT_EQ(sums_of(trace).total.texture_misses, 24u);
}

TEST(AccessTrace, ACacheThatIsTooSmall) {
  AccessTrace trace(kCc13, 2);  // 8 KiB
  trace.begin_group(0);
  for (int times = 0; times < 2; ++times) {
    for (unsigned row = 0; row < 256; row += 2) read_row(trace, 0, row);  // 32 KiB
  }
  EXPECT_EQ(sums_of(trace).total.texture_hits, 0u);
  AccessTrace larger(kCc90, 2);
  larger.begin_group(0);
  for (int times = 0; times < 2; ++times) {
    for (unsigned row = 0; row < 256; row += 2) read_row(larger, 0, row);
  }
  EXPECT_EQ(sums_of(larger).total.texture_hits, 1024u);
}

}  // namespace
}  // namespace weft::device::counters
