// Images of cases_textures.cpp read between their texels: coordinates clamped or repeated, four or eight texels weighted.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;
using Byte = std::uint8_t;

namespace {

using Color = float __attribute__((vector_size(16)));
using Texel = Byte __attribute__((vector_size(4)));

inline Color color_of(const Byte* texel) { return __builtin_convertvector(load<Texel>(texel), Color); }
inline Texel texel_of(Color c) {
  using Four = std::int32_t __attribute__((vector_size(16)));
  return __builtin_convertvector(__builtin_convertvector(c + 0.5f, Four), Texel);
}
inline Color mix(Color a, Color b, float weight) { return a + (b - a) * weight; }

/// The four around a place whose first is at `low`, all within the image; 0 to 255 in each channel.
inline Color around(const Byte* image, int width, int x0, int x1, int y0, int y1, float wx, float wy) {
  const Byte *top = image + 4 * y0 * width, *bottom = image + 4 * y1 * width;
  return mix(mix(color_of(top + 4 * x0), color_of(top + 4 * x1), wx), mix(color_of(bottom + 4 * x0), color_of(bottom + 4 * x1), wx), wy);
}

inline int clamped(int v, int n) { return std::max(0, std::min(v, n - 1)); }

struct Axis {
  int low, high;
  float weight;
};
inline Axis edge_axis(float at, int n) {
  const float low = std::floor(at);
  const int i = static_cast<int>(low);
  return {clamped(i, n), clamped(i + 1, n), at - low};
}

}  // namespace

WEFT_NATIVE(texture_resize) {
  // The columns' places and weights are the same for all rows; two rows are mixed first, then neighbours within the result.
  const Image &in = p.image(0), &image = p.image(1);
  std::vector<Axis> columns;
  for (int x = 0; x < image.width; ++x)
    columns.push_back(edge_axis((static_cast<float>(x) + 0.5f) / static_cast<float>(image.width) * static_cast<float>(in.width) - 0.5f, in.width));
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y) {
    const Axis row = edge_axis((static_cast<float>(y) + 0.5f) / static_cast<float>(image.height) * static_cast<float>(in.height) - 0.5f, in.height);
    const Byte *__restrict a = in.as<Byte>() + row.low * in.width * 4, *__restrict b = in.as<Byte>() + row.high * in.width * 4;
    float mixed[4 * 1024];
#pragma omp simd
    for (int i = 0; i < 4 * in.width; ++i) mixed[i] = static_cast<float>(a[i]) + static_cast<float>(b[i] - a[i]) * row.weight;
    Byte* to = image.as<Byte>() + y * image.width * 4;
    for (int x = 0; x < image.width; ++x)
      store(to + 4 * x, texel_of(mix(load<Color>(mixed + 4 * columns[x].low), load<Color>(mixed + 4 * columns[x].high), columns[x].weight)));
  }
}

WEFT_NATIVE(texture_rotate_linear) {
  const Image &in = p.image(0), &image = p.image(1);
  const int width = in.width, height = in.height;
  const float mx = static_cast<float>(image.width) * 0.5f, my = static_cast<float>(image.height) * 0.5f;
#pragma omp parallel for schedule(dynamic, 8) default(firstprivate)
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const float dx = static_cast<float>(x) + 0.5f - mx, dy = static_cast<float>(y) + 0.5f - my;
      const float ax = 0.8f * dx - 0.6f * dy + mx - 0.5f, ay = 0.6f * dx + 0.8f * dy + my - 0.5f;
      const float lx = std::floor(ax), ly = std::floor(ay);
      const int ix = static_cast<int>(lx), iy = static_cast<int>(ly);
      Color c = {};
      if (ix >= 0 && ix + 1 < width && iy >= 0 && iy + 1 < height) {
        c = around(in.as<Byte>(), width, ix, ix + 1, iy, iy + 1, ax - lx, ay - ly);
      } else if (ix >= -1 && ix < width && iy >= -1 && iy < height) {  // zero outside
        for (int corner = 0; corner < 4; ++corner) {
          const int px = ix + (corner & 1), py = iy + (corner >> 1);
          if (px < 0 || px >= width || py < 0 || py >= height) continue;
          c += color_of(in.as<Byte>() + 4 * (py * width + px)) * ((corner & 1 ? ax - lx : 1 - ax + lx) * (corner >> 1 ? ay - ly : 1 - ay + ly));
        }
      }
      store(image.as<Byte>() + 4 * (y * image.width + x), texel_of(c));
    }
}

WEFT_NATIVE(texture_mirror) {
  const Image &in = p.image(0), &image = p.image(1);
  const auto axis = [](int i, int n) {
    const float s = static_cast<float>(i) * (2.5f / 1024);
    return edge_axis(std::fabs(s - 2 * std::nearbyint(0.5f * s)) * static_cast<float>(n) - 0.5f, n);
  };
  std::vector<int> low(image.width), high(image.width);
  std::vector<float> weight(image.width);
  for (int x = 0; x < image.width; ++x) {
    const Axis a = axis(x, in.width);
    low[x] = a.low, high[x] = a.high, weight[x] = a.weight;
  }
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y) {
    const Axis row = axis(y, in.height);
    const float *__restrict a = in.as<float>() + row.low * in.width, *__restrict b = in.as<float>() + row.high * in.width;
    float mixed[1024];
#pragma omp simd
    for (int i = 0; i < in.width; ++i) mixed[i] = a[i] + (b[i] - a[i]) * row.weight;
    float* __restrict to = image.as<float>() + y * image.width;
#pragma omp simd
    for (int x = 0; x < image.width; ++x) to[x] = mixed[low[x]] + (mixed[high[x]] - mixed[low[x]]) * weight[x];
  }
}

WEFT_NATIVE(texture_tiles) {
  const Image &in = p.image(0), &image = p.image(1);
  const std::size_t row = std::size_t(in.width) * in.channels * in.channel_bytes, pitch = std::size_t(image.width) * in.channels * in.channel_bytes;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y)
    for (std::size_t at = 0; at < pitch; at += row)
      std::memcpy(image.as<Byte>() + y * pitch + at, in.as<Byte>() + (y % in.height) * row, std::min(row, pitch - at));
}

WEFT_NATIVE(texture_slice) {
  const Image &in = p.image(0), &image = p.image(1);
  const int n = in.width;
  const float scale = static_cast<float>(n) / 1024;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const float ax = (static_cast<float>(x) + 0.5f) * scale, ay = (static_cast<float>(y) + 0.5f) * scale;
      const Axis u = edge_axis(ax - 0.5f, n), v = edge_axis(ay - 0.5f, n), w = edge_axis(ax * 0.5f + ay * 0.25f - 0.5f, n);
      const Byte *front = in.as<Byte>() + 4 * w.low * n * n, *back = in.as<Byte>() + 4 * w.high * n * n;
      store(image.as<Byte>() + 4 * (y * image.width + x), texel_of(mix(around(front, n, u.low, u.high, v.low, v.high, u.weight, v.weight),
                                                                       around(back, n, u.low, u.high, v.low, v.high, u.weight, v.weight), w.weight)));
    }
}

WEFT_NATIVE(texture_scattered) {
  const Image &in = p.image(0), &image = p.image(1);
  const bool bytes = in.channel_bytes == 1;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y) {
    const auto first = [&](int x) { return static_cast<std::uint32_t>(y * 1024 + x) * 747796405u + 2891336453u; };
    if (bytes) {
      for (int x = 0; x < image.width; ++x) {
        std::uint32_t state = first(x);
        Color sum = {};
        for (int i = 0; i < 16; ++i) {
          state = state * 1664525u + 1013904223u;
          const Axis u = edge_axis(static_cast<float>(state >> 23) - 0.25f, in.width), v = edge_axis(static_cast<float>(state >> 14 & 511) - 0.25f, in.height);
          sum += around(in.as<Byte>(), in.width, u.low, u.high, v.low, v.high, u.weight, v.weight);
        }
        store(image.as<Byte>() + 4 * (y * image.width + x), texel_of(sum * (1.0f / 16)));
      }
    } else {
      const float* __restrict texels = in.as<float>();
      float* __restrict to = image.as<float>() + y * image.width;
      const int width = in.width, height = in.height, columns = image.width;
#pragma omp simd
      for (int x = 0; x < columns; ++x) {
        std::uint32_t state = static_cast<std::uint32_t>(y * 1024 + x) * 747796405u + 2891336453u;
        float sum = 0;
#pragma clang loop unroll(full)
        for (int i = 0; i < 16; ++i) {
          state = state * 1664525u + 1013904223u;
          // A place is a quarter before a texel's middle: three quarters of it, one of the texel before.
          const int x1 = static_cast<int>(state >> 23), y1 = static_cast<int>(state >> 14 & 511);
          const int x0 = std::max(x1 - 1, 0), y0 = std::max(y1 - 1, 0), xx = std::min(x1, width - 1), yy = std::min(y1, height - 1);
          const float top = texels[y0 * width + x0] * 0.25f + texels[y0 * width + xx] * 0.75f;
          const float bottom = texels[yy * width + x0] * 0.25f + texels[yy * width + xx] * 0.75f;
          sum += top * 0.25f + bottom * 0.75f;
        }
        to[x] = sum * (1.0f / 16);
      }
    }
  }
}

WEFT_NATIVE(texture_march) {
  const Image &in = p.image(0), &image = p.image(1);
  const Byte* __restrict texels = in.as<Byte>();
  const int n = in.width, width = image.width;
  const float scale = static_cast<float>(n) / 512;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < image.height; ++y) {
    float sums[1024] = {};
    for (int i = 0; i < 64; ++i) {  // a slice at a time: the ray meets it in its texels' middle
      const Byte* __restrict plane = texels + clamped(i, n) * n * n;
      const Axis v = edge_axis((static_cast<float>(y) + 0.5f) * scale - static_cast<float>(i) * 0.1f - 0.5f, n);
      float row[256];
      for (int x = 0; x < n; ++x) row[x] = static_cast<float>(plane[v.low * n + x]) * (1 - v.weight) + static_cast<float>(plane[v.high * n + x]) * v.weight;
#pragma omp simd
      for (int x = 0; x < width; ++x) {
        const float at = (static_cast<float>(x) + 0.5f) * scale + static_cast<float>(i) * 0.1f - 0.5f, low = std::floor(at);
        const int k = static_cast<int>(low);
        const int a = std::max(0, std::min(k, n - 1)), b = std::max(0, std::min(k + 1, n - 1));
        sums[x] += row[a] + (row[b] - row[a]) * (at - low);
      }
    }
    std::uint32_t* __restrict to = image.as<std::uint32_t>() + y * width;
#pragma omp simd
    for (int x = 0; x < width; ++x) to[x] = static_cast<std::uint32_t>(static_cast<int>(sums[x] * (1.0f / 64) + 0.5f)) * 0x01010101u;
  }
}
