// What depends on the addresses of accesses and on their order: partition camping, hits in the cache of texels.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/counters/access_cost.h"
#include "device/counters/counts.h"
#include "device/counters/partitions.h"
#include "device/counters/texture_cache.h"

namespace weft::device::counters {

/// Of the groups that one thread runs; for one thread at a time. A "wave" is so many consecutive groups as the device runs at once.
class AccessTrace {
 public:
  /// `places`: source lines, by which all is counted.
  AccessTrace(Capability capability, std::uint32_t places);

  /// Throws std::bad_alloc.
  void begin_group(std::uint64_t wave);

  /// An access to global memory by a group that has begun; on 2.x and higher, whose memory has no partitions that a program could know, nothing.
  void global(std::uint32_t place, const AccessKind& kind, std::uint32_t mask, const std::uint64_t* address);
  /// A read of an image, which is the kernel's argument `image`.
  void texels(std::uint32_t place, std::uint16_t image, std::uint32_t mask, const std::uint64_t* number);

  /// Adds what `other` counted.
  void merge(const AccessTrace& other);
  /// Adds all to the lines, of which there are as many as places, and to the launch's total.
  void add_to(std::vector<Counts>& lines, Counts& total) const;
  void clear();

 private:
  struct Lookups {
    std::uint64_t hits = 0, misses = 0;
  };
  using Waves = std::map<std::uint64_t, std::vector<PartitionSpread>>;  ///< by wave, by place

  Capability capability_;
  std::uint32_t places_;
  TextureCache cache_;
  std::vector<Lookups> lookups_;  ///< by place
  Waves waves_;
  std::vector<PartitionSpread>* wave_ = nullptr;  ///< the group's; null on 2.x and higher
};

}  // namespace weft::device::counters
