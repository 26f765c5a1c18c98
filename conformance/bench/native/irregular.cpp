// Addresses and lengths that come from data.
#include <omp.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;
using Byte = std::uint8_t;

namespace {

void sparse_product(const Problem& p, int rows) {
  const int *row_start = p.buffer<int>(0), *column = p.buffer<int>(1);
  const float *value = p.buffer<float>(2), *x = p.buffer<float>(3);
  float* y = p.buffer<float>(4);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int k = row_start[row]; k < row_start[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

}  // namespace

WEFT_NATIVE(sparse_spmv_csr) { sparse_product(p, static_cast<int>(p.global[0])); }
WEFT_NATIVE(sparse_spmv_rows) { sparse_product(p, static_cast<int>(p.global[0] / p.local[0])); }

WEFT_NATIVE(sparse_gather) {
  const float* __restrict in = p.buffer<float>(0);
  const std::uint32_t* __restrict index = p.buffer<std::uint32_t>(1);
  float* __restrict out = p.buffer<float>(2);
  const std::size_t n = p.global[0];
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) out[i] = in[index[i]];
}

WEFT_NATIVE(text_classes) {
  const Byte* text = p.buffer<Byte>(0);
  std::uint32_t* counts = p.buffer<std::uint32_t>(1);
  const int length = p.value<int>(2), blocks = static_cast<int>(p.global[0]);
  constexpr int kTables = 4;  // so that equal neighbours do not wait for each other's sum
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int b = 0; b < blocks; ++b) {
    std::uint32_t mine[kTables][16] = {};
    for (int k = 0; k < length; ++k) ++mine[k % kTables][text[b * length + k] >> 4];
    for (int i = 0; i < 16; ++i) counts[16 * b + i] = mine[0][i] + mine[1][i] + mine[2][i] + mine[3][i];
  }
}

WEFT_NATIVE(text_find) {
  const Byte *__restrict text = p.buffer<Byte>(0), *__restrict word = p.buffer<Byte>(1);
  Byte* __restrict found = p.buffer<Byte>(3);
  const int length = p.value<int>(2), n = static_cast<int>(p.global[0]);
  constexpr int kBlock = 4096;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int base = 0; base < n; base += kBlock) {
    const int end = base + kBlock < n ? base + kBlock : n;
#pragma omp simd
    for (int i = base; i < end; ++i) found[i] = text[i] == word[0];
    for (int k = 1; k < length; ++k)
#pragma omp simd
      for (int i = base; i < end; ++i) found[i] &= text[i + k] == word[k];
  }
}

WEFT_NATIVE(atomics_count) {
  const std::uint32_t* keys = p.buffer<std::uint32_t>(0);
  std::uint32_t* counts = p.buffer<std::uint32_t>(1);
  const int n = static_cast<int>(p.global[0]);
  constexpr int kBins = 4096;
#pragma omp parallel
  {
    std::uint32_t mine[kBins] = {};
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; ++i) ++mine[keys[i] & (kBins - 1)];
#pragma omp critical
    for (int i = 0; i < kBins; ++i) counts[i] += mine[i];
  }
}

WEFT_NATIVE(atomics_compact) {
  // Each thread keeps what it finds, then knows its place.
  const std::uint32_t* in = p.buffer<std::uint32_t>(0);
  std::uint32_t* out = p.buffer<std::uint32_t>(1);
  std::uint32_t* taken = p.buffer<std::uint32_t>(2);
  const std::uint32_t limit = p.value<std::uint32_t>(3), mask = p.value<std::uint32_t>(4);
  const int n = static_cast<int>(p.global[0]);
  constexpr int kBlock = 1024;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int base = 0; base < n; base += kBlock) {
    std::uint32_t kept[kBlock], count = 0, place;
    for (int i = base; i < base + kBlock; ++i) {
      kept[count] = in[i];
      count += in[i] > limit;
    }
#pragma omp atomic capture
    {
      place = *taken;
      *taken += count;
    }
    for (std::uint32_t i = 0; i < count; ++i) out[(place + i) & mask] = kept[i];
  }
}

WEFT_NATIVE(small_groups_crc) {
  // Four tables: the bytes of a word are looked up at once. Four streams beside each other hide the latency of a word's.
  const std::uint32_t *words = p.buffer<std::uint32_t>(0), *table = p.buffer<std::uint32_t>(1);
  std::uint32_t* out = p.buffer<std::uint32_t>(2);
  const int count = static_cast<int>(p.value<std::uint32_t>(3)), n = static_cast<int>(p.global[0]);
  std::uint32_t t[4][256];
  for (int i = 0; i < 256; ++i) {
    t[0][i] = table[i];
    for (int k = 1; k < 4; ++k) t[k][i] = table[t[k - 1][i] & 255] ^ t[k - 1][i] >> 8;
  }
  constexpr int kStreams = 4;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int g = 0; g < n; g += kStreams) {
    std::uint32_t crc[kStreams] = {~0u, ~0u, ~0u, ~0u};
    for (int i = 0; i < count; ++i)
      for (int s = 0; s < kStreams; ++s) {
        const std::uint32_t v = crc[s] ^ words[(g + s) * count + i];
        crc[s] = t[3][v & 255] ^ t[2][v >> 8 & 255] ^ t[1][v >> 16 & 255] ^ t[0][v >> 24];
      }
    for (int s = 0; s < kStreams; ++s) out[g + s] = ~crc[s];
  }
}

WEFT_NATIVE(small_groups_rc4) {
  // Four keys beside each other: each step of one waits for the step before.
  const std::uint32_t* keys = p.buffer<std::uint32_t>(0);
  std::uint32_t* out = p.buffer<std::uint32_t>(1);
  const std::uint32_t count = p.value<std::uint32_t>(2);
  const int n = static_cast<int>(p.global[0]);
  constexpr int kStreams = 4;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int g = 0; g < n; g += kStreams) {
    Byte s[kStreams][256];
    std::uint32_t j[kStreams] = {}, sum[kStreams] = {}, b[kStreams] = {};
    for (int k = 0; k < kStreams; ++k)
      for (int i = 0; i < 256; ++i) s[k][i] = static_cast<Byte>(i);
    for (std::uint32_t i = 0; i < 256; ++i)
      for (int k = 0; k < kStreams; ++k) {
        j[k] = (j[k] + s[k][i] + (keys[g + k] >> (8 * (i & 3)))) & 255;
        std::swap(s[k][i], s[k][j[k]]);
      }
    for (std::uint32_t i = 1; i <= count; ++i)
      for (int k = 0; k < kStreams; ++k) {
        const Byte x = s[k][i & 255];
        b[k] = (b[k] + x) & 255;
        const Byte y = s[k][b[k]];
        s[k][i & 255] = y;
        s[k][b[k]] = x;
        sum[k] = sum[k] * 31 + s[k][(x + y) & 255];
      }
    for (int k = 0; k < kStreams; ++k) out[g + k] = sum[k];
  }
}
