// What a warp's image read costs on 9.0: requests and sectors of the texture unit.
#pragma once

#include <array>
#include <cstdint>

#include "device/counters/access.h"
#include "device/counters/distinct.h"

namespace weft::device::counters {

/// The texel that each lane reads, in whole texels of a two-dimensional image.
struct WarpTexels {
  std::array<std::uint32_t, kWarpSize> x{}, y{};
  std::uint32_t mask = ~0u;
  std::uint8_t texel_bytes = 4;
};

struct TextureCost {
  unsigned requests = 0;
  unsigned sectors = 0;
};

/// One request for each four neighbouring lanes. A sector of 32 bytes holds 16 bytes of a row and those below
/// them, so a request touches one sector for each such tile (silicon/h200-2.tsv, all rows image_copy, nearest
/// sampling of 4-byte texels; other sizes follow the same layout but were not measured). Calls f(sector) for
/// each, with a number of its own in the image.
template <typename F>
TextureCost texture_read(const WarpTexels& texels, F&& f) {
  constexpr unsigned kLanes = 4, kRowBytes = 16, kRows = 2;
  TextureCost cost;
  for (unsigned first = 0; first < kWarpSize; first += kLanes) {
    SmallSet<kLanes> tiles;
    for_each_lane(texels.mask & lanes_of(first, kLanes), [&](unsigned lane) {
      const std::uint64_t column = std::uint64_t{texels.x[lane]} * texels.texel_bytes / kRowBytes;
      const std::uint64_t sector = column << 32 | texels.y[lane] / kRows;
      if (tiles.insert(sector)) f(sector);
    });
    cost.requests += tiles.size() != 0;
    cost.sectors += tiles.size();
  }
  return cost;
}
inline TextureCost texture_read(const WarpTexels& texels) {
  return texture_read(texels, [](std::uint64_t) {});
}

}  // namespace weft::device::counters
