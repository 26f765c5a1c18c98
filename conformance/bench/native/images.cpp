// Images and grids on plain arrays, a row at a time: rows are contiguous, so that loops over bytes or floats fill vectors.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;
using Byte = std::uint8_t;

WEFT_NATIVE(image_sobel) {
  const int pitch = 4 * p.value<int>(2), width = 4 * static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
  const Byte* in = p.buffer<Byte>(0);
  Byte* out = p.buffer<Byte>(1);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 1; y <= height; ++y) {
    const Byte *__restrict above = in + (y - 1) * pitch + 4, *__restrict row = above + pitch, *__restrict below = row + pitch;
    Byte* __restrict to = out + y * pitch + 4;
#pragma omp simd
    for (int x = 0; x < width; ++x) {
      const int h = above[x + 4] + 2 * row[x + 4] + below[x + 4] - above[x - 4] - 2 * row[x - 4] - below[x - 4];
      const int v = below[x - 4] + 2 * below[x] + below[x + 4] - above[x - 4] - 2 * above[x] - above[x + 4];
      to[x] = static_cast<Byte>(static_cast<int>(std::min(std::sqrt(static_cast<float>(h * h + v * v)) * 0.5f, 255.0f)));
    }
  }
}

WEFT_NATIVE(image_median) {
  const int pitch = 4 * p.value<int>(2), width = 4 * static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
  const Byte* in = p.buffer<Byte>(0);
  Byte* out = p.buffer<Byte>(1);
  const auto middle = [](Byte a, Byte b, Byte c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); };
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 1; y <= height; ++y) {
    const Byte* __restrict rows[3];
    for (int j = 0; j < 3; ++j) rows[j] = in + (y + j - 1) * pitch + 4;
    Byte* __restrict to = out + y * pitch + 4;
#pragma omp simd
    for (int x = 0; x < width; ++x) {
      Byte low = 0, high = 255, middles[3];
#pragma clang loop unroll(full)
      for (int j = 0; j < 3; ++j) {
        const Byte a = rows[j][x - 4], b = rows[j][x], c = rows[j][x + 4];
        low = std::max(low, std::min(std::min(a, b), c));
        high = std::min(high, std::max(std::max(a, b), c));
        middles[j] = middle(a, b, c);
      }
      to[x] = middle(low, middle(middles[0], middles[1], middles[2]), high);
    }
  }
}

WEFT_NATIVE(image_dct8x8) {
  const float *in = p.buffer<float>(0), *basis = p.buffer<float>(2);
  float* out = p.buffer<float>(1);
  const int pitch = p.value<int>(3), width = static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
  using Row = float __attribute__((vector_size(32)));
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int by = 0; by < height; by += 8)
    for (int bx = 0; bx < width; bx += 8) {
      Row turned[8], columns[8], rows[8];
      for (int k = 0; k < 8; ++k) {
        rows[k] = load<Row>(in + (by + k) * pitch + bx);
        for (int u = 0; u < 8; ++u) turned[k][u] = basis[8 * u + k];
      }
      for (int v = 0; v < 8; ++v) {
        columns[v] = Row{};
        for (int k = 0; k < 8; ++k) columns[v] += basis[8 * v + k] * rows[k];
      }
      for (int v = 0; v < 8; ++v) {
        Row sum = {};
        for (int k = 0; k < 8; ++k) sum += columns[v][k] * turned[k];
        store(out + (by + v) * pitch + bx, sum);
      }
    }
}

namespace {

void jacobi(const Problem& p) {
  const float *in = p.buffer<float>(0), *source = p.buffer<float>(1);
  float* out = p.buffer<float>(2);
  const int pitch = p.value<int>(3), width = static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 1; y <= height; ++y) {
    const float* __restrict row = in + y * pitch + 1;
    const float* __restrict from = source + y * pitch + 1;
    float* __restrict to = out + y * pitch + 1;
#pragma omp simd
    for (int x = 0; x < width; ++x) to[x] = 0.25f * (row[x - 1] + row[x + 1] + row[x - pitch] + row[x + pitch] - from[x]);
  }
}

}  // namespace

WEFT_NATIVE(stencil_jacobi) { jacobi(p); }
WEFT_NATIVE(stencil_jacobi_tiled) { jacobi(p); }

WEFT_NATIVE(stencil_life) {
  const Byte* in = p.buffer<Byte>(0);
  Byte* out = p.buffer<Byte>(1);
  const int pitch = p.value<int>(2), width = static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 1; y <= height; ++y) {
    const Byte *__restrict above = in + (y - 1) * pitch + 1, *__restrict row = above + pitch, *__restrict below = row + pitch;
    Byte* __restrict to = out + y * pitch + 1;
#pragma omp simd
    for (int x = 0; x < width; ++x) {
      const auto around = static_cast<Byte>(above[x - 1] + above[x] + above[x + 1] + row[x - 1] + row[x + 1] + below[x - 1] + below[x] + below[x + 1]);
      to[x] = static_cast<Byte>((around == 3) | ((around == 2) & (row[x] != 0)));
    }
  }
}
