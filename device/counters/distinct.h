// A set of a few keys, for one warp.
#pragma once

#include <array>
#include <cstdint>

namespace weft::device::counters {

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

}  // namespace weft::device::counters
