// The models beside those of reference/, over random accesses of many kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "device/counters/access_cost.h"
#include "device/counters/access_memo.h"
#include "device/counters/private_memory.h"
#include "patterns.h"
#include "reference/models.h"

namespace weft::device::counters {
namespace {

/// Aligned words: contiguous, strided, reversed, few addresses, random ones; whole warps, parts and single lanes.
WarpAccess random_access(std::mt19937& random, unsigned width, Kind kind) {
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  const unsigned form = below(6), stride = below(40), range = 1u << below(14);
  const std::uint64_t first = 4096 + std::uint64_t{below(1u << 20)};
  const std::uint32_t mask = below(2) ? ~0u : below(4) == 0 ? 1u << below(32) : random() | 1u << below(32);
  return test::by_lane(
      width,
      [&](unsigned lane) -> std::uint64_t {
        switch (form) {
          case 0:
            return (first + lane) * width;
          case 1:
            return (first + std::uint64_t{lane} * stride) * width;
          case 2:
            return (first - std::uint64_t{lane} * stride) * width;
          case 3:
            return (first + lane / 4 * stride + lane % 4) * width;
          default:
            return (first + below(range)) * width;
        }
      },
      kind, mask);
}

void expect_equal(const GlobalCost& a, const GlobalCost& b) {
  EXPECT_EQ(a.transactions, b.transactions);
  EXPECT_EQ(a.transactions_128, b.transactions_128);
  EXPECT_EQ(a.sectors, b.sectors);
  EXPECT_EQ(a.passes, b.passes);
  EXPECT_EQ(a.fewest, b.fewest);
  EXPECT_EQ(a.transferred_bytes, b.transferred_bytes);
}

TEST(Reference, FastModelsAgree) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 40000 && !HasFailure(); ++round) {
    const unsigned width = 1u << random() % 5;
    const WarpAccess load = random_access(random, width, Kind::load);
    expect_equal(global_sectors(load), reference::global_sectors(load));
    expect_equal(global_lines(load), reference::global_lines(load));
    for (const Capability& capability : {kCc20, kCc35, kCc90}) {
      const LocalCost ours = local_banks(capability, load, BankWidth::bits_32);
      const LocalCost theirs = reference::local_banks(capability, load, BankWidth::bits_32);
      EXPECT_EQ(ours.wavefronts, theirs.wavefronts);
      EXPECT_EQ(ours.conflicts, theirs.conflicts);
    }
    EXPECT_EQ(distinct_bytes(load), reference::distinct_bytes(load));
    WarpAccess odd = load;
    odd.width = 12;
    EXPECT_EQ(distinct_bytes(odd), reference::distinct_bytes(odd));
    const WarpAccess atomic = random_access(random, 4u << random() % 2, Kind::reduction);
    expect_equal(global_atomics(atomic), reference::global_atomics(atomic));
  }
}

// A pattern that was met is not modelled again, so costs must repeat as cost_bits says, for every memory and capability.
TEST(Reference, MemoGivesTheModelsCosts) {
  std::mt19937 random(11);
  using abi::CountedKind;
  using abi::CountedSpace;
  for (const Capability& capability : known_capabilities()) {
    AccessMemo memo(capability);
    std::vector<AccessMemo::Class> classes;
    for (const CountedSpace space : {CountedSpace::kGlobal, CountedSpace::kConstant, CountedSpace::kLocal,
                                     CountedSpace::kPrivate}) {
      for (const CountedKind kind : {CountedKind::kLoad, CountedKind::kStore, CountedKind::kReduction}) {
        for (const std::uint16_t width : {1, 4, 8, 16, 64}) {
          if (kind == CountedKind::kReduction && (width < 4 || width > 8 || space > CountedSpace::kLocal)) continue;
          const AccessKind access{space, kind, width, false};
          classes.push_back({access, cost_bits(capability, access)});
        }
      }
    }
    AccessMemo::Hint hint = 0;
    unsigned met = 0;
    for (unsigned round = 0; round < 6000 && !testing::Test::HasFailure(); ++round) {
      const std::uint32_t number = random() % classes.size();
      const AccessMemo::Class& one = classes[number];
      const unsigned width = one.kind.kind == CountedKind::kReduction ? one.kind.width : std::min<unsigned>(one.kind.width, 16);
      WarpAccess access = random_access(random, width, static_cast<Kind>(one.kind.kind));
      for (unsigned shift = 0; shift < 4; ++shift, ++met) {
        const AccessCost ours = memo.cost(number, one, access.mask, access.address.data(), hint);
        EXPECT_EQ(ours, access_cost(capability, one.kind, access.mask, access.address.data()));
        for (std::uint64_t& address : access.address) address += (one.bits + 1) * (random() % 2 ? 1 : 5);
      }
    }
    EXPECT_GT(met, 20000u);
  }
}

TEST(Reference, PrivateWordsAreGlobalOnesLaneBesideLane) {
  std::mt19937 random(11);
  for (unsigned round = 0; round < 20000 && !HasFailure(); ++round) {
    const WarpAccess access = random_access(random, 1u << random() % 3, Kind::load);
    WarpAccess laid_out = access;
    for_each_lane(access.mask, [&](unsigned lane) {
      laid_out.address[lane] = access.address[lane] / 4 * 128 + lane * 4 + access.address[lane] % 4;
    });
    expect_equal(private_access(kCc90, access), global_sectors(laid_out));
  }
}

}  // namespace
}  // namespace weft::device::counters
