#include "device/counters/local_memory.h"

namespace weft::device::counters {

LocalCost& LocalCost::operator+=(const LocalCost& other) {
  requests += other.requests;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
  return *this;
}

LocalCost local_access(Capability capability, const WarpAccess& access, LocalOptions options) {
  LocalCost cost;
  if (access.mask == 0) return cost;
  for_each_instruction(access, [&](const WarpAccess& piece) {
    if (capability < kCc20) {
      cost += local_half_warps(piece, options.broadcast);
    } else if (piece.is_atomic()) {
      cost += local_atomics(piece);
    } else {
      cost += local_banks(capability, piece, options.bank_width);
    }
  });
  return cost;
}

}  // namespace weft::device::counters
