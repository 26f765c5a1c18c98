#include "compiler/fuzz/image_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "device/kernel_abi.h"

namespace weft::fuzz {
namespace {

double ulp(double value) {
  const float at = std::fabs(static_cast<float>(value));
  return std::isfinite(at) ? static_cast<double>(std::nextafterf(at, HUGE_VALF)) - at : 0;
}

/// A number and how far the device's may be from it.
struct Real {
  double value = 0, error = 0;
};
using Color = std::array<Real, 4>;

/// §8.3.1.1, §8.3.1.3: the sRGB curve undone, the bound as in §8.3.1.3: back on the curve, within half a step.
Real from_srgb(std::uint32_t bits) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const double value = linear(bits / 255.0);
  if (bits == 0 || bits == 255) return {value, 0};
  return {value, std::min(linear((bits + 0.5) / 255.0) - value, value - linear((bits - 0.5) / 255.0))};
}

Real channel_value(const TexelFormat& format, const std::byte* texel, int channel) {
  const std::uint32_t bits = format.channel_bits(texel, channel);
  const int width = format.width(channel);
  switch (format.type->kind) {
    case ChannelKind::kUnorm: {
      if (format.order->is_srgb && format.order->components[channel] != 'a') return from_srgb(bits);
      const double most = std::ldexp(1.0, width) - 1, value = bits / most;
      return {value, bits == 0 || bits == most ? 0 : 1.5 * ulp(value)};  // 0 and 1 are exact
    }
    case ChannelKind::kSnorm: {
      const double most = std::ldexp(1.0, width - 1) - 1, value = std::max(sign_extended(bits, width) / most, -1.0);
      return {value, value == 0 || std::fabs(value) == 1 ? 0 : 1.5 * ulp(value)};
    }
    case ChannelKind::kHalf: return {half_value(bits), 0};
    case ChannelKind::kFloat: return {std::bit_cast<float>(bits), 0};
    case ChannelKind::kSigned: return {sign_extended(bits, width), 0};
    default: return {static_cast<double>(bits), 0};
  }
}

/// The texel, or the border's colour outside (§6.15.15.6, §8.2).
Color color_at(const ReferenceImage& image, int x, int y, int z, int layer) {
  const bool inside = x >= 0 && x < image.size[0] && y >= 0 && y < image.size[1] && z >= 0 && z < image.size[2];
  const TexelFormat& format = image.format;
  Color color{};
  // Alpha is 1 in formats that have none, also outside.
  if (!format.has('a') && !format.has('i') && !format.is_depth()) color[3].value = 1;
  if (!inside) return color;
  const std::byte* texel = image.data + image.offset(x, y, std::max(z, layer));
  for (int i = 0; i < format.channels(); ++i) {
    const Real value = channel_value(format, texel, i);
    switch (format.order->components[i]) {
      case 'r': case 'd': color[0] = value; break;
      case 'g': color[1] = value; break;
      case 'b': color[2] = value; break;
      case 'a': color[3] = value; break;
      case 'l': color[0] = color[1] = color[2] = value; break;
      case 'i': color = {value, value, value, value}; break;
    }
  }
  return color;
}

bool is_linear(std::uint32_t sampler) { return sampler != kNoSampler && (sampler & abi::kSamplerLinear); }
bool is_normalized(std::uint32_t sampler) { return sampler != kNoSampler && (sampler & abi::kSamplerNormalized); }
std::uint32_t addressing(std::uint32_t sampler) {
  return sampler == kNoSampler ? std::uint32_t{abi::kSamplerNone} : sampler & abi::kSamplerAddressing;
}

/// Coordinates in texels, from least to most, as computing with floats may give them.
struct Interval {
  double low, high;
};

/// §8.2.1 to §8.2.4: u of a coordinate.
Interval unnormalized(float coordinate, int size, std::uint32_t sampler) {
  const double s = coordinate, n = size;
  double u = s, slack = 0;
  if (addressing(sampler) == abi::kSamplerRepeat) {
    u = (s - std::floor(s)) * n;
    slack = n * 0x1p-22;
    return {std::max(u - slack, 0.0), std::min(u + slack, n)};
  }
  if (addressing(sampler) == abi::kSamplerMirroredRepeat) {
    u = std::fabs(s - 2 * std::nearbyint(0.5 * s)) * n;
    slack = n * 0x1p-22;
  } else if (is_normalized(sampler)) {
    u = s * n;
    slack = std::fabs(u) * 0x1p-23;
  }
  return {u - slack, u + slack};
}

int bounded(double whole) { return static_cast<int>(std::clamp(whole, -4.0, 1e6)); }

/// The texel of an index, by the addressing mode; -1 or `size` is in the border.
int addressed(int index, int size, std::uint32_t sampler) {
  switch (addressing(sampler)) {
    case abi::kSamplerRepeat: return ((index % size) + size) % size;
    case abi::kSamplerClamp: return std::clamp(index, -1, size);
    case abi::kSamplerNone: return index;
    default: return std::clamp(index, 0, size - 1);
  }
}

int layer_at(const ReferenceImage& image, const Coordinates& at) {
  if (!image.is_array()) return 0;
  const int d = image.dimensions();
  const double layer = at.are_floats ? std::nearbyint(static_cast<double>(at.floats[d])) : at.integers[d];
  return static_cast<int>(std::clamp(layer, 0.0, static_cast<double>(image.layers - 1)));
}

/// Calls `each` with every choice of one element of each axis.
template <typename T, typename F>
void each_choice(const std::array<std::vector<T>, 3>& axes, F each) {
  for (const T& z : axes[2])
    for (const T& y : axes[1])
      for (const T& x : axes[0]) each(x, y, z);
}

float float_of(std::uint32_t word) { return std::bit_cast<float>(word); }

bool equals(const Real& wanted, std::uint32_t got) {
  const float value = float_of(got);
  if (std::isnan(wanted.value)) return std::isnan(value);
  if (wanted.error == 0) return value == wanted.value;
  return std::fabs(value - wanted.value) <= wanted.error;
}

/// What a kernel kept of a read: components from `first` to before `end`, one word each.
struct Got {
  const std::uint32_t* words;
  int first, end;

  std::uint32_t of(int component) const { return words[component - first]; }
};

bool is_color(const ReferenceImage& image, const Color& color, const Got& got) {
  for (int i = got.first; i < got.end; ++i) {
    if (image.format.is_integer()) {
      const auto wanted = static_cast<std::uint32_t>(static_cast<std::int64_t>(color[i].value));
      if (got.of(i) != wanted) return false;
    } else if (!equals(color[i], got.of(i))) {
      return false;
    }
  }
  return true;
}

std::string text_of(const char* what, const std::array<double, 4>& low, const std::array<double, 4>& high) {
  char buffer[300];
  std::snprintf(buffer, sizeof buffer, "%s (%.9g %.9g %.9g %.9g) to (%.9g %.9g %.9g %.9g)", what, low[0], low[1], low[2], low[3],
                high[0], high[1], high[2], high[3]);
  return buffer;
}

std::string why_not_nearest(const ReferenceImage& image, std::uint32_t sampler, const Coordinates& at, const Got& got) {
  std::array<std::vector<int>, 3> texels{{{0}, {0}, {0}}};
  for (int d = 0; d < image.dimensions(); ++d) {
    const int n = image.size[d];
    if (!at.are_floats) {
      texels[d] = {addressed(at.integers[d], n, sampler)};
      continue;
    }
    const Interval u = unnormalized(at.floats[d], n, sampler);
    const int low = addressed(bounded(std::floor(u.low)), n, sampler), high = addressed(bounded(std::floor(u.high)), n, sampler);
    texels[d] = {low};
    if (high != low) texels[d].push_back(high);
  }
  bool found = false;
  std::string wanted;
  each_choice(texels, [&](int x, int y, int z) {
    const Color color = color_at(image, x, y, z, layer_at(image, at));
    found |= is_color(image, color, got);
    std::array<double, 4> values;
    for (int i = 0; i < 4; ++i) values[i] = color[i].value;
    if (wanted.empty()) wanted = text_of(("texel " + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z)).c_str(), values, values);
  });
  return found ? "" : wanted;
}

std::string why_not_linear(const ReferenceImage& image, std::uint32_t sampler, const Coordinates& at, const Got& got) {
  // The result is a continuous function of u, and within a cell between texels' centres linear along each axis. So its extremes lie at the
  // ends of the interval or at cells' edges.
  std::array<std::vector<double>, 3> points{{{0}, {0}, {0}}};
  for (int d = 0; d < image.dimensions(); ++d) {
    const double n = image.size[d];
    Interval u = unnormalized(at.floats[d], image.size[d], sampler);
    u = {std::clamp(u.low, -3.0, n + 3), std::clamp(u.high, -3.0, n + 3)};
    const double slack = std::max(std::fabs(u.low), std::fabs(u.high)) * 0x1p-23;  // of u - 0.5
    u = {u.low - 0.5 - slack, u.high - 0.5 + slack};
    points[d] = {u.low, u.high};
    for (double edge = std::ceil(u.low); edge < u.high; ++edge) points[d].push_back(edge);
  }
  std::array<double, 4> low, high, most{}, error{};
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  const int layer = layer_at(image, at), dimensions = image.dimensions();
  each_choice(points, [&](double x, double y, double z) {
    const double u[3] = {x, y, z};
    std::array<double, 4> sum{};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      int texel[3] = {0, 0, 0};
      double weight = 1;
      for (int d = 0; d < dimensions; ++d) {
        const double whole = std::floor(u[d]), part = u[d] - whole;
        const bool upper = corner >> d & 1;
        texel[d] = addressed(bounded(whole) + upper, image.size[d], sampler);
        weight *= upper ? part : 1 - part;
      }
      const Color color = color_at(image, texel[0], texel[1], texel[2], layer);
      for (int i = 0; i < 4; ++i) {
        sum[i] += weight * color[i].value;
        most[i] = std::max(most[i], std::fabs(color[i].value));
        error[i] = std::max(error[i], color[i].error);
      }
    }
    for (int i = 0; i < 4; ++i) {
      low[i] = std::min(low[i], sum[i]);
      high[i] = std::max(high[i], sum[i]);
    }
  });
  bool found = true;
  for (int i = got.first; i < got.end; ++i) {
    // The sum's own roundings: a few of each of up to eight products, of which the largest texel is the measure.
    const double slack = error[i] + most[i] * 0x1p-20;
    low[i] -= slack;
    high[i] += slack;
    const double value = float_of(got.of(i));
    found &= value >= low[i] && value <= high[i];
  }
  return found ? "" : text_of("from", low, high);
}

double to_srgb(double linear) {
  if (!(linear > 0)) return 0;
  if (linear > 1) return 1;
  return linear < 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace

int ReferenceImage::dimensions() const {
  using compiler::ImageShape;
  if (shape == ImageShape::k3D) return 3;
  return shape == ImageShape::k2D || shape == ImageShape::k2DArray ? 2 : 1;
}

bool is_undefined(const ReferenceImage& image, std::uint32_t sampler, const Coordinates& at) {
  if (addressing(sampler) != abi::kSamplerNone) return false;
  for (int d = 0; d < image.dimensions(); ++d) {
    const double n = image.size[d];
    Interval u{static_cast<double>(at.integers[d]), static_cast<double>(at.integers[d])};
    if (at.are_floats) u = unnormalized(at.floats[d], image.size[d], sampler);
    const double reach = is_linear(sampler) ? 0.5 : 0;
    if (!(u.low - reach >= 0 && u.high + reach < n)) return true;
  }
  // Without a sampler, layers are as other coordinates.
  if (sampler == kNoSampler && image.is_array()) {
    const int layer = at.integers[image.dimensions()];
    return layer < 0 || layer >= image.layers;
  }
  return false;
}

std::string why_not(const ReferenceImage& image, std::uint32_t sampler, const Coordinates& at, const std::uint32_t* words, int component) {
  const bool single = component >= 0 || image.format.is_depth();
  const int first = std::max(component, 0);
  const Got got{words, first, single ? first + 1 : 4};
  return is_linear(sampler) ? why_not_linear(image, sampler, at, got) : why_not_nearest(image, sampler, at, got);
}

bool may_be_written(const TexelFormat& format, const std::array<std::uint32_t, 4>& color, const std::byte* texel) {
  for (int i = 0; i < format.channels(); ++i) {
    const char component = format.order->components[i];
    const std::uint32_t word = color[component == 'g' ? 1 : component == 'b' ? 2 : component == 'a' ? 3 : 0];
    const std::uint32_t got = format.channel_bits(texel, i);
    const int width = format.width(i);
    const double highest = std::ldexp(1.0, width) - 1, half = std::ldexp(1.0, width - 1);
    const double real = float_of(word);
    switch (format.type->kind) {
      case ChannelKind::kUnorm: {
        const double wanted = format.order->is_srgb && component != 'a' ? to_srgb(real) * 255 : std::clamp(real * highest, 0.0, highest);
        if (std::fabs(got - wanted) > 0.6) return false;
        break;
      }
      case ChannelKind::kSnorm:
        if (std::fabs(sign_extended(got, width) - std::clamp(real * (half - 1), -half, half - 1)) > 0.6) return false;
        break;
      case ChannelKind::kSigned: {
        const double wanted = std::clamp(static_cast<double>(static_cast<std::int32_t>(word)), -half, half - 1);
        if (sign_extended(got, width) != wanted) return false;
        break;
      }
      case ChannelKind::kUnsigned:
        if (got != std::min(static_cast<double>(word), highest)) return false;
        break;
      case ChannelKind::kHalf: {
        // To nearest even, or towards zero: the neighbours of the value are allowed, itself if it is a half.
        const double value = half_value(got);
        if (value == real) break;
        const double next = half_value(got + 1), previous = got & 0x7fff ? half_value(got - 1) : -half_value(1);
        const double least = std::min(next, previous), most = std::max(next, previous);
        if (!(real > least && real < most) && !(std::isinf(value) && std::fabs(real) >= 65504 && (real < 0) == (value < 0))) return false;
        break;
      }
      case ChannelKind::kFloat:
        if (got != word) return false;
        break;
    }
  }
  return true;
}

}  // namespace weft::fuzz
