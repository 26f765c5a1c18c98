// See models.h.
#include "models.h"

namespace weft::device::counters::reference {

namespace {

constexpr unsigned kSector = 32, kLine = 128;

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
    cost.transactions += distinct_units<kLine>(access, lanes);
    cost.fewest += ceiling(reference::distinct_bytes(part), kLine);
  }
  cost.transactions_128 = cost.transactions;
  cost.sectors = distinct_units<kSector>(access, access.mask);
  cost.transferred_bytes = cost.transactions * kLine;
  return cost;
}

GlobalCost global_sectors(const WarpAccess& access) {
  GlobalCost cost;
  cost.requests = 1;
  cost.passes = 1;
  cost.requested_bytes = requested_bytes(access);
  cost.sectors = distinct_units<kSector>(access, access.mask);
  cost.transactions = cost.transactions_32 = cost.sectors;
  cost.transferred_bytes = cost.sectors * kSector;
  cost.fewest = ceiling(reference::distinct_bytes(access), kSector);
  return cost;
}

}  // namespace weft::device::counters::reference
