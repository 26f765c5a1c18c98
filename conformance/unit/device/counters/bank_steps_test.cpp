// The short way to the steps of local memory, beside the model.
#include "device/counters/bank_steps.h"

#include <random>

#include <gtest/gtest.h>

#include "device/counters/local_memory.h"

namespace weft::device::counters {
namespace {

TEST(BankSteps, AreTheModelsWhereTheyAreKnown) {
  std::mt19937_64 random(1);
  const AccessKind kind{.space = abi::CountedSpace::kLocal, .kind = abi::CountedKind::kStore};
  for (const Capability capability : {kCc20, kCc50, kCc90}) {
    ASSERT_TRUE(have_bank_steps(capability, kind));
    unsigned known = 0;
    for (int times = 0; times < 3000; ++times) {
      std::uint64_t address[kWarpSize];
      const std::uint64_t stride = random() % 4, first = random() % 64, flip = random() % 64;
      const bool scattered = times % 3 == 0;
      for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        address[lane] = 4 * (scattered ? random() % 1024 : first + (stride * lane ^ flip));
      }
      const auto mask = static_cast<std::uint32_t>(times % 5 ? random() & random() : random() | 1);
      if (mask == 0) continue;
      const BankSteps steps = count_bank_steps()(address, mask);
      if (steps.steps == 0) continue;
      ++known;
      BankSums sums;
      sums.add(steps);
      CostSums model;
      model += access_cost(capability, kind, mask, address);
      EXPECT_EQ(sums.cost(), model) << times;
    }
    EXPECT_GT(known, 500u);
  }
}

TEST(BankSteps, Conflicts) {
  const auto steps = [](unsigned stride, std::uint32_t mask) {
    std::uint64_t address[kWarpSize];
    for (unsigned lane = 0; lane < kWarpSize; ++lane) address[lane] = 4 * stride * lane;
    return count_bank_steps()(address, mask).steps;
  };
  EXPECT_EQ(steps(1, ~0u), 1u);
  EXPECT_EQ(steps(2, ~0u), 2u);
  EXPECT_EQ(steps(2, 0xffff), 1u) << "neither lane of a pair that conflicts";
  EXPECT_EQ(steps(0, ~0u), 0u) << "one word for all: the model's to say";
  EXPECT_EQ(steps(32, 3), 2u);
  EXPECT_EQ(steps(64, 3), 0u);
}

TEST(BankSteps, OfWordsIn32BanksAlone) {
  AccessKind kind{.space = abi::CountedSpace::kLocal};
  EXPECT_FALSE(have_bank_steps(kCc13, kind));
  EXPECT_FALSE(have_bank_steps(kCc35, kind));
  kind.kind = abi::CountedKind::kAtomic;
  EXPECT_FALSE(have_bank_steps(kCc90, kind));
  kind = {.space = abi::CountedSpace::kLocal, .width = 8};
  EXPECT_FALSE(have_bank_steps(kCc90, kind));
}

}  // namespace
}  // namespace weft::device::counters
