// Vectors of the processor's width, by the compiler's own types: for code whose accumulators have to stay in registers, or that
// a loop over lanes does not say well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace weft::bench::native {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <typename T>
using Vector __attribute__((vector_size(kVectorBytes))) = T;
template <typename T>
inline constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

using Floats = Vector<float>;
using Ints = Vector<std::int32_t>;
using Words = Vector<std::uint32_t>;
using Doubles = Vector<double>;
inline constexpr int kFloats = kLanes<float>;

template <typename V, typename T>
V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <typename T, typename V>
void store(T* to, V v) {
  std::memcpy(to, &v, sizeof v);
}
template <typename V>
V lane_numbers() {
  V v;
  for (int i = 0; i < static_cast<int>(sizeof v / sizeof v[0]); ++i) v[i] = i;
  return v;
}

/// The halves of two vectors, lane beside lane.
template <int kWidth, typename V, int... kLane>
V interleave(V a, V b, int half, std::integer_sequence<int, kLane...>) {
  return half ? __builtin_shufflevector(a, b, ((kLane & 1) * kWidth + kWidth / 2 + kLane / 2)...)
              : __builtin_shufflevector(a, b, ((kLane & 1) * kWidth + kLane / 2)...);
}

/// Rows become columns, of as many vectors as each has lanes.
template <typename V, int kWidth = sizeof(V) / sizeof(V{}[0])>
inline __attribute__((always_inline)) void transpose(V (&rows)[kWidth]) {
  constexpr auto kLane = std::make_integer_sequence<int, kWidth>();
#pragma clang loop unroll(full)
  for (int step = 1; step < kWidth; step *= 2) {
    V next[kWidth];
#pragma clang loop unroll(full)
    for (int i = 0; i < kWidth / 2; ++i) {
      next[2 * i] = interleave<kWidth>(rows[i], rows[i + kWidth / 2], 0, kLane);
      next[2 * i + 1] = interleave<kWidth>(rows[i], rows[i + kWidth / 2], 1, kLane);
    }
    std::memcpy(rows, next, sizeof next);
  }
}

}  // namespace weft::bench::native
