#include "runtime/pool.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace weft::runtime {

bool Arena::commit(std::size_t bytes) noexcept {
  constexpr std::size_t kStep = 256 * 1024;
  if (bytes <= committed()) return true;
  std::byte* base = this->base();
  if (!base) {
    // Under a limit on address space (ulimit -v) settle for less: fewer live objects, no failure.
    // And leave the rest of what is allowed to others: to each pool a small share.
    rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      reserve_bytes_ = std::min<std::size_t>(reserve_bytes_, std::max<std::size_t>(limit.rlim_cur / 64, kStep));
    for (std::size_t size = reserve_bytes_; size >= kStep; size /= 4) {
      void* range = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (range == MAP_FAILED) continue;
      base = static_cast<std::byte*>(range);
      reserve_bytes_ = size / kStep * kStep;
      break;
    }
    if (!base) return false;
    base_.store(base, std::memory_order_release);
  }
  const std::size_t wanted = std::min((bytes + kStep - 1) / kStep * kStep, reserve_bytes_);
  if (wanted < bytes) return false;
  const std::size_t had = committed();
  if (mprotect(base + had, wanted - had, PROT_READ | PROT_WRITE) != 0) return false;
#if defined(__SANITIZE_ADDRESS__)
  __lsan_register_root_region(base + had, wanted - had);
#endif
  committed_.store(wanted, std::memory_order_release);
  return true;
}

}  // namespace weft::runtime
