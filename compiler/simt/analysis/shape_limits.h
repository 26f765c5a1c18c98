// Limits that the rules of the shape analysis share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "compiler/simt/analysis/shape.h"

namespace weft::compiler::simt {

/// For shorter segments the scalar bases cost more than a vector of addresses.
inline constexpr unsigned kShortestSegment = 8;
/// Strides beyond this are as good as varying; the bound also keeps products far from overflow.
inline constexpr std::int64_t kLargestStride = std::int64_t{1} << 40;

/// log2 of the largest power of two that divides `value`.
inline unsigned divisor_log2(std::uint64_t value) { return value ? static_cast<unsigned>(std::countr_zero(value)) : 63; }

/// Whether `shape`, of a number of `bits`, rises, and spans less than half of these numbers: then it does not wrap around on the way to a lane whose
/// number is not negative, wherever it starts.
inline bool is_short(const Shape& shape, unsigned bits) {
  const std::int64_t half = std::int64_t{1} << (std::clamp(bits, 2u, 64u) - 2);
  return shape.stride > 0 && shape.stride <= half / shape.segment;
}

/// Whether lanes of `shape`, numbers of `bits`, differ in low bits alone, which are 0 in each segment's base: then none wraps around, whatever the base.
inline bool carries_nothing(const Shape& shape, unsigned bits) {
  const unsigned low = std::min({unsigned{shape.base_log2}, bits - 1, 62u});
  return shape.stride > 0 && shape.stride <= ((std::int64_t{1} << low) - 1) / std::max(1u, shape.segment - 1);
}

}  // namespace weft::compiler::simt
