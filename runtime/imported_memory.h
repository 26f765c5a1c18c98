// Memory of other APIs and processes, by file descriptor (cl_khr_external_memory, cl_khr_external_memory_opaque_fd).
#pragma once

#include <cstddef>

#include "runtime/opencl.h"

namespace weft::external_memory_api {

// The headers of distributions lack some.
inline constexpr cl_mem_properties kOpaqueFd = 0x2060;  ///< CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR
inline constexpr cl_platform_info kPlatformTypes = 0x2044;
inline constexpr cl_device_info kDeviceTypes = 0x204F, kLinearImageTypes = 0x2052;
inline constexpr cl_command_type kAcquireCommand = 0x2047, kReleaseCommand = 0x2048;
inline constexpr cl_mem_properties kDeviceHandleList = 0x2051;  ///< ends with a 0 of its own

}  // namespace weft::external_memory_api

namespace weft::runtime {

/// A mapping of a descriptor's memory (a memfd, shared memory, a file, what a software Vulkan exports), shared with whoever else
/// maps it. Holds no descriptor: the application's stays its own.
class ImportedMemory {
 public:
  ImportedMemory() = default;
  /// The first `bytes`. `reads_only`: nobody writes, so a descriptor that may not be written to will do. Throws
  /// Error{CL_INVALID_PROPERTY} where they cannot be mapped or are not there.
  ImportedMemory(int descriptor, std::size_t bytes, bool reads_only);
  ~ImportedMemory();
  ImportedMemory(const ImportedMemory&) = delete;
  ImportedMemory& operator=(const ImportedMemory&) = delete;
  ImportedMemory& operator=(ImportedMemory&& other) noexcept;

  std::byte* data() const { return data_; }  ///< null: none
  explicit operator bool() const { return data_ != nullptr; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace weft::runtime
