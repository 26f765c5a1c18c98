#include "device/stack.h"

#include <pthread.h>

#include <cstdint>

namespace weft::device {
namespace {

struct Bounds {
  std::uintptr_t low = 0, high = 0;
};

/// The system takes long to tell the main thread's: once a thread.
Bounds find_bounds() noexcept {
  Bounds bounds;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return bounds;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    bounds.low = reinterpret_cast<std::uintptr_t>(low);
    bounds.high = bounds.low + size;
  }
  pthread_attr_destroy(&attributes);
  return bounds;
}

constinit thread_local Bounds own;

}  // namespace

std::size_t stack_left() noexcept {
  if (own.high == 0) own = find_bounds();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here > own.low && here < own.high ? here - own.low : 0;
}

}  // namespace weft::device
