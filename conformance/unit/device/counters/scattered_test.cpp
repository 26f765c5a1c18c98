// The short ways to the sectors of accesses that differ each time, beside the models.
#include "device/counters/scattered.h"

#include <random>

#include <gtest/gtest.h>

namespace weft::device::counters {
namespace {

using abi::CountedKind;
using abi::CountedSpace;

void expect_model(Capability capability, const AccessKind& kind, std::uint32_t mask, const std::uint64_t* address, unsigned sectors) {
  ScatteredSums sums;
  sums.add(sectors, static_cast<unsigned>(std::popcount(mask)) * kind.width);
  CostSums model;
  model += access_cost(capability, kind, mask, address);
  EXPECT_EQ(sums.cost(), model) << "mask " << mask << ", width " << kind.width;
}

TEST(Scattered, SectorsAreTheModels) {
  std::mt19937_64 random(1);
  for (const CountedSpace space : {CountedSpace::kGlobal, CountedSpace::kPrivate}) {
    for (const std::uint16_t width : {1, 2, 4, 8, 16}) {
      const AccessKind kind{.space = space, .kind = CountedKind::kStore, .width = width, .align = width};
      const CountSectors sectors_of = count_sectors(kCc90, kind);
      ASSERT_EQ(sectors_of != nullptr, space == CountedSpace::kGlobal || width <= 4);
      if (!sectors_of) continue;
      unsigned known = 0;
      for (int times = 0; times < 3000; ++times) {
        std::uint64_t address[kWarpSize];
        const std::uint64_t range = std::uint64_t{1} << random() % 24;
        for (std::uint64_t& one : address) one = random() % range * width;
        const auto mask = static_cast<std::uint32_t>(times % 2 ? random() : random() & random());
        if (mask == 0) continue;
        const unsigned sectors = sectors_of(address, mask);
        if (sectors == 0) continue;
        ++known;
        expect_model(kCc90, kind, mask, address, sectors);
      }
      EXPECT_GT(known, 500u) << width;
    }
  }
}

TEST(Scattered, ProgressionsAreTheModels) {
  std::mt19937_64 random(2);
  for (const std::uint16_t width : {1, 2, 4, 8, 16}) {
    const AccessKind kind{.width = width, .align = width};
    for (std::int64_t stride = width; stride <= 128; stride *= 2) {
      const abi::CountedRecord record{.segment = kWarpSize, .stride = stride};
      const unsigned shift = progression_shift(kCc90, kind, record);
      ASSERT_EQ(1 << shift, stride);
      for (int times = 0; times < 200; ++times) {
        const auto mask = static_cast<std::uint32_t>(times == 0 ? ~0u : random() & random());
        if (mask == 0) continue;
        const std::uint64_t start = 4096 + random() % 64 * width;
        std::uint64_t address[kWarpSize];
        for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = start + static_cast<std::uint64_t>(stride) * lane;
        expect_model(kCc90, kind, mask, address, progression_sectors(start, shift, mask));
      }
    }
  }
}

TEST(Scattered, OtherRulesHaveNoShortWay) {
  const AccessKind word{}, odd{.width = 12, .align = 4}, unaligned{.width = 4, .align = 1}, atomic{.kind = CountedKind::kAtomic},
      local{.space = CountedSpace::kLocal};
  EXPECT_TRUE(count_sectors(kCc35, word));
  EXPECT_FALSE(count_sectors(kCc20, word)) << "lines of 128 bytes";
  for (const AccessKind& kind : {odd, unaligned, atomic, local}) EXPECT_FALSE(count_sectors(kCc90, kind));
  EXPECT_EQ(progression_shift(kCc90, word, {.segment = 16, .stride = 4}), kNoShift);
  EXPECT_EQ(progression_shift(kCc90, word, {.segment = 32, .stride = 2}), kNoShift) << "lanes share bytes";
  EXPECT_EQ(progression_shift(kCc90, word, {.segment = 32, .stride = 12}), kNoShift);
  EXPECT_EQ(progression_shift(kCc90, word, {.segment = 32, .stride = -4}), kNoShift);
}

}  // namespace
}  // namespace weft::device::counters
