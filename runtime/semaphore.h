// Semaphores (cl_khr_semaphore): binary ones, which a command signals and another takes. Those that are exported or imported
// (cl_khr_external_semaphore_opaque_fd) are file descriptors.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "runtime/context.h"
#include "runtime/event.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/semaphore_descriptor.h"

namespace weft::semaphore_api {

// Version 1.0.0; the headers of distributions have provisional ones.
inline constexpr cl_uint kBinary = 1;  ///< CL_SEMAPHORE_TYPE_BINARY_KHR
inline constexpr cl_platform_info kPlatformTypes = 0x2036;
inline constexpr cl_device_info kDeviceTypes = 0x204C;
inline constexpr cl_uint kOpaqueFd = 0x2055;  ///< CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR
inline constexpr cl_platform_info kPlatformImports = 0x2037, kPlatformExports = 0x2038;
inline constexpr cl_device_info kDeviceImports = 0x204D, kDeviceExports = 0x204E;
inline constexpr cl_command_type kWaitCommand = 0x2042, kSignalCommand = 0x2043;
inline constexpr cl_int kInvalidSemaphore = -1142;

/// cl_semaphore_info_khr, cl_semaphore_properties_khr
enum Info : cl_uint {
  kContext = 0x2039,
  kReferenceCount = 0x203A,
  kProperties = 0x203B,
  kPayload = 0x203C,
  kType = 0x203D,
  kExports = 0x203F,  ///< a list that ends with a 0 of its own
  kIsExportable = 0x2054,
  kDeviceHandleList = 0x2053,
};

}  // namespace weft::semaphore_api

struct _cl_semaphore_khr : public weft::runtime::Object<_cl_semaphore_khr> {
 public:
  /// Not signaled, unless `descriptor`, null for one that stays here, is. `properties` with their terminating 0.
  _cl_semaphore_khr(_cl_context& context, weft::runtime::Device& device, std::vector<cl_properties> properties,
                    std::shared_ptr<const weft::runtime::SemaphoreDescriptor> descriptor, bool is_exportable)
      : context_(&context),
        device_(&device),
        properties_(std::move(properties)),
        descriptor_(std::move(descriptor)),
        is_exportable_(is_exportable) {}

  _cl_context& context() const { return *context_; }
  weft::runtime::Device& device() const { return *device_; }
  bool is_exportable() const { return is_exportable_; }
  /// A descriptor of what is exportable, for the application. Throws Error.
  int export_descriptor() const { return descriptor_->duplicate(); }

  /// What a command that waits has to follow: the k-th one takes the k-th signal. Null: it took one that was there. `event`, a
  /// user event that the application does not see, serves in the other case. Throws std::bad_alloc or std::system_error.
  cl_event take(const weft::runtime::Ref<_cl_event>& event);

  /// Sets it, or lets the first that waits go on.
  void signal();

  /// clGetSemaphoreInfoKHR. Throws Error.
  void info(cl_uint name, const weft::runtime::InfoWriter& out) const;

 private:
  weft::runtime::Attached<_cl_context> context_;
  weft::runtime::Ref<weft::runtime::Device> device_;
  const std::vector<cl_properties> properties_;
  const std::shared_ptr<const weft::runtime::SemaphoreDescriptor> descriptor_;  ///< has the state in place of what follows; may be null
  const bool is_exportable_;
  mutable std::mutex mutex_;
  // Guarded by the mutex.
  bool is_signaled_ = false;
  std::deque<weft::runtime::Ref<_cl_event>> waiters_;  ///< none while it is signaled
};

namespace weft::runtime {
using Semaphore = ::_cl_semaphore_khr;
}
