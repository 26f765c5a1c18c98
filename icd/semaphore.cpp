// Semaphores (cl_khr_semaphore 1.0.0, cl_khr_external_semaphore).
#include "icd/semaphore.h"

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "icd/enqueue.h"
#include "runtime/semaphore.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::HostWork;
using runtime::Semaphore;
namespace api = semaphore_api;

/// What signaling takes, for estimates.
constexpr float kSignalNs = 100;

struct Properties {
  std::vector<cl_properties> list;
  runtime::Device* device = nullptr;
  bool is_exported = false;
  std::optional<int> imported;
};

Properties checked_properties(const Context& context, const cl_properties* list) {
  Properties result;
  std::vector<cl_properties>& copy = result.list;
  bool has_type = false, has_devices = false, has_exports = false;
  while (*list) {
    const cl_properties name = *list;
    copy.push_back(*list++);
    switch (name) {
      case api::kType:
        require(!has_type, CL_INVALID_PROPERTY);
        has_type = true;
        require(*list == api::kBinary, CL_INVALID_PROPERTY);
        copy.push_back(*list++);
        break;
      case api::kDeviceHandleList: {
        require(!has_devices, CL_INVALID_PROPERTY);
        has_devices = true;
        // Exactly one device, and the list's own 0.
        for (unsigned devices = 0; *list || devices == 0; ++devices) {
          result.device = &checked(reinterpret_cast<cl_device_id>(*list), CL_INVALID_DEVICE);
          require(devices == 0 && context.has(result.device), CL_INVALID_DEVICE);
          copy.push_back(*list++);
        }
        copy.push_back(*list++);
        break;
      }
      case api::kExports:
        require(!has_exports, CL_INVALID_PROPERTY);
        has_exports = true;
        for (; *list; copy.push_back(*list++)) {
          require(*list == api::kOpaqueFd && !result.is_exported, CL_INVALID_VALUE);
          result.is_exported = true;
        }
        copy.push_back(*list++);
        break;
      case api::kOpaqueFd:
        require(!result.imported, CL_INVALID_PROPERTY);
        result.imported = static_cast<int>(*list);
        copy.push_back(*list++);
        break;
      default:
        throw Error{CL_INVALID_PROPERTY};
    }
  }
  require(!result.imported || !result.is_exported, CL_INVALID_OPERATION);
  require(has_type, CL_INVALID_VALUE);
  // Of several devices the list names one.
  require(has_devices || context.devices().size() == 1, CL_INVALID_PROPERTY);
  if (!result.device) result.device = context.devices().front().get();
  copy.push_back(0);
  return result;
}

std::vector<Ref<Semaphore>> checked_semaphores(const Enqueue& call, cl_uint count, const SemaphoreHandle* handles) {
  require(count != 0 && handles, CL_INVALID_VALUE);
  std::vector<Ref<Semaphore>> semaphores;
  semaphores.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    Semaphore& semaphore = checked(handles[i], api::kInvalidSemaphore);
    require(&semaphore.context() == &call.context(), CL_INVALID_CONTEXT);
    require(&semaphore.device() == &call.queue().device(), CL_INVALID_COMMAND_QUEUE);
    semaphores.emplace_back(&semaphore);
  }
  for (const cl_event event : call.waits())
    require(event->status() >= 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  return semaphores;
}

}  // namespace

SemaphoreHandle clCreateSemaphoreWithPropertiesKHR(cl_context context, const cl_properties* properties,
                                                   cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> SemaphoreHandle {
    Context& owner = checked(context, CL_INVALID_CONTEXT);
    require(properties, CL_INVALID_VALUE);
    Properties checked = checked_properties(owner, properties);
    std::shared_ptr<const runtime::SemaphoreDescriptor> descriptor;
    if (checked.imported) {
      descriptor = std::make_shared<runtime::SemaphoreDescriptor>(*checked.imported);
    } else if (checked.is_exported) {
      descriptor = std::make_shared<runtime::SemaphoreDescriptor>();
    }
    return publish(runtime::make<Semaphore>(owner, *checked.device, std::move(checked.list), std::move(descriptor), checked.is_exported));
  });
}

cl_int clRetainSemaphoreKHR(SemaphoreHandle semaphore) {
  return guarded([&] { runtime::retain(&checked(semaphore, api::kInvalidSemaphore)); });
}

cl_int clReleaseSemaphoreKHR(SemaphoreHandle semaphore) {
  return guarded([&] { runtime::release(&checked(semaphore, api::kInvalidSemaphore)); });
}

cl_int clGetSemaphoreInfoKHR(SemaphoreHandle semaphore, cl_uint param_name, size_t param_value_size, void* param_value,
                             size_t* param_value_size_ret) {
  return guarded([&] {
    checked(semaphore, api::kInvalidSemaphore).info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

// Payloads are for types that have more than two states.
cl_int clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_semaphores, const SemaphoreHandle* semaphores,
                                  const cl_ulong*, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                  cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    const auto list = checked_semaphores(call, num_semaphores, semaphores);
    Ref<Event> command = call.command(api::kWaitCommand);
    std::vector<cl_event> waits(call.waits().begin(), call.waits().end());
    waits.reserve(waits.size() + list.size());
    std::vector<Ref<Event>> signals;  // kept until the command follows them
    for (std::size_t i = 0; i < list.size(); ++i) signals.push_back(runtime::make<Event>(&call.context()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (cl_event const signal = list[i]->take(signals[i])) waits.push_back(signal);
    }
    call.queue().enqueue(command, waits);
    if (event) *event = publish(std::move(command));
  });
}

cl_int clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_semaphores,
                                    const SemaphoreHandle* semaphores, const cl_ulong*, cl_uint num_events_in_wait_list,
                                    const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    auto list = checked_semaphores(call, num_semaphores, semaphores);
    Ref<Event> command = call.command(api::kSignalCommand);
    auto& work = command->work().emplace<HostWork>();
    work.expected_ns = kSignalNs;
    work.call = [list = std::move(list)] {
      for (const Ref<Semaphore>& semaphore : list) semaphore->signal();
    };
    const cl_int result = call.submit(std::move(command));
    // Who waits for it, in another queue, cannot flush this one.
    call.queue().flush();
    return result;
  });
}

cl_int clGetSemaphoreHandleForTypeKHR(SemaphoreHandle semaphore, cl_device_id device, cl_uint handle_type, size_t handle_size,
                                      void* handle_ptr, size_t* handle_size_ret) {
  return guarded([&] {
    const Semaphore& exported = checked(semaphore, api::kInvalidSemaphore);
    require(&checked(device, CL_INVALID_DEVICE) == &exported.device(), CL_INVALID_DEVICE);
    require(exported.is_exportable() && handle_type == api::kOpaqueFd, CL_INVALID_VALUE);
    if (handle_ptr) {
      require(handle_size >= sizeof(int), CL_INVALID_VALUE);
      const int descriptor = exported.export_descriptor();
      std::memcpy(handle_ptr, &descriptor, sizeof descriptor);
    }
    if (handle_size_ret) *handle_size_ret = sizeof(int);
  });
}

}  // namespace weft::icd
