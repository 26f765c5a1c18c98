// The arrays exceed most processors' own caches and are written once: streaming stores, which do not read the lines first.
#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;

WEFT_NATIVE(memory_copy) {
  const float* in = p.buffer<float>(0);
  float* out = p.buffer<float>(1);
  const std::size_t n = p.global[0];
#pragma omp parallel for schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; i += kFloats) __builtin_nontemporal_store(*(const Floats*)(in + i), (Floats*)(out + i));
}

WEFT_NATIVE(memory_vector_add) {
  const float *a = p.buffer<float>(0), *b = p.buffer<float>(1);
  float* c = p.buffer<float>(2);
  const std::size_t n = p.global[0];
#pragma omp parallel for schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; i += kFloats)
    __builtin_nontemporal_store(*(const Floats*)(a + i) + *(const Floats*)(b + i), (Floats*)(c + i));
}

WEFT_NATIVE(memory_saxpy) {
  const float alpha = p.value<float>(0);
  const float* __restrict x = p.buffer<float>(1);
  float* __restrict y = p.buffer<float>(2);
  const std::size_t n = p.global[0];
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) y[i] = alpha * x[i] + y[i];
}

namespace {

/// Squares of a line a side, through registers: whole lines are read and written.
void transpose_rows(const Problem& p) {
  const float* in = p.buffer<float>(0);
  float* out = p.buffer<float>(1);
  const int width = p.value<int>(2), height = p.value<int>(3);
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int x = 0; x < width; x += kFloats)
    for (int y = 0; y < height; y += kFloats) {
      Floats tile[kFloats];
      for (int i = 0; i < kFloats; ++i) tile[i] = load<Floats>(in + std::size_t(y + i) * width + x);
      transpose(tile);
      for (int i = 0; i < kFloats; ++i) __builtin_nontemporal_store(tile[i], (Floats*)(out + std::size_t(x + i) * height + y));
    }
}

}  // namespace

WEFT_NATIVE(transpose_transpose_naive) { transpose_rows(p); }
WEFT_NATIVE(transpose_transpose_tiled) { transpose_rows(p); }
