#include <algorithm>
#include <cstdint>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;

namespace {
constexpr int kRadius = 8;
}

WEFT_NATIVE(fields_filter_rows) {
  const float *in = p.buffer<float>(0), *weights = p.buffer<float>(2);
  float* out = p.buffer<float>(1);
  const int width = p.value<int>(3), height = static_cast<int>(p.global[1]);
  constexpr int kVectors = 4, kMost = 4096;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < height; ++y) {
    float row[kMost + 2 * kRadius];
    const float* from = in + y * width;
    std::fill(row, row + kRadius, from[0]);
    std::copy(from, from + width, row + kRadius);
    std::fill(row + kRadius + width, row + width + 2 * kRadius, from[width - 1]);
    for (int x = 0; x < width; x += kVectors * kFloats) {
      Floats sums[kVectors] = {};
#pragma clang loop unroll(full)
      for (int k = 0; k <= 2 * kRadius; ++k)
        for (int v = 0; v < kVectors; ++v) sums[v] += weights[k] * load<Floats>(row + x + k + v * kFloats);
      for (int v = 0; v < kVectors; ++v) store(out + y * width + x + v * kFloats, sums[v]);
    }
  }
}

WEFT_NATIVE(fields_filter_columns) {
  const float *in = p.buffer<float>(0), *weights = p.buffer<float>(2);
  float* out = p.buffer<float>(1);
  const int width = p.value<int>(3), height = p.value<int>(4);
  // Four rows of the output at a time: a row of the input is loaded once for up to four of them.
  constexpr int kRows = 4, kVectors = 2;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < height; y += kRows)
    for (int x = 0; x < width; x += kVectors * kFloats) {
      Floats sums[kRows][kVectors] = {};
#pragma clang loop unroll(full)
      for (int j = 0; j < 2 * kRadius + kRows; ++j) {
        const float* row = in + std::clamp(y + j - kRadius, 0, height - 1) * width + x;
        Floats taps[kVectors];
        for (int v = 0; v < kVectors; ++v) taps[v] = load<Floats>(row + v * kFloats);
        for (int r = 0; r < kRows; ++r)
          if (j - r >= 0 && j - r <= 2 * kRadius)
            for (int v = 0; v < kVectors; ++v) sums[r][v] += weights[j - r] * taps[v];
      }
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v) store(out + (y + r) * width + x + v * kFloats, sums[r][v]);
    }
}

WEFT_NATIVE(fields_heat) {
  const float* in = p.buffer<float>(0);
  float* out = p.buffer<float>(1);
  const int width = p.value<int>(2), height = p.value<int>(3), depth = p.value<int>(4), plane = width * height;
  const float rate = p.value<float>(5);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int z = 1; z < depth - 1; ++z)
    for (int y = 1; y < height - 1; ++y) {
      const float* __restrict row = in + z * plane + y * width;
      float* __restrict to = out + z * plane + y * width;
#pragma omp simd
      for (int x = 1; x < width - 1; ++x)
        to[x] = row[x] + rate * (row[x - 1] + row[x + 1] + row[x - width] + row[x + width] + row[x - plane] + row[x + plane] - 6.0f * row[x]);
    }
}

WEFT_NATIVE(fields_tridiagonal) {
  // Some systems beside each other, which keep their last row in the cache nearest by.
  const float *below = p.buffer<float>(0), *middle = p.buffer<float>(1), *above = p.buffer<float>(2), *right = p.buffer<float>(3);
  float *x = p.buffer<float>(4), *scratch = p.buffer<float>(5);
  const int n = p.value<int>(6), systems = static_cast<int>(p.global[0]);
  constexpr int kBlock = 128;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int first = 0; first < systems; first += kBlock) {
    float c[kBlock] = {}, d[kBlock] = {};
    for (int i = 0; i < n; ++i) {
      const std::size_t at = std::size_t(i) * systems + first;
      const float *__restrict lower = below + at, *__restrict pivot = middle + at, *__restrict upper = above + at, *__restrict value = right + at;
      float *__restrict result = x + at, *__restrict kept = scratch + at;
#pragma omp simd
      for (int s = 0; s < kBlock; ++s) {
        const float factor = 1.0f / (pivot[s] - lower[s] * c[s]);
        kept[s] = c[s] = upper[s] * factor;
        result[s] = d[s] = (value[s] - lower[s] * d[s]) * factor;
      }
    }
    for (int i = n - 2; i >= 0; --i) {
      const std::size_t at = std::size_t(i) * systems + first;
      float *__restrict result = x + at, *__restrict kept = scratch + at;
#pragma omp simd
      for (int s = 0; s < kBlock; ++s) result[s] = d[s] = result[s] - kept[s] * d[s];
    }
  }
}

WEFT_NATIVE(fields_grey) {
  const std::uint8_t* __restrict in = p.buffer<std::uint8_t>(0);
  std::uint8_t* __restrict out = p.buffer<std::uint8_t>(1);
  const std::size_t n = p.global[0];
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) {
    const auto grey = static_cast<std::uint16_t>(77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2] + 128);
    out[i] = static_cast<std::uint8_t>(grey >> 8);
  }
}
