// What a warp's read of constant memory costs.
#pragma once

#include "device/counters/access.h"
#include "device/counters/capability.h"
#include "device/counters/distinct.h"

namespace weft::device::counters {

/// One pass for each distinct address: of each half-warp on 1.x (Programming Guide §3.1.2.3, Best Practices
/// Guide §3.2.5), of the warp on 2.x and higher (CUDA C Best Practices Guide §9.2.5; idc__requests of
/// silicon/h200-2.tsv, rows constant_by_lane).
inline unsigned constant_passes(Capability capability, const WarpAccess& access) {
  const unsigned part = capability < kCc20 ? kWarpSize / 2 : kWarpSize;
  unsigned passes = 0;
  for (unsigned first = 0; first < kWarpSize; first += part) {
    SmallSet<kWarpSize> addresses;
    for_each_lane(access.mask & lanes_of(first, part),
                  [&](unsigned lane) { addresses.insert(access.address[lane]); });
    passes += addresses.size();
  }
  return passes;
}

}  // namespace weft::device::counters
