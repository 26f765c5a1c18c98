// One warp's run of an access, kept to be looked at: of those seen, one that wastes most.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "device/counters/access_cost.h"

namespace weft::device::counters {

/// Of one place in the code. Which of equally wasteful runs it is depends on the threads that ran the groups.
struct AccessSample {
  std::array<std::uint64_t, kWarpSize> address{};  ///< bytes, as abi::CountedRecord says; of the lanes in `mask`
  std::uint32_t mask = 0;                          ///< 0: none seen
  AccessCost cost;

  /// Transactions or passes beyond those that would have done.
  std::uint32_t waste() const { return std::max(cost.transactions, cost.passes) - std::min(cost.fewest, std::max(cost.transactions, cost.passes)); }

  /// Whether an access of the lanes in `other_mask` wastes more, or as much with more lanes.
  bool is_less_than(const AccessCost& other_cost, std::uint32_t other_mask) const {
    if (mask == 0 || other_mask == 0) return other_mask != 0;
    const std::uint32_t other = waste_of(other_cost), own = waste_of(cost);
    return own != other ? other > own : other_mask != mask && std::popcount(other_mask) > std::popcount(mask);
  }

  /// Takes the other's place if that is more.
  void keep_worse(const AccessSample& other) {
    if (is_less_than(other.cost, other.mask)) *this = other;
  }

 private:
  /// Transactions or passes beyond those that would have done.
  static std::uint32_t waste_of(const AccessCost& cost) {
    const std::uint32_t taken = std::max(cost.transactions, cost.passes);
    return taken - std::min(cost.fewest, taken);
  }
};

}  // namespace weft::device::counters
