// Filters on images as plain arrays: rows with an edge repeated on both sides in floats, of which few are kept; bytes are converted
// once. A pixel's channels lie side by side, so that loops run over floats whatever their number.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;
using Byte = std::uint8_t;
using Short = std::uint16_t;

namespace {

template <typename T>
constexpr float kScale = std::is_same_v<T, Byte> ? 255.0f : std::is_same_v<T, Short> ? 65535.0f : 1.0f;

template <typename T>
inline T to_texel(float v) {
  if constexpr (std::is_floating_point_v<T>)
    return v;
  else
    return static_cast<T>(static_cast<int>(std::max(0.0f, std::min(v * kScale<T>, kScale<T>)) + 0.5f));
}

/// Calls `f` with a null pointer of the texels' type.
template <typename F>
void by_type(const Image& image, F f) {
  if (image.channel_bytes == 1) f(static_cast<Byte*>(nullptr));
  else if (image.channel_bytes == 2) f(static_cast<Short*>(nullptr));
  else f(static_cast<float*>(nullptr));
}

/// A row's `n` floats of `kChannels` each pixel (times 1 / kScale), `reach` pixels more on each side: the edge's, or zeros.
template <int kChannels, typename T>
void widen(const T* __restrict row, int n, int reach, bool edge, float* __restrict to) {
  float* __restrict middle = to + reach * kChannels;
  constexpr float kFactor = 1.0f / kScale<T>;
#pragma omp simd
  for (int i = 0; i < n * kChannels; ++i) middle[i] = static_cast<float>(row[i]) * kFactor;
  for (int x = 0; x < reach; ++x)
    for (int c = 0; c < kChannels; ++c) {
      to[x * kChannels + c] = edge ? middle[c] : 0;
      middle[(n + x) * kChannels + c] = edge ? middle[(n - 1) * kChannels + c] : 0;
    }
}

/// Calls `row(y, rows)` for each row of an image, rows[0 .. 2 * kReach] being those around it as floats, widened by the reach. A
/// thread's rows are neighbours: each is converted once, into a ring.
template <int kChannels, int kReach, typename T, typename F>
void each_row(const T* in, int width, int height, bool edge, F row) {
  constexpr int kRows = 2 * kReach + 1;
  const int pitch = ((width + 2 * kReach) * kChannels + 15) / 16 * 16;
#pragma omp parallel
  {
    std::vector<float> ring(static_cast<std::size_t>(pitch) * kRows);
    int filled = -1000;  // the last row of the image that is in the ring
#pragma omp for schedule(static)
    for (int y = 0; y < height; ++y) {
      const float* rows[kRows];
      for (int j = std::max(filled + 1, y - kReach); j <= y + kReach; ++j) {
        float* to = &ring[static_cast<std::size_t>((j + kRows) % kRows) * pitch];
        if (edge || (j >= 0 && j < height))
          widen<kChannels>(in + std::size_t(std::clamp(j, 0, height - 1)) * width * kChannels, width, kReach, edge, to);
        else
          std::fill(to, to + pitch, 0.0f);
      }
      filled = y + kReach;
      for (int j = 0; j < kRows; ++j) rows[j] = &ring[static_cast<std::size_t>((y - kReach + j + kRows) % kRows) * pitch];
      row(y, rows);
    }
  }
}

/// All 25 equal: sums of columns, then of five of them. Exact only to rounding, as the kernel's own order is.
template <int kChannels, typename T>
void box5(const T* in, T* out, int width, int height) {
  each_row<kChannels, 2>(in, width, height, true, [=](int y, const float* const* rows) {
    constexpr int kMost = 4 * 1024 + 64;
    float column[kMost];
    const float *__restrict a = rows[0], *__restrict b = rows[1], *__restrict c = rows[2], *__restrict d = rows[3], *__restrict e = rows[4];
    T* __restrict to = out + std::size_t(y) * width * kChannels;
    for (int base = 0; base < width * kChannels; base += 4096) {
      const int n = std::min(4096, width * kChannels - base);
#pragma omp simd
      for (int i = 0; i < n + 4 * kChannels; ++i) column[i] = a[base + i] + b[base + i] + c[base + i] + d[base + i] + e[base + i];
#pragma omp simd
      for (int i = 0; i < n; ++i)
        to[base + i] = to_texel<T>((column[i] + column[i + kChannels] + column[i + 2 * kChannels] + column[i + 3 * kChannels] +
                                    column[i + 4 * kChannels]) * (1.0f / 25));
    }
  });
}

/// An inverted image or buffer of `n` bytes or shorts.
template <typename T>
void invert(const T* __restrict in, T* __restrict out, std::size_t n) {
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(~in[i]);
}

std::size_t count_of(const Image& image) { return std::size_t{1} * image.width * image.height * image.depth * image.channels; }

}  // namespace

WEFT_NATIVE(texture_invert) {
  by_type(p.image(0), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if constexpr (std::is_integral_v<T>) invert(p.image(0).as<T>(), p.image(1).as<T>(), count_of(p.image(0)));
  });
}

WEFT_NATIVE(texture_invert_buffer) { invert(p.buffer<Byte>(0), p.buffer<Byte>(1), std::size_t{4} * p.value<int>(2) * p.value<int>(3)); }

WEFT_NATIVE(texture_to_buffer) {
  const Byte* __restrict in = p.image(0).as<Byte>();
  float* __restrict out = p.buffer<float>(1);
  const std::size_t n = count_of(p.image(0));
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(in[i]) * (1.0f / 255);
}

WEFT_NATIVE(texture_box5) {
  const Image &in = p.image(0), &out = p.image(1);
  by_type(in, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (in.channels == 4) box5<4>(in.as<T>(), out.as<T>(), in.width, in.height);
    else box5<1>(in.as<T>(), out.as<T>(), in.width, in.height);
  });
}
WEFT_NATIVE(texture_box5_buffer) { box5<4>(p.buffer<Byte>(0), p.buffer<Byte>(1), p.value<int>(2), p.value<int>(3)); }
WEFT_NATIVE(texture_box5_floats) { box5<1>(p.buffer<float>(0), p.buffer<float>(1), p.value<int>(2), p.value<int>(3)); }

WEFT_NATIVE(texture_convolve7) {
  const Image &in = p.image(0), &image = p.image(1);
  const float* weights = p.buffer<float>(2);
  each_row<4, 3>(in.as<Byte>(), in.width, in.height, true, [&](int y, const float* const* rows) {
    Byte* __restrict to = image.as<Byte>() + std::size_t(y) * in.width * 4;
    constexpr int kStep = 4 * kFloats;
    for (int x = 0; x < in.width * 4; x += kStep) {
      Floats sums[4] = {};
#pragma clang loop unroll(full)
      for (int j = 0; j < 7; ++j)
#pragma clang loop unroll(full)
        for (int i = 0; i < 7; ++i)
          for (int v = 0; v < 4; ++v) sums[v] += weights[j * 7 + i] * load<Floats>(rows[j] + x + 4 * i + v * kFloats);
      float line[kStep];
      for (int v = 0; v < 4; ++v) store(line + v * kFloats, sums[v]);
#pragma omp simd
      for (int i = 0; i < kStep; ++i) to[x + i] = to_texel<Byte>(line[i]);
    }
  });
}

WEFT_NATIVE(texture_gauss3) {
  // Halves; separable: columns of 1 2 1, then rows. Outside is zero.
  const Image &in = p.image(0), &image = p.image(1);
  const Short* texels = in.as<Short>();
  const int n = in.width * 4, height = in.height;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < height; ++y) {
    float column[4 * 1024 + 8] = {};
    const auto* __restrict above = reinterpret_cast<const _Float16*>(texels + std::size_t(std::max(y - 1, 0)) * n);
    const auto* __restrict row = reinterpret_cast<const _Float16*>(texels + std::size_t(y) * n);
    const auto* __restrict below = reinterpret_cast<const _Float16*>(texels + std::size_t(std::min(y + 1, height - 1)) * n);
    const float up = y > 0, down = y + 1 < height;
#pragma omp simd
    for (int i = 0; i < n; ++i)
      column[i + 4] = up * static_cast<float>(above[i]) + 2.0f * static_cast<float>(row[i]) + down * static_cast<float>(below[i]);
    auto* __restrict to = reinterpret_cast<_Float16*>(image.as<Short>() + std::size_t(y) * n);
#pragma omp simd
    for (int i = 0; i < n; ++i) to[i] = static_cast<_Float16>((column[i] + 2.0f * column[i + 4] + column[i + 8]) * (1.0f / 16));
  }
}

WEFT_NATIVE(texture_sobel) {
  const Image &in = p.image(0), &image = p.image(1);
  each_row<1, 1>(in.as<Byte>(), in.width, in.height, true, [&](int y, const float* const* rows) {
    const float *__restrict above = rows[0] + 1, *__restrict row = rows[1] + 1, *__restrict below = rows[2] + 1;
    Byte* __restrict to = image.as<Byte>() + std::size_t(y) * in.width;
#pragma omp simd
    for (int x = 0; x < in.width; ++x) {
      const float h = above[x + 1] + 2 * row[x + 1] + below[x + 1] - above[x - 1] - 2 * row[x - 1] - below[x - 1];
      const float v = below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] - 2 * above[x] - above[x + 1];
      to[x] = to_texel<Byte>(std::sqrt(h * h + v * v) * 0.25f);
    }
  });
}

WEFT_NATIVE(texture_bilateral5) {
  const Image &in = p.image(0), &image = p.image(1);
  const int width = in.width;
  // Channels apart, so that a vector holds a channel of as many pixels.
  constexpr int kReach = 2, kRows = 5, kMost = 1024 + 2 * kReach;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < in.height; ++y) {
    float planes[kRows][4][kMost];
    for (int j = 0; j < kRows; ++j) {
      const Byte* row = in.as<Byte>() + std::size_t(std::clamp(y + j - kReach, 0, in.height - 1)) * width * 4;
      for (int c = 0; c < 4; ++c) {
#pragma omp simd
        for (int x = 0; x < width; ++x) planes[j][c][x + kReach] = static_cast<float>(row[4 * x + c]) * (1.0f / 255);
        for (int x = 0; x < kReach; ++x) {
          planes[j][c][x] = planes[j][c][kReach];
          planes[j][c][width + kReach + x] = planes[j][c][width + kReach - 1];
        }
      }
    }
    Byte* __restrict to = image.as<Byte>() + std::size_t(y) * width * 4;
#pragma omp simd
    for (int x = 0; x < width; ++x) {
      const float r = planes[2][0][x + kReach], g = planes[2][1][x + kReach], b = planes[2][2][x + kReach];
      float sum[4] = {}, total = 0;
#pragma clang loop unroll(full)
      for (int j = 0; j < kRows; ++j)
#pragma clang loop unroll(full)
        for (int i = 0; i < kRows; ++i) {
          const float cr = planes[j][0][x + i], cg = planes[j][1][x + i], cb = planes[j][2][x + i];
          const float square = (cr - r) * (cr - r) + (cg - g) * (cg - g) + (cb - b) * (cb - b);
          const float w = std::exp(-square * 10.0f - static_cast<float>((i - 2) * (i - 2) + (j - 2) * (j - 2)) * 0.1f);
          sum[0] += w * cr;
          sum[1] += w * cg;
          sum[2] += w * cb;
          sum[3] += w * planes[j][3][x + i];
          total += w;
        }
      const float inverse = 1.0f / total;
      for (int c = 0; c < 4; ++c) to[4 * x + c] = to_texel<Byte>(sum[c] * inverse);
    }
  }
}

WEFT_NATIVE(texture_color_table) {
  const Image &in = p.image(0), &image = p.image(1), &table = p.image(2);
  // A byte has 256 values: each is looked up once.
  std::uint32_t colors[256];
  for (int v = 0; v < 256; ++v) {
    const float at = static_cast<float>(v) * (1.0f / 255) * static_cast<float>(table.width) - 0.5f;
    const float low = std::floor(at), weight = at - low;
    const int a = std::clamp(static_cast<int>(low), 0, table.width - 1), b = std::clamp(static_cast<int>(low) + 1, 0, table.width - 1);
    Byte color[4];
    for (int c = 0; c < 4; ++c) {
      const float x = table.as<Byte>()[4 * a + c], y = table.as<Byte>()[4 * b + c];
      color[c] = static_cast<Byte>(x + (y - x) * weight + 0.5f);
    }
    std::memcpy(&colors[v], color, 4);
  }
  const Byte* __restrict from = in.as<Byte>();
  std::uint32_t* __restrict to = image.as<std::uint32_t>();
  const std::size_t n = count_of(in);
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) to[i] = colors[from[i]];
}

WEFT_NATIVE(texture_threshold) {
  const std::uint32_t* __restrict from = p.image(0).as<std::uint32_t>();
  std::uint32_t* __restrict to = p.image(1).as<std::uint32_t>();
  const std::size_t n = count_of(p.image(0)) / 4;
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t c = from[i];
    to[i] = (c & 255) + (c >> 8 & 255) + (c >> 16 & 255) > 384 ? ~c : c;
  }
}

WEFT_NATIVE(texture_gradient) {
  const Image& image = p.image(0);
  Byte row[4 * 1024];
  for (int x = 0; x < image.width; ++x) {
    row[4 * x] = to_texel<Byte>(static_cast<float>(x) * (1.0f / 1024));
    row[4 * x + 1] = 0;
    row[4 * x + 2] = 128;
    row[4 * x + 3] = 255;
  }
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y) {
    const std::uint32_t green = static_cast<std::uint32_t>(to_texel<Byte>(static_cast<float>(y) * (1.0f / 1024))) << 8;
    const auto* __restrict from = reinterpret_cast<const std::uint32_t*>(row);
    std::uint32_t* __restrict to = image.as<std::uint32_t>() + std::size_t(y) * image.width;
#pragma omp simd
    for (int x = 0; x < image.width; ++x) to[x] = from[x] | green;
  }
}

WEFT_NATIVE(texture_layers) {
  const Image &in = p.image(0), &image = p.image(1);
  const std::size_t n = count_of(in);
  const Byte *__restrict a = in.as<Byte>(), *__restrict b = a + n, *__restrict c = b + n, *__restrict d = c + n;
  Byte* __restrict to = image.as<Byte>();
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) {
    // A quarter, halves to the even number.
    const Short sum = a[i] + b[i] + c[i] + d[i];
    to[i] = static_cast<Byte>((sum + 1 + (sum >> 2 & 1)) >> 2);
  }
}
