// Reads of images as the specification's formulas say, one texel and one coordinate at a time, in double (OpenCL C 3.0 §8).
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace weft::conformance {

using Color = std::array<double, 4>;

/// An image's type by its dimensions; the last coordinate of an array is the layer.
enum class Kind { k1D, k1DArray, k2D, k2DArray, k3D };

inline int dimensions_of(Kind kind) { return kind == Kind::k3D ? 3 : kind == Kind::k2D || kind == Kind::k2DArray ? 2 : 1; }
inline bool is_array(Kind kind) { return kind == Kind::k1DArray || kind == Kind::k2DArray; }

struct SamplerState {
  bool normalized = false;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter = CL_FILTER_NEAREST;
};

inline int channels_of(cl_channel_order order) {
  switch (order) {
    case CL_RG: case CL_RA: return 2;
    case CL_RGBA: case CL_BGRA: case CL_ARGB: case CL_ABGR: case CL_sRGBA: case CL_sBGRA: return 4;
    default: return 1;
  }
}
inline int channel_bytes_of(cl_channel_type type) {
  switch (type) {
    case CL_UNORM_INT8: case CL_SNORM_INT8: case CL_SIGNED_INT8: case CL_UNSIGNED_INT8: return 1;
    case CL_FLOAT: case CL_SIGNED_INT32: case CL_UNSIGNED_INT32: return 4;
    default: return 2;
  }
}
inline bool is_unsigned_integer(cl_channel_type type) {
  return type == CL_UNSIGNED_INT8 || type == CL_UNSIGNED_INT16 || type == CL_UNSIGNED_INT32;
}
inline bool is_integer(cl_channel_type type) {
  return type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32 || is_unsigned_integer(type);
}

/// An image in memory without gaps.
struct ReferenceImage {
  Kind kind;
  cl_image_format format;
  int size[3];  ///< texels; 1 beyond the dimensions
  int layers = 1;
  std::vector<std::uint8_t> bytes;

  int texel_bytes() const { return channels_of(format.image_channel_order) * channel_bytes_of(format.image_channel_data_type); }

  double channel(const std::uint8_t* at) const {
    const auto as = [at]<class T>(T value) {
      std::memcpy(&value, at, sizeof value);
      return value;
    };
    switch (format.image_channel_data_type) {
      case CL_UNORM_INT8: return as(std::uint8_t{}) / 255.0;
      case CL_SNORM_INT8: return std::max(as(std::int8_t{}) / 127.0, -1.0);
      case CL_UNORM_INT16: return as(std::uint16_t{}) / 65535.0;
      case CL_SNORM_INT16: return std::max(as(std::int16_t{}) / 32767.0, -1.0);
      case CL_SIGNED_INT8: return as(std::int8_t{});
      case CL_UNSIGNED_INT8: return as(std::uint8_t{});
      case CL_SIGNED_INT16: return as(std::int16_t{});
      case CL_UNSIGNED_INT16: return as(std::uint16_t{});
      case CL_SIGNED_INT32: return as(std::int32_t{});
      case CL_UNSIGNED_INT32: return as(std::uint32_t{});
      case CL_HALF_FLOAT: {
        const unsigned h = as(std::uint16_t{});
        const int exponent = static_cast<int>(h >> 10 & 31);
        const double mantissa = h & 1023;
        const double value = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
        return h & 0x8000 ? -value : value;
      }
      default: return as(float{});
    }
  }

  /// Channels in the order of memory to a colour (OpenCL C 3.0 §6.15.15, table "Image Channel Order").
  Color in_color_order(const Color& c) const {
    switch (format.image_channel_order) {
      case CL_R: case CL_DEPTH: return {c[0], 0, 0, 1};
      case CL_A: return {0, 0, 0, c[0]};
      case CL_RG: return {c[0], c[1], 0, 1};
      case CL_RA: return {c[0], 0, 0, c[1]};
      case CL_BGRA: case CL_sBGRA: return {c[2], c[1], c[0], c[3]};
      case CL_ARGB: return {c[1], c[2], c[3], c[0]};
      case CL_ABGR: return {c[3], c[2], c[1], c[0]};
      case CL_INTENSITY: return {c[0], c[0], c[0], c[0]};
      case CL_LUMINANCE: return {c[0], c[0], c[0], 1};
      default: return c;
    }
  }

  static double from_srgb(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

  /// The texel, or the border's colour (OpenCL C 3.0 §8.2, CLK_ADDRESS_CLAMP).
  Color texel(int x, int y, int z, int layer) const {
    const bool inside = x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < size[2];
    Color c{};
    if (inside) {
      const std::size_t index = ((static_cast<std::size_t>(std::max(layer, z)) * size[1] + y) * size[0] + x);
      for (int i = 0; i < channels_of(format.image_channel_order); ++i)
        c[i] = channel(&bytes[index * texel_bytes() + i * channel_bytes_of(format.image_channel_data_type)]);
    }
    const bool srgb = format.image_channel_order == CL_sRGBA || format.image_channel_order == CL_sBGRA;
    if (srgb)
      for (int i = 0; i < 3; ++i) c[i] = from_srgb(c[i]);
    return in_color_order(c);
  }

  struct Axis {
    int low, high;
    double weight;  ///< of `high`
  };

  /// Where a read of `coordinate` looks along an axis of `n` texels; `low` alone for CLK_FILTER_NEAREST.
  static Axis axis(const SamplerState& sampler, double coordinate, int n) {
    double u = coordinate;
    const bool repeats = sampler.addressing == CL_ADDRESS_REPEAT, mirrors = sampler.addressing == CL_ADDRESS_MIRRORED_REPEAT;
    if (repeats) {
      u = (coordinate - std::floor(coordinate)) * n;
    } else if (mirrors) {
      u = std::fabs(coordinate - 2 * std::nearbyint(0.5 * coordinate)) * n;
    } else if (sampler.normalized) {
      u = coordinate * n;
    }
    const bool linear = sampler.filter == CL_FILTER_LINEAR;
    if (linear) u -= 0.5;
    const double whole = std::floor(u);
    Axis result{static_cast<int>(std::clamp(whole, -2.0, n + 1.0)), 0, u - whole};
    result.high = result.low + 1;
    for (int* place : {&result.low, &result.high}) {
      if (repeats) *place = (*place % n + n) % n;
      else if (sampler.addressing != CL_ADDRESS_CLAMP) *place = std::clamp(*place, 0, n - 1);
    }
    return result;
  }

  Color sample(const SamplerState& sampler, const std::array<float, 4>& at) const {
    Axis axes[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const int dimensions = dimensions_of(kind);
    for (int d = 0; d < dimensions; ++d) axes[d] = axis(sampler, at[d], size[d]);
    const int layer = is_array(kind) ? std::clamp(static_cast<int>(std::nearbyint(at[dimensions])), 0, layers - 1) : 0;
    if (sampler.filter == CL_FILTER_NEAREST) return texel(axes[0].low, axes[1].low, axes[2].low, layer);
    Color sum{};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      int place[3] = {0, 0, 0};
      double weight = 1;
      for (int d = 0; d < dimensions; ++d) {
        const bool high = corner >> d & 1;
        place[d] = high ? axes[d].high : axes[d].low;
        weight *= high ? axes[d].weight : 1 - axes[d].weight;
      }
      const Color c = texel(place[0], place[1], place[2], layer);
      for (int i = 0; i < 4; ++i) sum[i] += weight * c[i];
    }
    return sum;
  }
};

}  // namespace weft::conformance
