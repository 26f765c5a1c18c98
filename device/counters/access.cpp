#include "device/counters/access.h"

#include <algorithm>

namespace weft::device::counters {

unsigned distinct_bytes(const WarpAccess& access) {
  std::array<std::uint64_t, kWarpSize> first;
  unsigned count = 0;
  for_each_lane(access.mask, [&](unsigned lane) { first[count++] = access.address[lane]; });
  std::sort(first.begin(), first.begin() + count);
  unsigned bytes = 0;
  std::uint64_t end = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t begin = i ? std::max(first[i], end) : first[i];
    end = first[i] + access.width;
    bytes += static_cast<unsigned>(end - begin);
  }
  return bytes;
}

}  // namespace weft::device::counters
