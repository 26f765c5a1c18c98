// Command queues (OpenCL 3.0 API §5.1, §5.15).
#include "runtime/queue.h"

#include <optional>

#include "icd/enqueue.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Device;
using runtime::Queue;
using runtime::QueueCounters;
using runtime::Ref;

constexpr cl_command_queue_properties kSupported =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
constexpr cl_command_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

cl_command_queue create(cl_context context_handle, cl_device_id device_handle,
                        cl_command_queue_properties properties, std::vector<cl_queue_properties> array,
                        QueueCounters counters, int priority, std::uint32_t device_size) {
  Context& context = checked(context_handle, CL_INVALID_CONTEXT);
  Device& device = checked(device_handle, CL_INVALID_DEVICE);
  require(context.has(&device), CL_INVALID_DEVICE);
  require((properties & ~(kSupported | kOnDevice)) == 0, CL_INVALID_VALUE);
  const bool is_on_device = properties & CL_QUEUE_ON_DEVICE, is_default = properties & CL_QUEUE_ON_DEVICE_DEFAULT;
  require(!is_on_device || (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), CL_INVALID_VALUE);
  require(!is_default || is_on_device, CL_INVALID_VALUE);
  Queue* const queue = publish(runtime::make<Queue>(&context, device, properties, std::move(array), std::move(counters), priority, device_size));
  if (!is_default) return queue;
  const Ref<Queue> known = context.offer_default_queue(*queue);
  if (!known) return queue;
  release(queue);
  retain(known.get());
  return known.get();
}

/// cl_khr_priority_hints. CL_INVALID_VALUE.
int priority_of(cl_queue_properties hint) {
  switch (hint) {
    case CL_QUEUE_PRIORITY_HIGH_KHR: return 1;
    case CL_QUEUE_PRIORITY_MED_KHR: return 0;
    case CL_QUEUE_PRIORITY_LOW_KHR: return -1;
    default: throw Error{CL_INVALID_VALUE};
  }
}

/// cl_khr_throttle_hints: how much power commands may take. Nothing here could take less. CL_INVALID_VALUE.
void check_throttle(cl_queue_properties hint) {
  require(hint == CL_QUEUE_THROTTLE_HIGH_KHR || hint == CL_QUEUE_THROTTLE_MED_KHR || hint == CL_QUEUE_THROTTLE_LOW_KHR,
          CL_INVALID_VALUE);
}

}  // namespace

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] { return create(context, device, properties, {}, {}, 0, runtime::kPreferredDeviceQueueSize); });
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties,
                                                    cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    checked(context, CL_INVALID_CONTEXT);
    checked(device, CL_INVALID_DEVICE);
    cl_command_queue_properties bits = 0;
    std::optional<cl_queue_properties> size;
    bool has_bits = false, has_throttle = false;
    std::optional<int> priority;
    QueueCounters counters;
    std::vector<cl_queue_properties> array;
    for (const cl_queue_properties* item = properties; item && *item; item += 2) {
      switch (item[0]) {
        case CL_QUEUE_PROPERTIES:
          require(!has_bits, CL_INVALID_VALUE);
          has_bits = true;
          bits = item[1];
          break;
        case CL_QUEUE_SIZE:
          require(!size, CL_INVALID_VALUE);
          size = item[1];
          break;
        case CL_QUEUE_PRIORITY_KHR:
          require(!priority, CL_INVALID_VALUE);
          priority = priority_of(item[1]);
          break;
        case CL_QUEUE_THROTTLE_KHR:
          require(!has_throttle, CL_INVALID_VALUE);
          has_throttle = true;
          check_throttle(item[1]);
          break;
        case CL_QUEUE_PERFORMANCE_COUNTERS_WEFT:
          require(!counters.any(), CL_INVALID_VALUE);
          counters = QueueCounters(reinterpret_cast<const cl_performance_counter_config_weft*>(item[1]));
          break;
        default:
          throw Error{CL_INVALID_VALUE};
      }
      array.insert(array.end(), item, item + 2);
    }
    if (properties) array.push_back(0);
    // A size is for queues on the device only.
    require(!size || (bits & CL_QUEUE_ON_DEVICE), CL_INVALID_VALUE);
    require(!size || *size <= runtime::kMaxDeviceQueueSize, CL_INVALID_QUEUE_PROPERTIES);
    // Hints are for the host's queues.
    require(!(bits & CL_QUEUE_ON_DEVICE) || !(priority || has_throttle), CL_INVALID_QUEUE_PROPERTIES);
    return create(context, device, bits, std::move(array), std::move(counters), priority.value_or(0),
                  static_cast<std::uint32_t>(size.value_or(runtime::kPreferredDeviceQueueSize)));
  });
}

cl_int clRetainCommandQueue(cl_command_queue command_queue) {
  return guarded([&] { retain(&checked(command_queue, CL_INVALID_COMMAND_QUEUE)); });
}

cl_int clReleaseCommandQueue(cl_command_queue command_queue) {
  return guarded([&] {
    Queue& queue = checked(command_queue, CL_INVALID_COMMAND_QUEUE);
    queue.flush();  // implicit; what is pending keeps the queue alive
    release_own(queue, CL_INVALID_COMMAND_QUEUE);
  });
}

cl_int clGetCommandQueueInfo(cl_command_queue command_queue, cl_command_queue_info param_name,
                             size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked(command_queue, CL_INVALID_COMMAND_QUEUE)
        .info(param_name, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}

cl_int clSetCommandQueueProperty(cl_command_queue command_queue, cl_command_queue_properties, cl_bool,
                                 cl_command_queue_properties*) {
  return guarded([&] {
    checked(command_queue, CL_INVALID_COMMAND_QUEUE);
    throw Error{CL_INVALID_OPERATION};  // of OpenCL 1.0 devices only
  });
}

cl_int clSetDefaultDeviceCommandQueue(cl_context context_handle, cl_device_id device_handle, cl_command_queue command_queue) {
  return guarded([&] {
    Context& context = checked(context_handle, CL_INVALID_CONTEXT);
    const Device& device = checked(device_handle, CL_INVALID_DEVICE);
    require(context.has(&device), CL_INVALID_DEVICE);
    Queue& queue = checked(command_queue, CL_INVALID_COMMAND_QUEUE);
    require(queue.is_on_device() && &queue.context() == &context && &queue.device() == &device, CL_INVALID_COMMAND_QUEUE);
    context.set_default_queue(queue);
  });
}

cl_int clFlush(cl_command_queue command_queue) {
  return guarded([&] { checked_host_queue(command_queue).flush(); });
}

cl_int clFinish(cl_command_queue command_queue) {
  return guarded([&]() -> cl_int {
    Queue& queue = checked_host_queue(command_queue);
    queue.finish();
    // §5.15 has no better code for commands that failed and whose events nobody has looked at.
    return queue.take_failures() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
  });
}

}  // namespace weft::icd
