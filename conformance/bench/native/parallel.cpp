// What work-items do together.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;

namespace {

/// Of each block of `block` numbers, the sum.
void sums(const float* in, float* out, std::size_t blocks, std::size_t block) {
#pragma omp parallel for schedule(static) default(firstprivate)
  for (std::size_t b = 0; b < blocks; ++b) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < block; ++i) sum += in[b * block + i];
    out[b] = sum;
  }
}

/// Of each number, the sum of those before it in its block.
void scans(const int* in, int* out, std::size_t blocks, std::size_t block) {
#pragma omp parallel for schedule(static) default(firstprivate)
  for (std::size_t b = 0; b < blocks; ++b) {
    int sum = 0;
    for (std::size_t i = b * block; i < (b + 1) * block; ++i) {
      const int v = in[i];
      out[i] = sum;
      sum += v;
    }
  }
}

/// All steps of a bitonic network over 512 keys that compare keys kStride apart in runs of kSize; runs rise and fall in turn.
template <int kSize, int kStride>
inline __attribute__((always_inline)) void bitonic_step(std::uint32_t* keys) {
  constexpr int kKeys = 512, kWidth = kLanes<std::uint32_t>;
  for (int run = 0; run < kKeys; run += kSize) {
    const int lesser = (run & kSize) == 0 || kSize == kKeys ? 0 : kStride;
    for (int first = run; first < run + kSize; first += 2 * kStride)
      for (int i = first; i < first + kStride; i += kWidth) {
        const Words a = load<Words>(keys + i), b = load<Words>(keys + i + kStride);
        store(keys + i + lesser, __builtin_elementwise_min(a, b));
        store(keys + i + (kStride - lesser), __builtin_elementwise_max(a, b));
      }
  }
}

/// The steps whose pairs lie within a vector: each lane takes the lesser or the greater of itself and its partner.
template <int kStride, int... kLane>
inline __attribute__((always_inline)) Words within(Words v, Words falls, std::integer_sequence<int, kLane...>) {
  const Words other = __builtin_shufflevector(v, v, (kLane ^ kStride)...);
  const Words upper = {((kLane & kStride) ? ~0u : 0u)...};
  return (Words)((upper ^ falls) != 0u ? __builtin_elementwise_max(v, other) : __builtin_elementwise_min(v, other));
}

template <int kSize, int kStride>
inline __attribute__((always_inline)) Words steps_within(Words v, Words falls) {
  v = within<kStride>(v, falls, std::make_integer_sequence<int, kLanes<std::uint32_t>>());
  if constexpr (kStride > 1) v = steps_within<kSize, kStride / 2>(v, falls);
  return v;
}

template <int kSize, int kStride>
inline __attribute__((always_inline)) void bitonic_merge(std::uint32_t* keys) {
  constexpr int kWidth = kLanes<std::uint32_t>;
  if constexpr (kStride >= kWidth) {
    bitonic_step<kSize, kStride>(keys);
    bitonic_merge<kSize, kStride / 2>(keys);
  } else {
    for (int i = 0; i < 512; i += kWidth) {
      const Words at = lane_numbers<Words>() + static_cast<std::uint32_t>(i);
      const Words falls = kSize == 512 ? Words{} : (Words)((at & std::uint32_t{kSize}) != 0u);
      store(keys + i, steps_within<kSize, kStride>(load<Words>(keys + i), falls));
    }
  }
}

template <int kSize>
inline __attribute__((always_inline)) void bitonic_sort(std::uint32_t* keys) {
  if constexpr (kSize > 2) bitonic_sort<kSize / 2>(keys);
  bitonic_merge<kSize, kSize / 2>(keys);
}

}  // namespace

WEFT_NATIVE(reduction_reduction) { sums(p.buffer<float>(0), p.buffer<float>(1), p.global[0] / p.local[0], 2 * p.local[0]); }
WEFT_NATIVE(reduction_reduction_warp) { sums(p.buffer<float>(0), p.buffer<float>(1), p.global[0] / p.local[0], 2 * p.local[0]); }
WEFT_NATIVE(sub_groups_shuffled_sum) { sums(p.buffer<float>(0), p.buffer<float>(1), p.global[0] / p.local[0], 8 * p.local[0]); }
WEFT_NATIVE(scan_scan) { scans(p.buffer<int>(0), p.buffer<int>(1), p.global[0] / p.local[0], 2 * p.local[0]); }
WEFT_NATIVE(scan_scan_hillis_steele) { scans(p.buffer<int>(0), p.buffer<int>(1), p.global[0] / p.local[0], p.local[0]); }
WEFT_NATIVE(sub_groups_sub_group_scan) { scans(p.buffer<int>(0), p.buffer<int>(1), p.global[0] / p.local[0], p.local[0]); }

WEFT_NATIVE(sub_groups_compaction) {
  const int* in = p.buffer<int>(0);
  int* out = p.buffer<int>(1);
  const int limit = p.value<int>(2), blocks = static_cast<int>(p.global[0] / p.local[0]);
  constexpr int kBlock = 256;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int b = 0; b < blocks; ++b) {
    int kept[kBlock], count = 0;
    for (int i = 0; i < kBlock; ++i) {
      kept[count] = in[b * kBlock + i];
      count += kept[count] > limit;
    }
    std::memcpy(out + b * kBlock, kept, sizeof(int) * static_cast<std::size_t>(count));
  }
}

WEFT_NATIVE(sort_bitonic_sort) {
  // A network, as its time does not depend on the keys: a second run meets sorted ones.
  std::uint32_t* keys = p.buffer<std::uint32_t>(0);
  const std::size_t n = 2 * p.global[0];
#pragma omp parallel for schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; i += 512) bitonic_sort<512>(keys + i);
}

namespace {

struct Complexes {
  using V = float __attribute__((vector_size(32)));
  V re, im;
  Complexes operator+(Complexes o) const { return {re + o.re, im + o.im}; }
  Complexes operator-(Complexes o) const { return {re - o.re, im - o.im}; }
  Complexes operator*(Complexes o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  Complexes times_minus_i() const { return {im, -re}; }
};

/// Eight transforms of 8 points, a lane each; v[k] becomes output k.
inline __attribute__((always_inline)) void fft8(Complexes* v) {
  const float h = 0.70710678f;
  const auto two = [](Complexes& a, Complexes& b) {
    const Complexes sum = a + b;
    b = a - b;
    a = sum;
  };
  for (int k = 0; k < 4; ++k) two(v[k], v[k + 4]);
  v[5] = {h * (v[5].re + v[5].im), h * (v[5].im - v[5].re)};
  v[6] = v[6].times_minus_i();
  v[7] = {h * (v[7].im - v[7].re), -h * (v[7].re + v[7].im)};
  for (int half = 0; half < 8; half += 4) {
    two(v[half], v[half + 2]);
    two(v[half + 1], v[half + 3]);
    v[half + 3] = v[half + 3].times_minus_i();
    two(v[half], v[half + 1]);
    two(v[half + 2], v[half + 3]);
  }
  std::swap(v[1], v[4]);  // out of the order of reversed bits
  std::swap(v[3], v[6]);
}

/// Roots of one: [r][j] is exp(-2 pi i r (j + 8 * group) / points).
struct Twiddles {
  Complexes first[8][8], second[8];
  Twiddles() {
    for (int r = 0; r < 8; ++r)
      for (int j = 0; j < 64; ++j) {
        const double angle = -2 * M_PI * r * j / 512;
        first[j / 8][r].re[j % 8] = static_cast<float>(std::cos(angle));
        first[j / 8][r].im[j % 8] = static_cast<float>(std::sin(angle));
        if (j < 8) {
          second[r].re[j] = static_cast<float>(std::cos(8 * angle));
          second[r].im[j] = static_cast<float>(std::sin(8 * angle));
        }
      }
  }
};

/// Point n = 64 a + 8 b + c. Each pass transforms one digit and multiplies; vectors hold 8 values of the digit that is contiguous.
void fft512(const float* in, float* out, const Twiddles& roots) {
  Complexes t[8][8];  // [r][b], lanes c
  for (int b = 0; b < 8; ++b) {
    Complexes v[8];
    for (int a = 0; a < 8; ++a)
      for (int c = 0; c < 8; ++c) {
        v[a].re[c] = in[2 * (64 * a + 8 * b + c)];
        v[a].im[c] = in[2 * (64 * a + 8 * b + c) + 1];
      }
    fft8(v);
    for (int r = 0; r < 8; ++r) t[r][b] = v[r] * roots.first[b][r];
  }
  Complexes u[8][8];  // [r][c], lanes s
  for (int r = 0; r < 8; ++r) {
    fft8(t[r]);
    Complexes::V re[8], im[8];
    for (int s = 0; s < 8; ++s) {
      const Complexes turned = t[r][s] * roots.second[s];
      re[s] = turned.re, im[s] = turned.im;
    }
    transpose(re);
    transpose(im);
    for (int c = 0; c < 8; ++c) u[r][c] = {re[c], im[c]};
  }
  for (int r = 0; r < 8; ++r) fft8(u[r]);  // u[r][q], lanes s: point r + 8 s + 64 q
  for (int q = 0; q < 8; ++q) {
    Complexes::V re[8], im[8];
    for (int r = 0; r < 8; ++r) re[r] = u[r][q].re, im[r] = u[r][q].im;
    transpose(re);
    transpose(im);
    for (int s = 0; s < 8; ++s)
      for (int r = 0; r < 8; ++r) {
        out[2 * (64 * q + 8 * s + r)] = re[s][r];
        out[2 * (64 * q + 8 * s + r) + 1] = im[s][r];
      }
  }
}

}  // namespace

WEFT_NATIVE(fft_fft512) {
  static const Twiddles shared_roots;
  const Twiddles& roots = shared_roots;
  const float* in = p.buffer<float>(0);
  float* out = p.buffer<float>(1);
  const std::size_t blocks = p.global[0] / p.local[0];
#pragma omp parallel for schedule(static)
  for (std::size_t b = 0; b < blocks; ++b) fft512(in + 1024 * b, out + 1024 * b, roots);
}

WEFT_NATIVE(histogram_histogram) {
  const std::uint8_t* in = p.buffer<std::uint8_t>(0);
  std::uint32_t* bins = p.buffer<std::uint32_t>(1);
  const auto count = static_cast<std::int64_t>(p.value<std::uint32_t>(2));
#pragma omp parallel
  {
    // Four, so that equal neighbours do not wait for each other's sum.
    std::uint32_t mine[4][256] = {};
#pragma omp for schedule(static) nowait
    for (std::int64_t i = 0; i < count / 8; ++i) {
      std::uint64_t eight;
      std::memcpy(&eight, in + 8 * i, 8);
#pragma clang loop unroll(full)
      for (int k = 0; k < 8; ++k) ++mine[k % 4][eight >> (8 * k) & 255];
    }
#pragma omp single nowait
    for (std::int64_t i = count / 8 * 8; i < count; ++i) ++mine[0][in[i]];
#pragma omp critical
    for (int i = 0; i < 256; ++i) bins[i] += mine[0][i] + mine[1][i] + mine[2][i] + mine[3][i];
  }
}

WEFT_NATIVE(divergent_divergent) {
  // A vector takes all ways at once and chooses.
  const std::uint32_t* __restrict in = p.buffer<std::uint32_t>(0);
  std::uint32_t* __restrict out = p.buffer<std::uint32_t>(1);
  const int steps = p.value<int>(2), n = static_cast<int>(p.global[0]);
  constexpr int kVectors = 4, kWidth = kLanes<std::uint32_t>;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int base = 0; base < n; base += kVectors * kWidth) {
    Words s[kVectors], acc[kVectors] = {};
    for (int v = 0; v < kVectors; ++v) s[v] = load<Words>(in + base + v * kWidth);
    for (int j = 0; j < steps; ++j)
      for (int v = 0; v < kVectors; ++v) {
        s[v] = s[v] * 1664525u + 1013904223u;
        const Words way = s[v] >> 29, a = acc[v];
        Words next = a + 12345u;
        next = way == 0u ? a + s[v] : next;
        next = way == 1u ? a ^ s[v] >> 3 : next;
        next = way == 2u ? a * 3u + 1u : next;
        next = way == 3u ? a - (s[v] >> 5) : next;
        next = way == 4u ? (a << 5 | a >> 27) : next;
        next = way == 5u ? ~a + s[v] : next;
        next = way == 6u ? a ^ a >> 7 : next;
        acc[v] = next;
      }
    for (int v = 0; v < kVectors; ++v) store(out + base + v * kWidth, acc[v]);
  }
}
