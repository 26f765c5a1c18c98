// A lock for sections of a few dozen instructions.
#pragma once

#include <immintrin.h>
#include <sched.h>

#include <atomic>

namespace weft::device {

/// Meets BasicLockable. Yields after a while: the holder may have lost its processor.
class SpinLock {
 public:
  constexpr SpinLock() = default;
  void lock() noexcept {
    for (unsigned spins = 0; flag_.exchange(true, std::memory_order_acquire); ++spins) {
      while (flag_.load(std::memory_order_relaxed)) {
        if (++spins < 128) {
          _mm_pause();
        } else {
          sched_yield();
        }
      }
    }
  }
  void unlock() noexcept { flag_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> flag_{false};
};

}  // namespace weft::device
