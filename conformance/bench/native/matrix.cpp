#include <cblas.h>

#include "bench/native/native.h"

namespace {

void multiply(const weft::bench::native::Problem& p) {
  const int n = p.value<int>(3);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, p.buffer<float>(0), n, p.buffer<float>(1), n, 0, p.buffer<float>(2), n);
}

}  // namespace

WEFT_NATIVE(matmul_matmul_naive) { multiply(p); }
WEFT_NATIVE(matmul_matmul_tiled) { multiply(p); }
WEFT_NATIVE(sub_groups_broadcast_matmul) { multiply(p); }
WEFT_NATIVE(dense_blocked_matmul) { multiply(p); }
