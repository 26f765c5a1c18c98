// Atomics on global memory, compute capability 2.x and higher.
//
// 9.0: a warp's atomic is one request, done in as many passes as its most repeated address has lanes; the k-th lane
// of an address goes with pass k, and a pass touches the distinct 32-byte sectors of its lanes. With and without
// result the count is the same (silicon/h200-2.tsv, rows atomic_*; h200-3.tsv, rows reduction and atomic_result).
// Hardware visits a sector again now and then where a warp spreads over many: 1.8 % more sectors in the row
// histogram_global. No guide gives a rule for 2.x to 5.x; they take this one.
#include <algorithm>

#include "device/counters/global_memory.h"

namespace weft::device::counters {

GlobalCost global_atomics(const WarpAccess& access) {
  constexpr unsigned kSector = 32;
  struct Address {
    std::uint64_t address;
    unsigned lanes;
  };
  struct Sector {
    std::uint64_t sector;
    unsigned passes;
  };
  std::array<Address, kWarpSize> addresses;
  std::array<Sector, kWarpSize> sectors;
  unsigned address_count = 0, sector_count = 0;
  GlobalCost cost;
  for_each_lane(access.mask, [&](unsigned lane) {
    const std::uint64_t address = access.address[lane];
    Address* const a = std::find_if(addresses.begin(), addresses.begin() + address_count,
                                    [&](const Address& known) { return known.address == address; });
    if (a == addresses.begin() + address_count) addresses[address_count++] = {address, 0};
    ++a->lanes;
    Sector* const s = std::find_if(sectors.begin(), sectors.begin() + sector_count,
                                   [&](const Sector& known) { return known.sector == address / kSector; });
    if (s == sectors.begin() + sector_count) sectors[sector_count++] = {address / kSector, 0};
    s->passes = std::max(s->passes, a->lanes);
    cost.passes = std::max(cost.passes, a->lanes);
  });
  for (unsigned i = 0; i < sector_count; ++i) cost.sectors += sectors[i].passes;
  cost.requests = 1;
  cost.transactions = cost.transactions_32 = cost.sectors;
  cost.requested_bytes = requested_bytes(access);
  cost.transferred_bytes = cost.sectors * kSector;
  cost.fewest = (distinct_bytes(access) + kSector - 1) / kSector;
  return cost;
}

}  // namespace weft::device::counters
