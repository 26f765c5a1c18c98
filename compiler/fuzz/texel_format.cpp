#include "compiler/fuzz/texel_format.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

namespace weft::fuzz {
namespace {

constexpr ChannelType kTypes[] = {
    {0x10D0, "SNORM_INT8", ChannelKind::kSnorm, false, {8}},
    {0x10D1, "SNORM_INT16", ChannelKind::kSnorm, false, {16}},
    {0x10D2, "UNORM_INT8", ChannelKind::kUnorm, false, {8}},
    {0x10D3, "UNORM_INT16", ChannelKind::kUnorm, false, {16}},
    {0x10D4, "UNORM_SHORT_565", ChannelKind::kUnorm, true, {5, 6, 5}},
    {0x10D5, "UNORM_SHORT_555", ChannelKind::kUnorm, true, {5, 5, 5}},
    {0x10D6, "UNORM_INT_101010", ChannelKind::kUnorm, true, {10, 10, 10}},
    {0x10D7, "SIGNED_INT8", ChannelKind::kSigned, false, {8}},
    {0x10D8, "SIGNED_INT16", ChannelKind::kSigned, false, {16}},
    {0x10D9, "SIGNED_INT32", ChannelKind::kSigned, false, {32}},
    {0x10DA, "UNSIGNED_INT8", ChannelKind::kUnsigned, false, {8}},
    {0x10DB, "UNSIGNED_INT16", ChannelKind::kUnsigned, false, {16}},
    {0x10DC, "UNSIGNED_INT32", ChannelKind::kUnsigned, false, {32}},
    {0x10DD, "HALF_FLOAT", ChannelKind::kHalf, false, {16}},
    {0x10DE, "FLOAT", ChannelKind::kFloat, false, {32}},
    {0x10E0, "UNORM_INT_101010_2", ChannelKind::kUnorm, true, {10, 10, 10, 2}},
};

constexpr ChannelOrder kOrders[] = {
    {0x10B0, "R", "r", false},         {0x10B1, "A", "a", false},         {0x10B2, "RG", "rg", false},
    {0x10B3, "RA", "ra", false},       {0x10B4, "RGB", "rgb", false},     {0x10B5, "RGBA", "rgba", false},
    {0x10B6, "BGRA", "bgra", false},   {0x10B7, "ARGB", "argb", false},   {0x10B8, "INTENSITY", "i", false},
    {0x10B9, "LUMINANCE", "l", false}, {0x10BD, "DEPTH", "d", false},     {0x10C1, "sRGBA", "rgba", true},
    {0x10C2, "sBGRA", "bgra", true},   {0x10C3, "ABGR", "abgr", false},
};

/// §5.3.1.1 of the API, "List of supported Image Channel Order Values".
bool go_together(const ChannelOrder& order, const ChannelType& type) {
  const std::string_view name = order.name;
  const bool eight = !type.is_packed && type.bits[0] == 8;
  const bool integer = type.kind == ChannelKind::kSigned || type.kind == ChannelKind::kUnsigned;
  if (order.is_srgb) return eight && type.kind == ChannelKind::kUnorm;
  if (name == "RGB") return type.is_packed && type.bits[3] == 0;
  if (name == "RGBA") return !type.is_packed || type.bits[3] != 0;
  if (name == "BGRA" || name == "ARGB" || name == "ABGR") return eight;
  if (name == "INTENSITY" || name == "LUMINANCE") return !integer && !type.is_packed;
  if (name == "DEPTH") return type.kind == ChannelKind::kFloat || (type.kind == ChannelKind::kUnorm && type.bits[0] == 16);
  return !type.is_packed;
}

}  // namespace

int TexelFormat::channels() const { return static_cast<int>(std::strlen(order->components)); }

std::size_t TexelFormat::bytes() const {
  if (type->is_packed) return type->bits[0] == 10 ? 4 : 2;
  return static_cast<std::size_t>(channels()) * static_cast<std::size_t>(type->bits[0]) / 8;
}

std::span<const TexelFormat> texel_formats() {
  static const std::vector<TexelFormat> formats = [] {
    std::vector<TexelFormat> result;
    for (const ChannelOrder& order : kOrders)
      for (const ChannelType& type : kTypes)
        if (go_together(order, type)) result.push_back({&order, &type});
    return result;
  }();
  return formats;
}

bool TexelFormat::has(char component) const { return std::strchr(order->components, component) != nullptr; }

std::uint32_t TexelFormat::channel_bits(const std::byte* texel, int channel) const {
  std::uint32_t word = 0;
  if (!type->is_packed) {
    const auto each = static_cast<std::size_t>(type->bits[0]) / 8;
    std::memcpy(&word, texel + static_cast<std::size_t>(channel) * each, each);
    return word;
  }
  std::memcpy(&word, texel, bytes());
  int below = 0;
  for (int i = channels() - 1; i > channel; --i) below += type->bits[i];
  return word >> below & ((1u << type->bits[channel]) - 1);
}

double half_value(std::uint32_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  double value = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
  if (exponent == 31) value = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  return bits & 0x8000 ? -value : value;
}

double sign_extended(std::uint32_t bits, int width) { return static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width); }

}  // namespace weft::fuzz
