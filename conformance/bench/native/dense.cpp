#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;

WEFT_NATIVE(dense_int8_matmul) {
  const std::int8_t *a = p.buffer<std::int8_t>(0), *b = p.buffer<std::int8_t>(1);
  int* c = p.buffer<int>(2);
  const int n = p.value<int>(3), depth = 4 * p.value<int>(4), rows = static_cast<int>(p.global[1]);
  // Four by four sums a step: each row loaded serves four.
  constexpr int kBlock = 4;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int row = 0; row < rows; row += kBlock)
    for (int column = 0; column < n; column += kBlock) {
      const std::int8_t *__restrict x = a + row * depth, *__restrict y = b + column * depth;
      int sum[kBlock * kBlock] = {};
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < depth; ++k)
#pragma clang loop unroll(full)
        for (int i = 0; i < kBlock * kBlock; ++i) sum[i] += x[i / kBlock * depth + k] * y[i % kBlock * depth + k];
      for (int i = 0; i < kBlock * kBlock; ++i) c[(row + i / kBlock) * n + column + i % kBlock] = sum[i];
    }
}

WEFT_NATIVE(dense_softmax) {
  const float* in = p.buffer<float>(0);
  float* out = p.buffer<float>(1);
  const int n = p.value<int>(2), rows = static_cast<int>(p.global[0] / p.local[0]);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int r = 0; r < rows; ++r) {
    const float* __restrict row = in + std::size_t(r) * n;
    float* __restrict to = out + std::size_t(r) * n;
    float greatest = row[0], sum = 0;
#pragma omp simd reduction(max : greatest)
    for (int i = 0; i < n; ++i) greatest = std::max(greatest, row[i]);
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; ++i) {
      to[i] = std::exp(row[i] - greatest);
      sum += to[i];
    }
    const float factor = 1.0f / sum;
#pragma omp simd
    for (int i = 0; i < n; ++i) to[i] *= factor;
  }
}

WEFT_NATIVE(dense_dot_product) {
  const float *x = p.buffer<float>(0), *y = p.buffer<float>(1);
  float* sums = p.buffer<float>(2);
  const int n = p.value<int>(3), groups = static_cast<int>(p.global[0] / p.local[0]), part = (n + groups - 1) / groups;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int g = 0; g < groups; ++g) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = g * part; i < std::min(n, (g + 1) * part); ++i) sum += x[i] * y[i];
    sums[g] = sum;
  }
}
