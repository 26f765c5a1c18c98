// Memory that programs address themselves, on host and device alike (OpenCL 3.0 API §5.6; cl_intel_unified_shared_memory):
// one table of what a context gave and where it lies.
//
// Nothing that runs looks here: every address of the process is the device's too. The table answers what the API asks about an
// address, and finds what is to be freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "runtime/opencl.h"

namespace weft::runtime {

struct SharedAllocation {
  enum class Kind : std::uint8_t { kSvm, kHost, kDevice, kShared };
  std::byte* base = nullptr;
  std::size_t size = 0;  ///< bytes, as asked for
  Kind kind = Kind::kSvm;
  cl_bitfield flags = 0;           ///< of its kind's call
  cl_device_id device = nullptr;  ///< that it was allocated for; mostly null

  /// Whether [address, address + bytes) lies inside.
  bool contains(const void* address, std::size_t bytes) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base);
    return offset <= size && bytes <= size - offset;
  }
};

/// Of one context. Any thread.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  /// Frees what is left: nobody can name it any more.
  ~SharedMemory();

  /// Zeros, aligned to kMemoryAlign. Null if there is no memory.
  void* allocate(std::size_t size, SharedAllocation::Kind kind, cl_bitfield flags, cl_device_id device = nullptr) noexcept;
  /// False if no allocation begins at `base`.
  bool free(void* base) noexcept;
  /// The allocation that has the byte at `address`.
  std::optional<SharedAllocation> find(const void* address) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, SharedAllocation> allocations_;  ///< by base
};

}  // namespace weft::runtime
