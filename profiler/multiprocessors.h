// Multiprocessors of a GPU of each capability, for advice about numbers of groups.
#pragma once

#include "device/counters/capability.h"
#include "device/counters/partitions.h"

namespace weft::profiler {

/// Of the largest common board: 1.x as in partitions.h; Tesla M2090, GTX 560 Ti, GTX 680, Tesla K40 and K80, GTX 750 Ti and 980, H200
/// (their data sheets).
inline unsigned device_multiprocessors(device::counters::Capability capability) {
  using namespace device::counters;
  if (capability < kCc20) return multiprocessors_1x(capability);
  if (capability < kCc21) return 16;
  if (capability < kCc35) return 8;
  if (capability < kCc37) return 15;
  if (capability < kCc50) return 13;
  if (capability < kCc52) return 5;
  if (capability < kCc90) return 16;
  return 132;
}

}  // namespace weft::profiler
