// Image formats: one table of channel orders and one of channel types (OpenCL 3.0 API §5.3.1.1), from which come what the
// device supports, the checks of formats, and texels made of colours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/opencl.h"

namespace weft::runtime {

/// A texel has at most four channels of 32 bits.
inline constexpr std::size_t kMaxTexelBytes = 16;

/// What the bits of a channel mean.
enum class ChannelKind : std::uint8_t { kUnorm, kSnorm, kSigned, kUnsigned, kHalf, kFloat };

/// A channel type. `bits` says the channels' widths, the first in the highest bits, where `is_packed` puts a texel into one
/// integer; else bits[0] is the width of every channel.
struct ChannelType {
  cl_channel_type type;
  ChannelKind kind;
  bool is_packed;
  std::array<std::uint8_t, 4> bits;
};

/// A channel order. `components` names the channels in the order of memory by letters of "rgba". Luminance,
/// intensity and depth are kept in r.
struct ChannelOrder {
  cl_channel_order order;
  const char* components;
  bool is_srgb;
};

/// A format that the device supports, for every access of a kernel.
struct ImageFormat {
  const ChannelOrder* order;
  const ChannelType* type;
  std::uint32_t texel_bytes;  ///< 1, 2, 4, 8 or 16: a power of two (§5.3.1.1)

  cl_image_format api() const { return {order->order, type->type}; }
  bool is_depth() const { return order->order == CL_DEPTH; }
};

/// All of them.
std::span<const ImageFormat> image_formats();

/// The entry of an API format, or null: neither a valid combination nor any other is found. `is_valid` then says whether
/// order and type exist and the specification allows them together.
const ImageFormat* find_image_format(const cl_image_format& format);
bool is_valid(const cl_image_format& format);

/// Whether images of `type` may have the format. Depth images are 2-D images and arrays of them (OpenCL C 3.0 §6.3.1).
bool supports(cl_mem_object_type type, const ImageFormat& format);

/// Whether a view of an image of order `from` may have order `to` (§5.3.1.2, table "Compatible Image Channel Orders").
bool are_compatible(cl_channel_order to, cl_channel_order from);

/// A colour as clEnqueueFillImage takes it made a texel: 4 floats (one for depth), cl_int or cl_uint as the channel type says
/// (§5.3.4), converted as a kernel's write is (OpenCL C 3.0 §8.3).
std::array<std::byte, kMaxTexelBytes> make_texel(const ImageFormat& format, const void* color);

}  // namespace weft::runtime
