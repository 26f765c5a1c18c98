// Accesses of a warp by a formula, for the models' tests.
#pragma once

#include "device/counters/access.h"

namespace weft::device::counters::test {

/// Lane k accesses address(k).
template <typename F>
WarpAccess by_lane(unsigned width, F&& address, Kind kind = Kind::load, std::uint32_t mask = ~0u) {
  WarpAccess access;
  access.width = static_cast<std::uint8_t>(width);
  access.kind = kind;
  access.mask = mask;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) access.address[lane] = address(lane);
  return access;
}

/// Lane k accesses word `first + k * stride` of an array at a multiple of 256 bytes.
inline WarpAccess strided(unsigned width, std::uint64_t stride, std::uint64_t first = 0,
                          Kind kind = Kind::load, std::uint32_t mask = ~0u) {
  return by_lane(
      width, [=](unsigned lane) { return 4096 + (first + lane * stride) * width; }, kind, mask);
}

inline constexpr std::uint32_t kFirstHalf = 0xffffu;

}  // namespace weft::device::counters::test
