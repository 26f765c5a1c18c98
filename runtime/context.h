// Contexts: the devices, the properties, the callbacks (OpenCL 3.0 API §4.4).
#pragma once

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/code_ahead.h"
#include "runtime/device.h"
#include "runtime/device_queue.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/shared_memory.h"

struct _cl_command_queue;

struct _cl_context : public weft::runtime::Object<_cl_context> {
 public:
  using Notify = void(CL_CALLBACK*)(const char* message, const void* info, size_t size, void* user_data);
  using DestructorCallback = void(CL_CALLBACK*)(cl_context context, void* user_data);

  using DeviceList = std::vector<weft::runtime::Ref<weft::runtime::Device>>;

  /// `devices`: each once. `properties` with its terminating 0, or empty if the application gave none.
  /// Their handles stay valid as long as the context lives, whoever releases them: CL_CONTEXT_DEVICES gives them.
  _cl_context(DeviceList devices, std::vector<cl_context_properties> properties, Notify notify, void* user_data);
  ~_cl_context();

  /// clGetContextInfo. Throws Error.
  void info(cl_context_info name, const weft::runtime::InfoWriter& out) const;

  /// Tells the application of an error that no code can carry (a kernel that fails when it runs). Any thread.
  void report(const char* message) const;

  /// clSetContextDestructorCallback: called in reverse order when the context dies.
  void on_destroy(DestructorCallback callback, void* user_data);

  /// What programs address themselves.
  weft::runtime::SharedMemory& shared_memory() { return shared_memory_; }
  const weft::runtime::SharedMemory& shared_memory() const { return shared_memory_; }

  /// Its queues, those among them that only commands still need.
  std::vector<weft::runtime::Ref<_cl_command_queue>> queues() const;
  void add_queue(_cl_command_queue& queue);
  void remove_queue(_cl_command_queue& queue) noexcept;

  /// The queue on `device` that kernels get as the default one; null if there is none. A queue of the application's, which it may release.
  weft::runtime::Ref<_cl_command_queue> default_queue(const weft::runtime::Device& device) const;
  void set_default_queue(_cl_command_queue& queue);
  /// The same where there is none yet; else the one that there is comes back.
  weft::runtime::Ref<_cl_command_queue> offer_default_queue(_cl_command_queue& queue);
  weft::runtime::DeviceEvents& device_events() { return device_events_; }

  weft::runtime::CodeAhead& code_ahead() { return code_ahead_; }

  const DeviceList& devices() const { return devices_; }
  bool has(const weft::runtime::Device* device) const {
    return std::ranges::any_of(devices_, [device](const auto& each) { return each.get() == device; });
  }

 private:
  const DeviceList devices_;
  std::vector<cl_context_properties> properties_;
  Notify notify_;
  void* user_data_;
  weft::runtime::SharedMemory shared_memory_;
  weft::runtime::DeviceEvents device_events_;
  weft::runtime::CodeAhead code_ahead_;
  _cl_command_queue* find_default_queue(const weft::runtime::Device& device) const;

  mutable std::mutex mutex_;
  // Guarded by the mutex.
  std::vector<_cl_command_queue*> queues_;
  std::vector<weft::runtime::WeakHandle<_cl_command_queue>> default_queues_;  ///< one a device
  std::vector<std::pair<DestructorCallback, void*>> destructor_callbacks_;
};

namespace weft::runtime {
using Context = ::_cl_context;
}
