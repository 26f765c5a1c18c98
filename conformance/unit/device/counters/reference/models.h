// Models as they were before they were made fast: what the fast ones must agree with. The rules' sources stand with those.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"

namespace weft::device::counters::reference {

/// At most N keys. Neighbouring lanes mostly share a key or have ascending ones: a key above all others is
/// new, the others are searched from the newest.
template <unsigned N>
class SmallSet {
 public:
  /// Whether the key is new.
  bool insert(std::uint64_t key) {
    if (size_ == 0 || key > highest_) {
      highest_ = key;
    } else {
      for (unsigned i = size_; i-- > 0;) {
        if (keys_[i] == key) return false;
      }
    }
    keys_[size_++] = key;
    return true;
  }
  unsigned size() const { return size_; }

 private:
  std::array<std::uint64_t, N> keys_;
  std::uint64_t highest_ = 0;
  unsigned size_ = 0;
};

inline unsigned distinct_bytes(const WarpAccess& access) {
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

GlobalCost global_lines(const WarpAccess& access);
GlobalCost global_sectors(const WarpAccess& access);
GlobalCost global_atomics(const WarpAccess& access);
LocalCost local_banks(Capability capability, const WarpAccess& access, BankWidth bank_width);

}  // namespace weft::device::counters::reference
