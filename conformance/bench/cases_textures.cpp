// Images: filters, resampling, tables and volumes through samplers.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bench/case.h"
#include "bench/data.h"
#include "common/image_reference.h"

namespace weft::bench {
namespace {

using conformance::Color;
using conformance::Kind;
using conformance::ReferenceImage;
using conformance::SamplerState;

constexpr int kSide = 1024;

constexpr cl_image_format kRgba8{CL_RGBA, CL_UNORM_INT8}, kBgra8{CL_BGRA, CL_UNORM_INT8}, kR8{CL_R, CL_UNORM_INT8},
    kR32f{CL_R, CL_FLOAT}, kRgba16f{CL_RGBA, CL_HALF_FLOAT}, kRgba16{CL_RGBA, CL_UNORM_INT16}, kRgba8u{CL_RGBA, CL_UNSIGNED_INT8};

ReferenceImage noise_image(Kind kind, cl_image_format format, int width, int height, int depth, int layers, unsigned seed) {
  ReferenceImage image{kind, format, {width, height, depth}, layers, {}};
  const std::size_t texels = std::size_t{1} * width * height * depth * layers;
  image.bytes.resize(texels * image.texel_bytes());
  if (format.image_channel_data_type == CL_FLOAT) {
    const auto values = noise(image.bytes.size() / 4, seed, 0, 1);
    std::memcpy(image.bytes.data(), values.data(), image.bytes.size());
  } else if (format.image_channel_data_type == CL_HALF_FLOAT) {
    const auto values = noise_below(image.bytes.size() / 2, seed, 0x3c00);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto half = static_cast<std::uint16_t>(values[i]);
      std::memcpy(&image.bytes[2 * i], &half, 2);
    }
  } else {
    const auto values = noise_below(image.bytes.size(), seed, 256);
    std::copy(values.begin(), values.end(), image.bytes.begin());
  }
  return image;
}

ReferenceImage noise_plane(cl_image_format format, int side = kSide, unsigned seed = 31) {
  return noise_image(Kind::k2D, format, side, side, 1, 1, seed);
}

/// A case that writes an image of `side`² pixels, each of which is `reference(x, y)`.
template <typename Reference>
Case texture_case(const char* name, const char* kernel, const ReferenceImage* in, cl_image_format to, int side, double work,
                  Reference reference) {
  Case c = make_case(name, "texture.cl", kernel,
                     {{static_cast<std::size_t>(side), static_cast<std::size_t>(side)}, {32, 8}, {}}, work * 1e-9 * side * side,
                     "Gitem/s");
  if (in) c.image(*in);
  const ReferenceImage out{Kind::k2D, to, {side, side, 1}, 1, {}};
  c.image_result(out, [=](std::span<const std::byte> bytes) -> std::string {
    ReferenceImage got = out;
    got.bytes.resize(bytes.size());
    std::memcpy(got.bytes.data(), bytes.data(), bytes.size());
    // A step of the format, and of halves and floats as much.
    const double tolerance = conformance::is_integer(to.image_channel_data_type) ? 0 : 1.01 / 255;
    for (int y = 0; y < side; y += 7)
      for (int x = 0; x < side; ++x) {
        const Color want = reference(x, y), have = got.texel(x, y, 0, 0);
        for (int i = 0; i < conformance::channels_of(to.image_channel_order); ++i)
          if (!(std::fabs(want[i] - have[i]) <= tolerance))
            return "pixel " + std::to_string(x) + ", " + std::to_string(y) + ": " + std::to_string(have[i]) + " for " +
                   std::to_string(want[i]);
      }
    return "";
  });
  return c;
}

Color edge_texel(const ReferenceImage& in, int x, int y, int layer = 0) {
  return in.texel(std::clamp(x, 0, in.size[0] - 1), std::clamp(y, 0, in.size[1] - 1), 0, layer);
}

/// The sum of `weight(x, y)` times the texel so far away, within `reach`.
template <typename Weight>
auto filter(const ReferenceImage& in, int reach, Weight weight) {
  return [=](int px, int py) {
    Color sum{};
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const Color c = edge_texel(in, px + x, py + y);
        for (int i = 0; i < 4; ++i) sum[i] += weight(x, y) * c[i];
      }
    return sum;
  };
}

Case box5(const char* name, cl_image_format format) {
  const ReferenceImage in = noise_plane(format);
  return texture_case(name, "box5", &in, format, kSide, 25, filter(in, 2, [](int, int) { return 1.0 / 25; }));
}

std::vector<cl_uchar> bytes_of(const ReferenceImage& image) {
  std::vector<cl_uchar> bytes(image.bytes.size());
  std::memcpy(bytes.data(), image.bytes.data(), bytes.size());
  return bytes;
}

/// A kernel that does on buffers what another does on images.
template <typename T, typename Reference>
Case buffer_case(const char* name, const char* kernel, double work, const std::vector<T>& in, int channels, Reference reference, double tolerance) {
  Case c = make_case(name, "texture.cl", kernel, {{kSide, kSide}, {32, 8}, {}}, work * 1e-9 * kSide * kSide, "Gitem/s");
  c.buffer(in)
      .result(
          std::vector<T>(in.size()),
          [=] {
            std::vector<T> out(in.size());
            for (int y = 0; y < kSide; ++y)
              for (int x = 0; x < kSide; ++x) {
                const Color color = reference(x, y);
                for (int i = 0; i < channels; ++i)
                  out[channels * (y * kSide + x) + i] =
                      static_cast<T>(std::is_integral_v<T> ? std::nearbyint(color[i] * 255) : color[i]);
              }
            return out;
          },
          tolerance)
      .value(static_cast<cl_int>(kSide))
      .value(static_cast<cl_int>(kSide));
  return c;
}

Case box5_buffer() {
  const ReferenceImage in = noise_plane(kRgba8);
  return buffer_case<cl_uchar>("box 5x5, the same on buffers", "box5_buffer", 25, bytes_of(in), 4, filter(in, 2, [](int, int) { return 1.0 / 25; }), 1);
}

Case box5_floats() {
  const ReferenceImage in = noise_plane(kR32f);
  std::vector<float> values(in.bytes.size() / 4);
  std::memcpy(values.data(), in.bytes.data(), in.bytes.size());
  return buffer_case<float>("box 5x5, R32F on buffers", "box5_floats", 25, values, 1, filter(in, 2, [](int, int) { return 1.0 / 25; }), 1e-5);
}

Case invert_buffer() {
  const ReferenceImage in = noise_plane(kRgba8);
  const auto inverted = [in](int x, int y) {
    Color c = in.texel(x, y, 0, 0);
    for (double& each : c) each = 1 - each;
    return c;
  };
  return buffer_case<cl_uchar>("invert, the same on buffers", "invert_buffer", 1, bytes_of(in), 4, inverted, 1);
}

Case to_buffer() {
  const ReferenceImage in = noise_plane(kRgba8);
  Case c = make_case("image to buffer, RGBA8 to float4", "texture.cl", "to_buffer", {{kSide, kSide}, {32, 8}, {}}, 1e-9 * kSide * kSide, "Gitem/s");
  c.image(in).result(
      std::vector<float>(in.bytes.size()),
      [=] {
        std::vector<float> out(in.bytes.size());
        for (int y = 0; y < kSide; ++y)
          for (int x = 0; x < kSide; ++x)
            for (int i = 0; i < 4; ++i) out[4 * (y * kSide + x) + i] = static_cast<float>(in.texel(x, y, 0, 0)[i]);
        return out;
      },
      1e-6);
  return c;
}

Case slice() {
  const ReferenceImage in = noise_image(Kind::k3D, kRgba8, 64, 64, 64, 1, 36);
  const auto reference = [=](int x, int y) {
    const float ax = (static_cast<float>(x) + 0.5f) * (64.0f / 1024), ay = (static_cast<float>(y) + 0.5f) * (64.0f / 1024);
    return in.sample({false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR}, {ax, ay, ax * 0.5f + ay * 0.25f});
  };
  return texture_case("slice of 64³, RGBA8", "slice", &in, kRgba8, kSide, 1, reference);
}

Case convolve7() {
  const ReferenceImage in = noise_plane(kRgba8);
  auto weights = noise(49, 32, 0, 1);
  float total = 0;
  for (float w : weights) total += w;
  for (float& w : weights) w /= total;
  return texture_case("convolution 7x7, RGBA8", "convolve7", &in, kRgba8, kSide, 49,
                      filter(in, 3, [=](int x, int y) { return weights[(y + 3) * 7 + x + 3]; }))
      .buffer(weights);
}

Case gauss3() {
  const ReferenceImage in = noise_plane(kRgba16f);
  const auto reference = [=](int px, int py) {
    Color sum{};
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const Color c = in.texel(px + x, py + y, 0, 0);
        for (int i = 0; i < 4; ++i) sum[i] += (2 - std::abs(x)) * (2 - std::abs(y)) * c[i] / 16;
      }
    return sum;
  };
  return texture_case("Gauss 3x3, border, RGBA half", "gauss3", &in, kRgba16f, kSide, 9, reference);
}

Case sobel() {
  const ReferenceImage in = noise_plane(kR8);
  const auto reference = [=](int px, int py) -> Color {
    const auto t = [&](int x, int y) { return edge_texel(in, px + x, py + y)[0]; };
    const double h = t(1, -1) + 2 * t(1, 0) + t(1, 1) - t(-1, -1) - 2 * t(-1, 0) - t(-1, 1);
    const double v = t(-1, 1) + 2 * t(0, 1) + t(1, 1) - t(-1, -1) - 2 * t(0, -1) - t(1, -1);
    return {std::min(std::sqrt(h * h + v * v) / 4, 1.0), 0, 0, 1};
  };
  return texture_case("Sobel 3x3, R8", "sobel", &in, kR8, kSide, 9, reference);
}

Case bilateral5() {
  const ReferenceImage in = noise_plane(kRgba8);
  const auto reference = [=](int px, int py) {
    const Color middle = edge_texel(in, px, py);
    Color sum{};
    double total = 0;
    for (int y = -2; y <= 2; ++y)
      for (int x = -2; x <= 2; ++x) {
        const Color c = edge_texel(in, px + x, py + y);
        double square = 0;
        for (int i = 0; i < 3; ++i) square += (c[i] - middle[i]) * (c[i] - middle[i]);
        const double w = std::exp(-square * 10 - (x * x + y * y) * 0.1);
        for (int i = 0; i < 4; ++i) sum[i] += w * c[i];
        total += w;
      }
    for (double& s : sum) s /= total;
    return sum;
  };
  return texture_case("bilateral 5x5, RGBA8", "bilateral5", &in, kRgba8, kSide, 25, reference);
}

/// A read of `in` at `at(x, y)` a pixel.
template <typename At>
Case resampled(const char* name, const char* kernel, cl_image_format format, int from, const SamplerState& sampler, At at) {
  const ReferenceImage in = noise_plane(format, from);
  return texture_case(name, kernel, &in, format, kSide, 1, [=](int x, int y) { return in.sample(sampler, at(x, y)); });
}

std::array<float, 4> turned(int x, int y) {
  const float middle = kSide * 0.5f, dx = static_cast<float>(x) + 0.5f - middle, dy = static_cast<float>(y) + 0.5f - middle;
  return {0.8f * dx - 0.6f * dy + middle, 0.6f * dx + 0.8f * dy + middle};
}

Case scattered(const char* name, cl_image_format format) {
  const ReferenceImage in = noise_plane(format, 512);
  const auto reference = [=](int x, int y) {
    cl_uint state = static_cast<cl_uint>(y * 1024 + x) * 747796405u + 2891336453u;
    Color sum{};
    for (int i = 0; i < 16; ++i) {
      state = state * 1664525u + 1013904223u;
      const Color c = in.sample({false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR},
                                {static_cast<float>(state >> 23) + 0.25f, static_cast<float>(state >> 14 & 511) + 0.25f});
      for (int k = 0; k < 4; ++k) sum[k] += c[k] / 16;
    }
    return sum;
  };
  return texture_case(name, "scattered", &in, format, 512, 16, reference);
}

Case color_table() {
  const ReferenceImage in = noise_plane(kR8), table = noise_image(Kind::k1D, kRgba8, 256, 1, 1, 1, 33);
  const auto reference = [=](int x, int y) {
    const auto value = static_cast<float>(edge_texel(in, x, y)[0]);
    return table.sample({true, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR}, {value});
  };
  return texture_case("colour table, R8 to RGBA8", "color_table", &in, kRgba8, kSide, 1, reference).image(table);
}

Case threshold() {
  const ReferenceImage in = noise_plane(kRgba8u);
  const auto reference = [=](int x, int y) {
    Color c = edge_texel(in, x, y);
    if (c[0] + c[1] + c[2] > 384)
      for (double& each : c) each = 255 - each;
    return c;
  };
  return texture_case("threshold, integers of RGBA8", "threshold", &in, kRgba8u, kSide, 1, reference);
}

Case layers() {
  const ReferenceImage in = noise_image(Kind::k2DArray, kRgba8, kSide, kSide, 1, 4, 34);
  const auto reference = [=](int x, int y) {
    Color sum{};
    for (int layer = 0; layer < 4; ++layer) {
      const Color c = edge_texel(in, x, y, layer);
      for (int i = 0; i < 4; ++i) sum[i] += c[i] / 4;
    }
    return sum;
  };
  return texture_case("mean of 4 layers, RGBA8", "layers", &in, kRgba8, kSide, 4, reference);
}

Case march() {
  const ReferenceImage in = noise_image(Kind::k3D, kR8, 64, 64, 64, 1, 35);
  const auto reference = [=](int x, int y) -> Color {
    double sum = 0;
    const float ax = (static_cast<float>(x) + 0.5f) * (64.0f / 512), ay = (static_cast<float>(y) + 0.5f) * (64.0f / 512);
    for (int i = 0; i < 64; ++i) {
      const auto step = static_cast<float>(i);
      sum += in.sample({false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR}, {ax + step * 0.1f, ay - step * 0.1f, step + 0.5f})[0];
    }
    return {sum / 64, sum / 64, sum / 64, sum / 64};
  };
  return texture_case("ray march through 64³, R8", "march", &in, kRgba8, 512, 64, reference);
}

}  // namespace

std::vector<Case> texture_cases() {
  const ReferenceImage plane = noise_plane(kRgba8), deep = noise_plane(kRgba16);
  const auto inverted = [](const ReferenceImage& in) {
    return [in](int x, int y) {
      Color c = in.texel(x, y, 0, 0);
      for (double& each : c) each = 1 - each;
      return c;
    };
  };
  const SamplerState unit{true, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR};
  return {
      texture_case("invert, RGBA8", "invert", &plane, kRgba8, kSide, 1, inverted(plane)),
      texture_case("invert, RGBA16", "invert", &deep, kRgba16, kSide, 1, inverted(deep)),
      invert_buffer(),
      to_buffer(),
      box5("box 5x5, RGBA8", kRgba8),
      box5_buffer(),
      box5("box 5x5, R32F", kR32f),
      box5_floats(),
      box5("box 5x5, RGBA16", kRgba16),
      convolve7(),
      gauss3(),
      sobel(),
      bilateral5(),
      resampled("resize 700² to 1024², BGRA8", "resize", kBgra8, 700, unit,
                [](int x, int y) {
                  return std::array<float, 4>{(static_cast<float>(x) + 0.5f) / kSide, (static_cast<float>(y) + 0.5f) / kSide};
                }),
      resampled("rotate, linear, RGBA8", "rotate_linear", kRgba8, kSide, {false, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR}, turned),
      resampled("mirrored repeat, R32F", "mirror", kR32f, 512, {true, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR},
                [](int x, int y) {
                  return std::array<float, 4>{static_cast<float>(x) * (2.5f / 1024), static_cast<float>(y) * (2.5f / 1024)};
                }),
      resampled("repeated tiles, nearest, RGBA16", "tiles", kRgba16, 512, {true, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST},
                [](int x, int y) {
                  return std::array<float, 4>{(static_cast<float>(x) + 0.5f) / 512, (static_cast<float>(y) + 0.5f) / 512};
                }),
      slice(),
      scattered("random linear reads, RGBA8", kRgba8),
      scattered("random linear reads, R32F", kR32f),
      color_table(),
      threshold(),
      texture_case("gradient, write only", "gradient", nullptr, kRgba8, kSide, 1,
                   [](int x, int y) { return Color{x / 1024.0, y / 1024.0, 0.5, 1}; }),
      layers(),
      march(),
  };
}

}  // namespace weft::bench
