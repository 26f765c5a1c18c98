// A set of a few keys, for one warp.
#pragma once

#include <array>
#include <cstdint>

namespace weft::device::counters {

/// At most N keys, searched from the newest: neighbouring lanes mostly share a key.
template <unsigned N>
class SmallSet {
 public:
  /// Whether the key is new.
  bool insert(std::uint64_t key) {
    for (unsigned i = size_; i-- > 0;) {
      if (keys_[i] == key) return false;
    }
    keys_[size_++] = key;
    return true;
  }
  unsigned size() const { return size_; }

 private:
  std::array<std::uint64_t, N> keys_;
  unsigned size_ = 0;
};

}  // namespace weft::device::counters
