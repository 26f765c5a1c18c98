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

  /// Takes the other's place if that wastes more, or as much with more lanes.
  void keep_worse(const AccessSample& other) {
    if (other.mask == 0) return;
    const bool worse = waste() != other.waste() ? other.waste() > waste() : std::popcount(other.mask) > std::popcount(mask);
    if (mask == 0 || worse) *this = other;
  }
};

}  // namespace weft::device::counters
