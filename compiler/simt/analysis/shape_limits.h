// Limits that the rules of the shape analysis share.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::compiler::simt {

/// For shorter segments the scalar bases cost more than a vector of addresses.
inline constexpr unsigned kShortestSegment = 8;
/// Strides beyond this are as good as varying; the bound also keeps products far from overflow.
inline constexpr std::int64_t kLargestStride = std::int64_t{1} << 40;

/// log2 of the largest power of two that divides `value`.
inline unsigned divisor_log2(std::uint64_t value) { return value ? static_cast<unsigned>(std::countr_zero(value)) : 63; }

}  // namespace weft::compiler::simt
