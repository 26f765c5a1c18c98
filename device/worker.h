// A multiprocessor's own memory: local memory and scratch of the group that it runs.
#pragma once

#include <cstddef>

#include "device/kernel_abi.h"

namespace weft::device {

/// CL_DEVICE_LOCAL_MEM_SIZE: what one group may have of local memory.
inline constexpr std::size_t kLocalMemoryBytes = std::size_t{64} << 10;

/// Most scratch that a group may ask for; more is an error of resources.
inline constexpr std::size_t kMaxScratchBytes = std::size_t{1} << 30;

/// One of the engine's N places to run a group; at most one thread has it at a time.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Makes local memory and at least `scratch_bytes` of scratch present. Maps memory only when the largest
  /// demand so far grows. False if there is none.
  bool reserve(std::size_t scratch_bytes) noexcept {
    return scratch_bytes <= scratch_bytes_ && local_memory_ ? true : grow(scratch_bytes);
  }

  std::byte* local_memory() const { return local_memory_; }  ///< kLocalMemoryBytes and the ABI's padding
  std::byte* scratch() const { return scratch_; }

  Worker* next_free = nullptr;  ///< the engine's list of idle workers

 private:
  bool grow(std::size_t scratch_bytes) noexcept;

  std::byte* local_memory_ = nullptr;
  std::byte* scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0;
};

}  // namespace weft::device
