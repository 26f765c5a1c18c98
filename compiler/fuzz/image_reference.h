// Reads and writes of images by the specification's formulas, one texel at a time in double (OpenCL C 3.0 §8.2, §8.3). Knows nothing
// of compiler/builtins.
//
// Results are sets, since the specification leaves room: a coordinate that is computed in float may fall on either side of a
// texel's edge, and conversions have bounds in ulp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "compiler/compiler_api.h"
#include "compiler/fuzz/texel_format.h"

namespace weft::fuzz {

struct ReferenceImage {
  compiler::ImageShape shape;
  TexelFormat format;
  std::array<int, 3> size{1, 1, 1};  ///< texels along x, y, z; 1 beyond the dimensions
  int layers = 1;
  const std::byte* data = nullptr;
  std::size_t row_pitch = 0, slice_pitch = 0;

  int dimensions() const;  ///< without the layer
  bool is_array() const { return shape == compiler::ImageShape::k1DArray || shape == compiler::ImageShape::k2DArray; }
  /// A texel's offset; `z` is the slice or the layer.
  std::size_t offset(int x, int y, int z) const {
    return static_cast<std::size_t>(x) * format.bytes() + static_cast<std::size_t>(y) * row_pitch +
           static_cast<std::size_t>(z) * slice_pitch;
  }
};

/// A sampler's abi::SamplerBits, or none.
inline constexpr std::uint32_t kNoSampler = ~0u;

/// Coordinates as the kernel passes them, the array's layer after the others.
struct Coordinates {
  bool are_floats = false;
  std::array<std::int32_t, 3> integers{};
  std::array<float, 3> floats{};
};

/// The result is undefined: outside the image without a sampler, or with one that has no addressing mode.
bool is_undefined(const ReferenceImage& image, std::uint32_t sampler, const Coordinates& at);

/// Says what a read of these coordinates should have given; empty if it may give `got`: floats or integers as words. That is one
/// component, or with component -1 all four; of a depth image the only one.
std::string why_not(const ReferenceImage& image, std::uint32_t sampler, const Coordinates& at, const std::uint32_t* got, int component);

/// Whether `texel` may be what a write of these words (floats or integers by the format) leaves (§8.3).
bool may_be_written(const TexelFormat& format, const std::array<std::uint32_t, 4>& color, const std::byte* texel);

}  // namespace weft::fuzz
