// Formats of texels as the specification has them (OpenCL 3.0 API §5.3.1.1). Knows nothing of compiler/builtins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft::fuzz {

enum class ChannelKind { kUnorm, kSnorm, kSigned, kUnsigned, kHalf, kFloat };

/// A channel type of OpenCL 3.0 API §5.3.1.1. `bits`: each channel's, from the highest of a texel that is one integer (packed); else
/// bits[0] is the width of every channel.
struct ChannelType {
  std::uint32_t number;  ///< CL_UNORM_INT8, ...
  const char* name;
  ChannelKind kind;
  bool is_packed;
  std::array<int, 4> bits;
};

/// A channel order. `components`: what the channels are, in memory's order; 'l' is luminance, 'i' intensity, 'd' depth.
struct ChannelOrder {
  std::uint32_t number;
  const char* name;
  const char* components;
  bool is_srgb;
};

struct TexelFormat {
  const ChannelOrder* order;
  const ChannelType* type;

  int channels() const;
  std::size_t bytes() const;
  bool is_integer() const { return type->kind == ChannelKind::kSigned || type->kind == ChannelKind::kUnsigned; }
  bool is_depth() const { return order->components[0] == 'd'; }
  bool has(char component) const;
  /// Bits of a channel, and the channel of a texel as bits.
  int width(int channel) const { return type->bits[static_cast<std::size_t>(type->is_packed ? channel : 0)]; }
  std::uint32_t channel_bits(const std::byte* texel, int channel) const;
  std::string name() const { return std::string(order->name) + " " + type->name; }
};

/// Every format that the device has.
std::span<const TexelFormat> texel_formats();

/// The value of a half, and of the lower `width` bits with their sign.
double half_value(std::uint32_t bits);
double sign_extended(std::uint32_t bits, int width);

}  // namespace weft::fuzz
