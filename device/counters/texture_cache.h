// Hits in a multiprocessor's cache of texels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "device/counters/capability.h"

namespace weft::device::counters {

/// 1.x: between 6 and 8 KiB a multiprocessor (Programming Guide, Appendix A.1). Later the guides give ranges, of which this is the
/// upper end (CUDA C Programming Guide, "Technical Specifications per Compute Capability").
inline unsigned texture_cache_bytes(Capability capability) {
  constexpr unsigned kKiB = 1024;
  if (capability < kCc20) return 8 * kKiB;
  if (capability < kCc30) return 12 * kKiB;
  return capability < kCc90 ? 48 * kKiB : 256 * kKiB;
}

/// Sectors of 32 bytes, the least recently used of a set making room. No guide says how a cache is organized: sets of 8 are an
/// assumption, and that it is empty when a work-group begins, so that hits do not depend on which groups a multiprocessor had before.
class TextureCache {
 public:
  explicit TextureCache(unsigned bytes) : sets_(std::max(1u, bytes / kSectorBytes / kWays)) {}

  /// Whether the sector is there; it is from now on. `sector` is any number of its own.
  bool touch(std::uint64_t sector) {
    Set& set = sets_[(sector * 0x9e3779b97f4a7c15 >> 32) % sets_.size()];
    if (set.group != group_) set = {.group = group_};
    const auto end = set.sector.begin() + set.size;
    const auto found = std::find(set.sector.begin(), end, sector);
    const bool hit = found != end;
    if (!hit && set.size < kWays) ++set.size;
    // The newest first.
    std::copy_backward(set.sector.begin(), hit ? found : set.sector.begin() + set.size - 1,
                       hit ? found + 1 : set.sector.begin() + set.size);
    set.sector[0] = sector;
    return hit;
  }

  /// Empties it.
  void begin_group() { ++group_; }

 private:
  static constexpr unsigned kSectorBytes = 32, kWays = 8;
  struct Set {
    std::uint64_t group = 0;
    unsigned size = 0;
    std::array<std::uint64_t, kWays> sector{};
  };
  std::vector<Set> sets_;
  std::uint64_t group_ = 1;
};

}  // namespace weft::device::counters
