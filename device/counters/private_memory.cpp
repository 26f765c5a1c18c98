#include "device/counters/private_memory.h"

namespace weft::device::counters {

namespace {

constexpr unsigned kSector = 32, kSectorLanes = 8;

/// 3.x and higher, of words of up to 4 bytes that cross no multiple of 4: eight neighbouring lanes share a sector where they access
/// the same element.
GlobalCost words(const WarpAccess& access) {
  GlobalCost cost;
  cost.requests = cost.passes = 1;
  cost.requested_bytes = requested_bytes(access);
  for (unsigned first = 0; first < kWarpSize; first += kSectorLanes) {
    std::uint64_t element[kSectorLanes];
    unsigned count = 0;
    for_each_lane(access.mask & lanes_of(first, kSectorLanes), [&](unsigned lane) {
      element[count] = access.address[lane] / 4;
      bool is_new = true;
      for (unsigned i = 0; i < count; ++i) is_new &= element[i] != element[count];
      count += is_new;
    });
    cost.sectors += count;
  }
  cost.transactions = cost.transactions_32 = cost.sectors;
  cost.transferred_bytes = cost.sectors * kSector;
  // Each lane's bytes are its own.
  cost.fewest = (cost.requested_bytes + kSector - 1) / kSector;
  return cost;
}

}  // namespace

GlobalCost private_access(Capability capability, const WarpAccess& access) {
  GlobalCost cost;
  if (access.mask == 0) return cost;
  if (capability >= kCc30 && !access.is_atomic() && access.width <= 4 && widest_word(access) == access.width) return words(access);
  for_each_instruction(access, [&](const WarpAccess& piece) {
    WarpAccess word = piece;
    word.width = piece.width < 4 ? piece.width : 4;
    GlobalCost sum;
    for (unsigned offset = 0; offset < piece.width; offset += 4) {
      for_each_lane(piece.mask, [&](unsigned lane) {
        const std::uint64_t at = piece.address[lane] + offset;
        word.address[lane] = at / 4 * (4 * kWarpSize) + 4 * lane + at % 4;
      });
      sum += global_access(capability, word);
    }
    sum.requests = 1;
    cost += sum;
  });
  return cost;
}

}  // namespace weft::device::counters
