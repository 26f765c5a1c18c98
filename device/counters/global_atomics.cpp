// Atomics on global memory, compute capability 2.x and higher.
//
// 9.0: a warp's atomic is one request. Its lanes are dealt out to four queues by their 128-byte line, and a
// queue is served in passes: the lowest lane left leads; of the lanes left, the lowest of each bank claims
// the bank (a word of 4 bytes has 32 banks, one of 8 bytes 16); the claimers that are in the leader's line
// are done. So lanes that share an address take a pass each, and now and then a lane that loses its bank to
// another line visits its sector again. With and without result the count is the same. Sectors are exact in
// silicon/h200-2.tsv (rows atomic_*), h200.tsv (histogram_global), h200-3.tsv (reduction, atomic_result) and
// h200-4.tsv, whose first rows give the queue of each address bit. No guide gives a rule for 2.x to 5.x; they
// take this one.
#include <algorithm>

#include "device/counters/global_memory.h"

namespace weft::device::counters {

namespace {

constexpr unsigned kSector = 32, kLine = 128, kQueues = 4;

/// Two parities of the line's number. Bits above address bit 28 were not measured and are left out.
unsigned queue_of(std::uint64_t line) {
  constexpr std::uint64_t kLow = 0x2f7ab5, kHigh = 0x3ad5da;
  return (std::popcount(line & kLow) & 1) | (std::popcount(line & kHigh) & 1) << 1;
}

unsigned bank_of(const WarpAccess& access, unsigned lane) {
  return static_cast<unsigned>(access.address[lane] % kLine / std::max<unsigned>(access.width, 4));
}

/// Sectors that the passes of one queue touch.
unsigned sectors_of_queue(const WarpAccess& access, std::uint32_t left) {
  unsigned touched = 0;
  while (left) {
    const std::uint64_t leader = access.address[std::countr_zero(left)] / kLine;
    std::uint32_t claimed = 0, sectors = 0, done = 0;
    for_each_lane(left, [&](unsigned lane) {
      const std::uint64_t address = access.address[lane];
      const std::uint32_t bank = 1u << bank_of(access, lane);
      if (claimed & bank) return;
      claimed |= bank;
      if (address / kLine != leader) return;
      sectors |= 1u << address % kLine / kSector;
      done |= 1u << lane;
    });
    left &= ~done;
    touched += static_cast<unsigned>(std::popcount(sectors));
  }
  return touched;
}

/// The same for lanes whose words all lie in one line: a pass serves each bank once, so a sector is touched as often as its
/// fullest bank has lanes.
unsigned sectors_of_line(const WarpAccess& access, std::uint32_t lanes) {
  std::array<unsigned char, 32> in_bank{};
  std::array<unsigned char, kLine / kSector> most{};
  for_each_lane(lanes, [&](unsigned lane) {
    unsigned char& sector = most[access.address[lane] % kLine / kSector];
    sector = std::max(sector, ++in_bank[bank_of(access, lane)]);
  });
  return most[0] + most[1] + most[2] + most[3];
}

bool is_one_line(const WarpAccess& access, std::uint32_t lanes) {
  const std::uint64_t line = access.address[std::countr_zero(lanes)] / kLine;
  bool one = true;
  for_each_lane(lanes, [&](unsigned lane) { one &= access.address[lane] / kLine == line; });
  return one;
}

/// The most lanes that share an address.
unsigned repeats(const WarpAccess& access) {
  unsigned most = 0;
  for (std::uint32_t left = access.mask; static_cast<unsigned>(std::popcount(left)) > most;) {
    const std::uint64_t address = access.address[std::countr_zero(left)];
    std::uint32_t equal = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) equal |= std::uint32_t{access.address[lane] == address} << lane;
    equal &= left;
    most = std::max(most, static_cast<unsigned>(std::popcount(equal)));
    left &= ~equal;
  }
  return most;
}

}  // namespace

GlobalCost global_atomics(const WarpAccess& access) {
  std::array<std::uint32_t, kQueues> queues{};
  for_each_lane(access.mask,
                [&](unsigned lane) { queues[queue_of(access.address[lane] / kLine)] |= 1u << lane; });
  GlobalCost cost;
  for (const std::uint32_t queue : queues) {
    if (queue == 0) continue;
    cost.sectors += is_one_line(access, queue) ? sectors_of_line(access, queue) : sectors_of_queue(access, queue);
  }
  cost.requests = 1;
  cost.passes = repeats(access);
  cost.transactions = cost.transactions_32 = cost.sectors;
  cost.requested_bytes = requested_bytes(access);
  cost.transferred_bytes = cost.sectors * kSector;
  cost.fewest = (distinct_bytes(access) + kSector - 1) / kSector;
  return cost;
}

}  // namespace weft::device::counters
