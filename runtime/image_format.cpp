#include "runtime/image_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/device.h"

namespace weft::runtime {
namespace {

constexpr ChannelType kTypes[] = {
    {CL_UNORM_INT8, ChannelKind::kUnorm, false, {8}},
    {CL_UNORM_INT16, ChannelKind::kUnorm, false, {16}},
    {CL_SNORM_INT8, ChannelKind::kSnorm, false, {8}},
    {CL_SNORM_INT16, ChannelKind::kSnorm, false, {16}},
    {CL_SIGNED_INT8, ChannelKind::kSigned, false, {8}},
    {CL_SIGNED_INT16, ChannelKind::kSigned, false, {16}},
    {CL_SIGNED_INT32, ChannelKind::kSigned, false, {32}},
    {CL_UNSIGNED_INT8, ChannelKind::kUnsigned, false, {8}},
    {CL_UNSIGNED_INT16, ChannelKind::kUnsigned, false, {16}},
    {CL_UNSIGNED_INT32, ChannelKind::kUnsigned, false, {32}},
    {CL_HALF_FLOAT, ChannelKind::kHalf, false, {16}},
    {CL_FLOAT, ChannelKind::kFloat, false, {32}},
    {CL_UNORM_SHORT_565, ChannelKind::kUnorm, true, {5, 6, 5}},
    {CL_UNORM_SHORT_555, ChannelKind::kUnorm, true, {5, 5, 5}},
    {CL_UNORM_INT_101010, ChannelKind::kUnorm, true, {10, 10, 10}},
    {CL_UNORM_INT_101010_2, ChannelKind::kUnorm, true, {10, 10, 10, 2}},
};

constexpr ChannelOrder kOrders[] = {
    {CL_R, "r", false},         {CL_A, "a", false},        {CL_RG, "rg", false},       {CL_RA, "ra", false},
    {CL_RGBA, "rgba", false},   {CL_BGRA, "bgra", false},  {CL_ARGB, "argb", false},   {CL_ABGR, "abgr", false},
    {CL_RGB, "rgb", false},     {CL_LUMINANCE, "r", false}, {CL_INTENSITY, "r", false}, {CL_DEPTH, "r", false},
    {CL_sRGBA, "rgba", true},   {CL_sBGRA, "bgra", true},
};

/// Orders and types that exist, but in no format of the device: their texels are not a power of two bytes (sRGB), or the
/// specification and its conformance suite disagree on them (how many channels Rx and RGx have, whether alpha of the border of RGBx
/// and sRGBx is 0 or 1), or they come from other APIs alone.
constexpr cl_channel_order kOtherOrders[] = {CL_Rx, CL_RGx, CL_RGBx, CL_sRGB, CL_sRGBx, CL_DEPTH_STENCIL};
constexpr cl_channel_type kOtherTypes[] = {CL_UNORM_INT24};

std::size_t channels(const ChannelOrder& order) { return std::strlen(order.components); }

/// §5.3.1.1, "List of supported Image Channel Order Values" and "... Data Types", with what OpenCL 1.2 API §5.3.1.1 says of
/// luminance, intensity, BGRA and ARGB.
bool allows(const ChannelOrder& order, const ChannelType& type) {
  const bool is_norm = !type.is_packed && (type.kind == ChannelKind::kUnorm || type.kind == ChannelKind::kSnorm);
  const bool is_float = type.kind == ChannelKind::kHalf || type.kind == ChannelKind::kFloat;
  switch (order.order) {
    case CL_RGB:
      return type.is_packed && type.bits[3] == 0;
    case CL_RGBA:
      return !type.is_packed || type.bits[3] != 0;
    case CL_BGRA:
    case CL_ARGB:
    case CL_ABGR:
      return type.bits[0] == 8 && !type.is_packed;
    case CL_LUMINANCE:
    case CL_INTENSITY:
      return is_norm || is_float;
    case CL_sRGBA:
    case CL_sBGRA:
      return type.type == CL_UNORM_INT8;
    case CL_DEPTH:
      return type.type == CL_UNORM_INT16 || type.type == CL_FLOAT;
    default:
      return !type.is_packed;
  }
}

std::uint32_t texel_bytes(const ChannelOrder& order, const ChannelType& type) {
  if (type.is_packed) return type.bits[0] == 10 ? 4 : 2;
  return static_cast<std::uint32_t>(channels(order)) * type.bits[0] / 8;
}

/// To the nearest integer, ties to even, within [low, high]; NaN is 0 (convert_T_sat_rte).
double saturated(double value, double low, double high) {
  if (std::isnan(value)) return 0;
  return std::fmin(std::fmax(std::nearbyint(value), low), high);
}

/// OpenCL C 3.0 §8.3.1.3: a linear component of [0, 1] in the sRGB curve.
float to_srgb(float linear) {
  if (!(linear > 0)) return 0;  // and NaN
  if (linear > 1) return 1;
  if (linear < 0.0031308f) return 12.92f * linear;
  return 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

/// A component's bits, in the lowest of the result. §8.3.1.1 (normalized), §8.3.2 (half), §8.3.4, §8.3.5 (integers).
std::uint32_t channel_bits(ChannelKind kind, unsigned bits, float real, std::int32_t integer) {
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  const double highest = std::ldexp(1.0, static_cast<int>(bits)) - 1, half = std::ldexp(1.0, static_cast<int>(bits) - 1);
  switch (kind) {
    case ChannelKind::kUnorm:
      // The product in float, as the specification has it.
      return static_cast<std::uint32_t>(saturated(real * static_cast<float>(highest), 0, highest));
    case ChannelKind::kSnorm:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(
                 saturated(real * static_cast<float>(half - 1), -half, half - 1))) & mask;
    case ChannelKind::kSigned:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(std::fmin(std::fmax(integer, -half), half - 1))) & mask;
    case ChannelKind::kUnsigned:
      return static_cast<std::uint32_t>(std::fmin(static_cast<std::uint32_t>(integer), highest));
    case ChannelKind::kHalf: {
      const _Float16 value = static_cast<_Float16>(real);
      std::uint16_t result;
      std::memcpy(&result, &value, sizeof result);
      return result;
    }
    case ChannelKind::kFloat: {
      std::uint32_t result;
      std::memcpy(&result, &real, sizeof result);
      return result;
    }
  }
  return 0;
}

}  // namespace

std::span<const ImageFormat> image_formats() {
  static const auto& all = *[] {
    auto* list = new std::vector<ImageFormat>;
    for (const ChannelOrder& order : kOrders) {
      for (const ChannelType& type : kTypes) {
        if (allows(order, type)) list->push_back({&order, &type, texel_bytes(order, type)});
      }
    }
    return list;
  }();
  return all;
}

const ImageFormat* find_image_format(const cl_image_format& format) {
  for (const ImageFormat& each : image_formats()) {
    if (each.order->order == format.image_channel_order && each.type->type == format.image_channel_data_type) return &each;
  }
  return nullptr;
}

bool is_valid(const cl_image_format& format) {
  if (find_image_format(format)) return true;
  const auto is = [](cl_uint value) { return [value](cl_uint each) { return each == value; }; };
  const bool other_order = std::ranges::any_of(kOtherOrders, is(format.image_channel_order));
  const bool other_type = std::ranges::any_of(kOtherTypes, is(format.image_channel_data_type));
  const bool known_order = other_order || std::ranges::any_of(kOrders, is(format.image_channel_order), &ChannelOrder::order);
  const bool known_type = other_type || std::ranges::any_of(kTypes, is(format.image_channel_data_type), &ChannelType::type);
  // Known ones that are not allowed together are no valid format.
  return known_order && known_type && (other_order || other_type);
}

bool supports(cl_mem_object_type type, const ImageFormat& format) {
  if (!format.is_depth()) return true;
  return Device::has_extension("cl_khr_depth_images") &&
         (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY);
}

bool are_compatible(cl_channel_order to, cl_channel_order from) {
  constexpr cl_channel_order kPairs[][2] = {{CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_sRGB, CL_RGB}, {CL_sRGBx, CL_RGBx}};
  for (const auto& [srgb, linear] : kPairs) {
    if ((to == srgb && from == linear) || (to == linear && from == srgb)) return true;
  }
  return to == CL_DEPTH && from == CL_R;
}

std::array<std::byte, kMaxTexelBytes> make_texel(const ImageFormat& format, const void* color) {
  const ChannelType& type = *format.type;
  const bool is_integer = type.kind == ChannelKind::kSigned || type.kind == ChannelKind::kUnsigned;
  float reals[4] = {};
  std::int32_t integers[4] = {};
  if (is_integer) {
    std::memcpy(integers, color, sizeof integers);
  } else {
    std::memcpy(reals, color, format.is_depth() ? sizeof(float) : sizeof reals);
  }
  std::array<std::byte, kMaxTexelBytes> texel{};
  std::uint32_t packed = 0;
  for (std::size_t i = 0; i < channels(*format.order); ++i) {
    const unsigned bits = type.is_packed ? type.bits[i] : type.bits[0];
    const char name = format.order->components[i];
    const std::size_t component = std::string_view("rgba").find(name);
    const bool on_curve = format.order->is_srgb && component < 3;
    const float real = on_curve ? to_srgb(reals[component]) : reals[component];
    const std::uint32_t value = channel_bits(type.kind, bits, real, integers[component]);
    if (type.is_packed) {
      packed = packed << bits | value;
    } else {
      std::memcpy(texel.data() + i * bits / 8, &value, bits / 8);
    }
  }
  if (type.is_packed) std::memcpy(texel.data(), &packed, format.texel_bytes);
  return texel;
}

}  // namespace weft::runtime
