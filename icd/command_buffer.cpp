// Command buffers (cl_khr_command_buffer 0.9.8, cl_khr_command_buffer_mutable_dispatch 0.9.5).
#include "icd/command_buffer.h"

#include <vector>

#include "icd/enqueue.h"
#include "runtime/command_buffer.h"

namespace weft::icd {
namespace {

using runtime::CommandBuffer;
using runtime::Device;
using runtime::Kernel;
using runtime::MutableCommand;
using runtime::NDRange;
using runtime::BufferedCommand;
using runtime::BufferedLaunch;
namespace buffer_api = command_buffer_api;

CommandBuffer& checked_command_buffer(CommandBufferHandle handle) { return checked(handle, buffer_api::kInvalidCommandBuffer); }

/// The list with its 0, or empty for null, each pair seen by `take`. CL_INVALID_VALUE for a name that comes twice.
template <class Take>
std::vector<cl_properties> read_properties(const cl_properties* list, Take take) {
  std::vector<cl_properties> copy;
  if (!list) return copy;
  for (; *list; list += 2) {
    for (std::size_t i = 0; i < copy.size(); i += 2) require(copy[i] != list[0], CL_INVALID_VALUE);
    take(list[0], list[1]);
    copy.insert(copy.end(), list, list + 2);
  }
  copy.push_back(0);
  return copy;
}

cl_bitfield checked_bits(cl_properties value, cl_bitfield known) {
  require((value & ~known) == 0, CL_INVALID_VALUE);
  return value;
}

/// One call of a clCommand function. Its construction checks what all have.
class Record {
 public:
  Record(CommandBufferHandle handle, cl_command_queue queue, cl_uint num_sync_points, const SyncPoint* sync_points,
         SyncPoint* sync_point_ret, MutableCommandHandle* mutable_ret)
      : owner_(checked_command_buffer(handle)), sync_point_ret_(sync_point_ret), mutable_ret_(mutable_ret) {
    require(queue == nullptr, CL_INVALID_COMMAND_QUEUE);  // there is one: no cl_khr_command_buffer_multi_device
    owner_.require_recording();
    require((num_sync_points == 0) == (sync_points == nullptr), buffer_api::kInvalidSyncPointWaitList);
    waits_ = {sync_points, num_sync_points};
  }

  CommandBuffer& owner() const { return owner_; }
  runtime::Context& context() const { return owner_.context(); }

  /// A command that `set` makes the work of. Those that are no launches have no properties and cannot be updated.
  template <class Set>
  void transfer(cl_command_type type, const cl_properties* properties, Set set) const {
    require(!properties || *properties == 0, CL_INVALID_VALUE);
    require(mutable_ret_ == nullptr, CL_INVALID_VALUE);
    auto command = std::make_unique<BufferedCommand>();
    command->type = type;
    set(command->work);
    record(std::move(command));
  }

  void record(std::unique_ptr<BufferedCommand> command) const {
    owner_.record(std::move(command), waits_, sync_point_ret_, mutable_ret_);
  }

 private:
  CommandBuffer& owner_;
  std::span<const SyncPoint> waits_;
  SyncPoint* sync_point_ret_;
  MutableCommandHandle* mutable_ret_;
};

}  // namespace

CommandBufferHandle clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                                             const cl_properties* properties, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&]() -> CommandBufferHandle {
    require(num_queues == 1 && queues, CL_INVALID_VALUE);
    Queue& queue = checked_host_queue(queues[0]);
    cl_bitfield flags = 0, asserts = 0;
    auto list = read_properties(properties, [&](cl_properties name, cl_properties value) {
      switch (name) {
        case buffer_api::kFlags:
          flags = checked_bits(value, buffer_api::kSimultaneousUse | buffer_api::kMutable);
          break;
        case buffer_api::kMutableDispatchAsserts:
          asserts = checked_bits(value, buffer_api::kNoAdditionalWorkGroups);
          break;
        default:
          throw Error{CL_INVALID_VALUE};
      }
    });
    return publish(runtime::make<CommandBuffer>(&queue, flags, asserts, std::move(list)));
  });
}

cl_int clFinalizeCommandBufferKHR(CommandBufferHandle command_buffer) {
  return guarded([&] { checked_command_buffer(command_buffer).finalize(); });
}

cl_int clRetainCommandBufferKHR(CommandBufferHandle command_buffer) {
  return guarded([&] { runtime::retain(&checked_command_buffer(command_buffer)); });
}

cl_int clReleaseCommandBufferKHR(CommandBufferHandle command_buffer) {
  return guarded([&] { runtime::release(&checked_command_buffer(command_buffer)); });
}

cl_int clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues, CommandBufferHandle command_buffer,
                                 cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    CommandBuffer& object = checked_command_buffer(command_buffer);
    require((num_queues == 0) == (queues == nullptr) && num_queues <= 1, CL_INVALID_VALUE);
    Queue& queue = queues ? checked_host_queue(queues[0]) : object.queue();
    require(&queue.context() == &object.context(), CL_INVALID_CONTEXT);
    const auto waits = checked_waits(queue, num_events_in_wait_list, event_wait_list);
    Ref<Event> end = object.enqueue(queue, waits);
    if (event) *event = publish(std::move(end));
  });
}

cl_int clGetCommandBufferInfoKHR(CommandBufferHandle command_buffer, cl_uint param_name, size_t param_value_size,
                                 void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked_command_buffer(command_buffer).info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

// ---- Recording ----

cl_int clCommandBarrierWithWaitListKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                       const cl_properties* properties, cl_uint num_sync_points, const SyncPoint* sync_points,
                                       SyncPoint* sync_point, MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_BARRIER, properties, [](runtime::Work&) {});
  });
}

cl_int clCommandCopyBufferKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                              cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size,
                              cl_uint num_sync_points, const SyncPoint* sync_points, SyncPoint* sync_point,
                              MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_COPY_BUFFER, properties, [&](runtime::Work& work) {
      set_copy_buffer(work, call.context(), src_buffer, dst_buffer, src_offset, dst_offset, size);
    });
  });
}

cl_int clCommandCopyBufferRectKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                                  cl_mem src_buffer, cl_mem dst_buffer, const size_t* src_origin, const size_t* dst_origin,
                                  const size_t* region, size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
                                  size_t dst_slice_pitch, cl_uint num_sync_points, const SyncPoint* sync_points,
                                  SyncPoint* sync_point, MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_COPY_BUFFER_RECT, properties, [&](runtime::Work& work) {
      set_copy_buffer_rect(work, call.context(), src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch,
                           src_slice_pitch, dst_row_pitch, dst_slice_pitch);
    });
  });
}

cl_int clCommandCopyBufferToImageKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                     const cl_properties* properties, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
                                     const size_t* dst_origin, const size_t* region, cl_uint num_sync_points,
                                     const SyncPoint* sync_points, SyncPoint* sync_point,
                                     MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_COPY_BUFFER_TO_IMAGE, properties, [&](runtime::Work& work) {
      set_copy_buffer_to_image(work, call.context(), src_buffer, dst_image, src_offset, dst_origin, region);
    });
  });
}

cl_int clCommandCopyImageKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                             cl_mem src_image, cl_mem dst_image, const size_t* src_origin, const size_t* dst_origin,
                             const size_t* region, cl_uint num_sync_points, const SyncPoint* sync_points,
                             SyncPoint* sync_point, MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_COPY_IMAGE, properties, [&](runtime::Work& work) {
      set_copy_image(work, call.context(), src_image, dst_image, src_origin, dst_origin, region);
    });
  });
}

cl_int clCommandCopyImageToBufferKHR(CommandBufferHandle command_buffer, cl_command_queue queue,
                                     const cl_properties* properties, cl_mem src_image, cl_mem dst_buffer,
                                     const size_t* src_origin, const size_t* region, size_t dst_offset,
                                     cl_uint num_sync_points, const SyncPoint* sync_points, SyncPoint* sync_point,
                                     MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_COPY_IMAGE_TO_BUFFER, properties, [&](runtime::Work& work) {
      set_copy_image_to_buffer(work, call.context(), src_image, dst_buffer, src_origin, region, dst_offset);
    });
  });
}

cl_int clCommandFillBufferKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                              cl_mem buffer, const void* pattern, size_t pattern_size, size_t offset, size_t size,
                              cl_uint num_sync_points, const SyncPoint* sync_points, SyncPoint* sync_point,
                              MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_FILL_BUFFER, properties, [&](runtime::Work& work) {
      set_fill_buffer(work, call.context(), buffer, pattern, pattern_size, offset, size);
    });
  });
}

cl_int clCommandFillImageKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                             cl_mem image, const void* fill_color, const size_t* origin, const size_t* region,
                             cl_uint num_sync_points, const SyncPoint* sync_points, SyncPoint* sync_point,
                             MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_FILL_IMAGE, properties, [&](runtime::Work& work) {
      set_fill_image(work, call.context(), image, fill_color, origin, region);
    });
  });
}

cl_int clCommandSVMMemcpyKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                             void* dst_ptr, const void* src_ptr, size_t size, cl_uint num_sync_points,
                             const SyncPoint* sync_points, SyncPoint* sync_point, MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_SVM_MEMCPY, properties,
                  [&](runtime::Work& work) { set_svm_copy(work, dst_ptr, src_ptr, size); });
  });
}

cl_int clCommandSVMMemFillKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                              void* svm_ptr, const void* pattern, size_t pattern_size, size_t size, cl_uint num_sync_points,
                              const SyncPoint* sync_points, SyncPoint* sync_point, MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    call.transfer(CL_COMMAND_SVM_MEMFILL, properties,
                  [&](runtime::Work& work) { set_svm_fill(work, svm_ptr, pattern, pattern_size, size); });
  });
}

cl_int clCommandNDRangeKernelKHR(CommandBufferHandle command_buffer, cl_command_queue queue, const cl_properties* properties,
                                 cl_kernel kernel, cl_uint work_dim, const size_t* global_work_offset,
                                 const size_t* global_work_size, const size_t* local_work_size, cl_uint num_sync_points,
                                 const SyncPoint* sync_points, SyncPoint* sync_point, MutableCommandHandle* mutable_handle) {
  return guarded([&] {
    const Record call(command_buffer, queue, num_sync_points, sync_points, sync_point, mutable_handle);
    cl_bitfield updatable = buffer_api::kAllFields, asserts = 0;
    auto list = read_properties(properties, [&](cl_properties name, cl_properties value) {
      switch (name) {
        case buffer_api::kUpdatableFields:
          updatable = checked_bits(value, buffer_api::kAllFields);
          break;
        case buffer_api::kDispatchAsserts:
          asserts = checked_bits(value, buffer_api::kNoAdditionalWorkGroups);
          break;
        default:
          throw Error{CL_INVALID_VALUE};
      }
    });
    Kernel& object = checked(kernel, CL_INVALID_KERNEL);
    require(&object.context() == &call.context(), CL_INVALID_CONTEXT);
    const NDRange range = runtime::make_ndrange(object.description(), work_dim, global_work_offset, global_work_size,
                                                local_work_size, Device::num_workers());
    auto command = std::make_unique<BufferedCommand>();
    command->type = CL_COMMAND_NDRANGE_KERNEL;
    BufferedLaunch& launch = command->launch.emplace(object, range, local_work_size != nullptr);
    // What is missing may be set by an update.
    const bool may_be_completed = (call.owner().flags() & buffer_api::kMutable) && (updatable & buffer_api::kArguments);
    require(launch.arguments || may_be_completed, CL_INVALID_KERNEL_ARGS);
    launch.updatable = updatable;
    launch.asserts = asserts;
    launch.properties = std::move(list);
    call.record(std::move(command));
  });
}

// ---- Updating ----

cl_int clUpdateMutableCommandsKHR(CommandBufferHandle command_buffer, cl_uint num_configs, const cl_uint* config_types,
                                  const void** configs) {
  return guarded([&] {
    CommandBuffer& object = checked_command_buffer(command_buffer);
    require((num_configs == 0) == (config_types == nullptr) && (num_configs == 0) == (configs == nullptr), CL_INVALID_VALUE);
    std::vector<const buffer_api::DispatchConfig*> list;
    for (cl_uint i = 0; i < num_configs; ++i) {
      require(config_types[i] == buffer_api::kDispatchConfigType && configs[i], CL_INVALID_VALUE);
      list.push_back(static_cast<const buffer_api::DispatchConfig*>(configs[i]));
    }
    object.update(list);
  });
}

cl_int clGetMutableCommandInfoKHR(MutableCommandHandle command, cl_uint param_name, size_t param_value_size,
                                  void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    const MutableCommand& object = checked(command, buffer_api::kInvalidMutableCommand);
    object.owner.command_info(object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

}  // namespace weft::icd
