#include "device/counters/access.h"

#include <algorithm>

#include "device/counters/distinct.h"

namespace weft::device::counters {

namespace {

/// Of aligned words, which do not overlap.
unsigned distinct_words(const WarpAccess& access) {
  SmallSet<kWarpSize> words;
  for_each_lane(access.mask, [&](unsigned lane) { words.insert(access.address[lane]); });
  return words.size();
}

}  // namespace

unsigned distinct_bytes(const WarpAccess& access) {
  if (widest_word(access) == access.width) return distinct_words(access) * access.width;
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
