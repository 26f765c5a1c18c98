// A set of a few keys, for one warp.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace weft::device::counters {

/// At most N keys, up to 64. A table with a bit for each slot in use, so that nothing has to be cleared first.
template <unsigned N>
class SmallSet {
 public:
  /// Whether the key is new.
  bool insert(std::uint64_t key) {
    if (size_ != 0 && key == last_) return false;  // neighbouring lanes mostly share one
    last_ = key;
    unsigned slot = static_cast<unsigned>(key * 0x9e3779b97f4a7c15 >> (64 - std::countr_zero(kSlots)));
    for (; used_[slot / 64] >> slot % 64 & 1; slot = (slot + 1) % kSlots) {
      if (keys_[slot] == key) return false;
    }
    used_[slot / 64] |= std::uint64_t{1} << slot % 64;
    keys_[slot] = key;
    ++size_;
    return true;
  }
  unsigned size() const { return size_; }

 private:
  static constexpr unsigned kSlots = N <= 32 ? 64 : 128;
  static_assert(N <= 64);
  std::array<std::uint64_t, kSlots> keys_;
  std::array<std::uint64_t, kSlots / 64> used_{};
  std::uint64_t last_ = 0;
  unsigned size_ = 0;
};

}  // namespace weft::device::counters
