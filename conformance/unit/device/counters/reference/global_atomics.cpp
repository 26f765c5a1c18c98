// See models.h.
#include <algorithm>

#include "models.h"

namespace weft::device::counters::reference {

namespace {

constexpr unsigned kSector = 32, kLine = 128, kQueues = 4;

/// Two parities of the line's number. Bits above address bit 28 were not measured and are left out.
unsigned queue_of(std::uint64_t line) {
  constexpr std::uint64_t kLow = 0x2f7ab5, kHigh = 0x3ad5da;
  return (std::popcount(line & kLow) & 1) | (std::popcount(line & kHigh) & 1) << 1;
}

/// Sectors that the passes of one queue touch.
unsigned sectors_of_queue(const WarpAccess& access, std::uint32_t left) {
  unsigned touched = 0;
  while (left) {
    const std::uint64_t leader = access.address[std::countr_zero(left)] / kLine;
    SmallSet<kWarpSize> sectors;
    std::uint32_t claimed = 0;
    for_each_lane(left, [&](unsigned lane) {
      const std::uint64_t address = access.address[lane];
      const std::uint32_t bank = 1u << address % kLine / std::max<unsigned>(access.width, 4);
      if (claimed & bank) return;
      claimed |= bank;
      if (address / kLine != leader) return;
      sectors.insert(address / kSector);
      left &= ~(1u << lane);
    });
    touched += sectors.size();
  }
  return touched;
}

/// The most lanes that share an address.
unsigned repeats(const WarpAccess& access) {
  std::array<std::uint64_t, kWarpSize> addresses;
  unsigned count = 0, most = 0;
  for_each_lane(access.mask, [&](unsigned lane) { addresses[count++] = access.address[lane]; });
  std::sort(addresses.begin(), addresses.begin() + count);
  for (unsigned i = 0, first = 0; i < count; ++i) {
    if (addresses[i] != addresses[first]) first = i;
    most = std::max(most, i - first + 1);
  }
  return most;
}

}  // namespace

GlobalCost global_atomics(const WarpAccess& access) {
  std::array<std::uint32_t, kQueues> queues{};
  for_each_lane(access.mask,
                [&](unsigned lane) { queues[queue_of(access.address[lane] / kLine)] |= 1u << lane; });
  GlobalCost cost;
  for (const std::uint32_t queue : queues) cost.sectors += sectors_of_queue(access, queue);
  cost.requests = 1;
  cost.passes = repeats(access);
  cost.transactions = cost.transactions_32 = cost.sectors;
  cost.requested_bytes = requested_bytes(access);
  cost.transferred_bytes = cost.sectors * kSector;
  cost.fewest = (reference::distinct_bytes(access) + kSector - 1) / kSector;
  return cost;
}

}  // namespace weft::device::counters::reference
