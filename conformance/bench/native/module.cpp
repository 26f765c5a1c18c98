// The module's own threads and memory: what weft-bench calls around the cases.
#include <cblas.h>
#include <omp.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "bench/native/native.h"

extern "C" void kmp_set_blocktime(int);
extern "C" int kmp_get_blocktime();

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {
int spinning_ms = 0;
}

/// Once, before all else.
EXPORTED void native_start() {
  spinning_ms = kmp_get_blocktime();
  kmp_set_blocktime(0);  // until the first round
  openblas_set_num_threads(omp_get_max_threads());
}

/// OpenMP's threads spin for a while after a parallel region, which belongs to its speed; but not into the next platform's time.
EXPORTED void native_begin_round() { kmp_set_blocktime(spinning_ms); }
EXPORTED void native_end_round() {
  kmp_set_blocktime(0);
#pragma omp parallel
  {
  }
}

/// `bytes` copied from `from` (zeros if null), in large pages where the system has them, each first touched by the thread that a
/// static loop over the whole gives it to. Ends with free().
EXPORTED void* native_copy(const void* from, std::size_t bytes) {
  constexpr std::size_t kPage = std::size_t{2} << 20, kPart = 4096;
  const std::size_t unit = bytes >= kPage ? kPage : 64;
  auto* to = static_cast<char*>(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
  if (!to) return nullptr;
  if (bytes >= kPage) madvise(to, bytes, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < bytes; i += kPart) {
    const std::size_t n = bytes - i < kPart ? bytes - i : kPart;
    if (from)
      std::memcpy(to + i, static_cast<const char*>(from) + i, n);
    else
      std::memset(to + i, 0, n);
  }
  return to;
}
