// Compute capability 2.x and higher: lines of 128 bytes, sectors of 32.
//
// 2.x: CUDA C Best Practices Guide §9.2.1 (one transaction for each line that serves a warp, or for each
// 32-byte segment past the first-level cache); words of 8 and 16 bytes make a request for each half- and
// quarter-warp (CUDA C Programming Guide, "Compute Capability 2.x", global memory). 3.x and 5.x: the same
// guide, global memory is cached in the second level, in 32-byte segments. 9.0: t_requests and t_sectors of
// silicon/h200.tsv.
#include "device/counters/distinct.h"
#include "device/counters/global_memory.h"

namespace weft::device::counters {

namespace {

constexpr unsigned kSectorBytes = 32, kLineBytes = 128;

unsigned ceiling(unsigned bytes, unsigned unit) { return (bytes + unit - 1) / unit; }

template <unsigned Unit>
unsigned distinct_units(const WarpAccess& access, std::uint32_t lanes) {
  SmallSet<kWarpSize> units;  // An aligned word lies in one unit.
  for_each_lane(lanes, [&](unsigned lane) { units.insert(access.address[lane] / Unit); });
  return units.size();
}

}  // namespace

GlobalCost global_lines(const WarpAccess& access) {
  GlobalCost cost;
  cost.requests = 1;
  cost.passes = 1;
  cost.requested_bytes = requested_bytes(access);
  const unsigned group = access.width == 16 ? 8 : access.width == 8 ? 16 : kWarpSize;
  for (unsigned first = 0; first < kWarpSize; first += group) {
    const std::uint32_t lanes = access.mask & lanes_of(first, group);
    if (lanes == 0) continue;
    WarpAccess part = access;
    part.mask = lanes;
    cost.transactions += distinct_units<kLineBytes>(access, lanes);
    cost.fewest += ceiling(distinct_bytes(part), kLineBytes);
  }
  cost.transactions_128 = cost.transactions;
  cost.sectors = distinct_units<kSectorBytes>(access, access.mask);
  cost.transferred_bytes = cost.transactions * kLineBytes;
  return cost;
}

GlobalCost global_sectors(const WarpAccess& access) {
  GlobalCost cost;
  cost.requests = 1;
  cost.passes = 1;
  cost.requested_bytes = requested_bytes(access);
  cost.sectors = distinct_units<kSectorBytes>(access, access.mask);
  cost.transactions = cost.transactions_32 = cost.sectors;
  cost.transferred_bytes = cost.sectors * kSectorBytes;
  cost.fewest = ceiling(distinct_bytes(access), kSectorBytes);
  return cost;
}

}  // namespace weft::device::counters
