#include "device/counters/private_memory.h"

namespace weft::device::counters {

GlobalCost private_access(Capability capability, const WarpAccess& access) {
  GlobalCost cost;
  if (access.mask == 0) return cost;
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
