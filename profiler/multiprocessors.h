// Multiprocessors of a GPU of each capability, for advice about numbers of groups.
#pragma once

#include "device/counters/capability.h"

namespace weft::profiler {

/// Of the largest common board: GeForce 8800 GTX, 8800 GT, GTX 280 (OpenCL Programming Guide 2.3, Appendix A.1), Tesla M2090, GTX 560 Ti,
/// GTX 680, Tesla K40 and K80, GTX 750 Ti and 980, H200 (their data sheets).
constexpr unsigned device_multiprocessors(device::counters::Capability capability) {
  using namespace device::counters;
  if (capability < kCc11) return 16;
  if (capability < kCc12) return 14;
  if (capability < kCc20) return 30;
  if (capability < kCc21) return 16;
  if (capability < kCc35) return 8;
  if (capability < kCc37) return 15;
  if (capability < kCc50) return 13;
  if (capability < kCc52) return 5;
  if (capability < kCc90) return 16;
  return 132;
}

}  // namespace weft::profiler
