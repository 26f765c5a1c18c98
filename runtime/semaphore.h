// Semaphores (cl_khr_semaphore): binary ones, which a command signals and another takes.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "runtime/context.h"
#include "runtime/event.h"
#include "runtime/info.h"
#include "runtime/object.h"

namespace weft::semaphore_api {

// Version 1.0.0; the headers of distributions have provisional ones.
inline constexpr cl_uint kBinary = 1;  ///< CL_SEMAPHORE_TYPE_BINARY_KHR
inline constexpr cl_platform_info kPlatformTypes = 0x2036;
inline constexpr cl_device_info kDeviceTypes = 0x204C;
inline constexpr cl_command_type kWaitCommand = 0x2042, kSignalCommand = 0x2043;
inline constexpr cl_int kInvalidSemaphore = -1142;

/// cl_semaphore_info_khr, cl_semaphore_properties_khr
enum Info : cl_uint {
  kContext = 0x2039,
  kReferenceCount = 0x203A,
  kProperties = 0x203B,
  kPayload = 0x203C,
  kType = 0x203D,
  kDeviceHandleList = 0x2053,
};

}  // namespace weft::semaphore_api

struct _cl_semaphore_khr : public weft::runtime::Object<_cl_semaphore_khr> {
 public:
  /// Not signaled. `properties` with their terminating 0.
  _cl_semaphore_khr(_cl_context& context, weft::runtime::Device& device, std::vector<cl_properties> properties)
      : context_(&context), device_(&device), properties_(std::move(properties)) {}

  _cl_context& context() const { return *context_; }
  weft::runtime::Device& device() const { return *device_; }

  /// What a command that waits has to follow: the k-th one takes the k-th signal. Null: it took one that was there. `event`, a
  /// user event that the application does not see, serves in the other case. Throws std::bad_alloc.
  cl_event take(const weft::runtime::Ref<_cl_event>& event);

  /// Sets it, or lets the first that waits go on.
  void signal();

  /// clGetSemaphoreInfoKHR. Throws Error.
  void info(cl_uint name, const weft::runtime::InfoWriter& out) const;

 private:
  weft::runtime::Attached<_cl_context> context_;
  weft::runtime::Ref<weft::runtime::Device> device_;
  const std::vector<cl_properties> properties_;
  mutable std::mutex mutex_;
  // Guarded by the mutex.
  bool is_signaled_ = false;
  std::deque<weft::runtime::Ref<_cl_event>> waiters_;  ///< none while it is signaled
};

namespace weft::runtime {
using Semaphore = ::_cl_semaphore_khr;
}
