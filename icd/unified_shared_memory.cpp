// Allocations by kind (cl_intel_unified_shared_memory 1.1.0), and the device's address of a buffer
// (cl_ext_buffer_device_address 1.0.2). Host memory is device memory, so the kinds differ by what the queries say alone.
#include "icd/unified_shared_memory.h"

#include <bit>

#include "icd/enqueue.h"
#include "runtime/host_memory.h"
#include "runtime/kernel.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Device;
using runtime::SharedAllocation;
using Kind = SharedAllocation::Kind;

constexpr cl_mem_alloc_flags_intel kPlacement =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

cl_mem_alloc_flags_intel checked_properties(const cl_mem_properties_intel* list, Kind kind) {
  cl_mem_alloc_flags_intel flags = 0;
  bool has_flags = false;
  for (; list && *list; list += 2) {
    require(list[0] == CL_MEM_ALLOC_FLAGS_INTEL && !has_flags, CL_INVALID_PROPERTY);
    has_flags = true;
    flags = list[1];
    const cl_mem_alloc_flags_intel known = CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (kind == Kind::kShared ? kPlacement : 0);
    require((flags & ~known) == 0 && (flags & kPlacement) != kPlacement, CL_INVALID_PROPERTY);
  }
  return flags;
}

void* allocate(cl_context handle, cl_device_id device, const cl_mem_properties_intel* properties, std::size_t size,
               cl_uint alignment, Kind kind) {
  Context& context = checked(handle, CL_INVALID_CONTEXT);
  if (device || kind == Kind::kDevice) require(context.has(&checked(device, CL_INVALID_DEVICE)), CL_INVALID_DEVICE);
  const auto flags = checked_properties(properties, kind);
  require(alignment == 0 || (std::has_single_bit(alignment) && alignment <= runtime::kMemoryAlign), CL_INVALID_VALUE);
  require(size != 0 && size <= Device::max_alloc_size(), CL_INVALID_BUFFER_SIZE);
  void* const memory = context.shared_memory().allocate(size, kind, flags, device);
  require(memory != nullptr, CL_OUT_OF_RESOURCES);
  return memory;
}

/// What has a kind of this extension at the address.
std::optional<SharedAllocation> find(const Context& context, const void* address) {
  auto allocation = context.shared_memory().find(address);
  if (allocation && allocation->kind == Kind::kSvm) allocation.reset();
  return allocation;
}

/// Null frees nothing.
void check_free(const Context& context, const void* pointer) {
  if (!pointer) return;
  const auto allocation = find(context, pointer);
  require(allocation && allocation->base == pointer, CL_INVALID_VALUE);
}

cl_unified_shared_memory_type_intel type_of(const std::optional<SharedAllocation>& allocation) {
  if (!allocation) return CL_MEM_TYPE_UNKNOWN_INTEL;
  switch (allocation->kind) {
    case Kind::kHost: return CL_MEM_TYPE_HOST_INTEL;
    case Kind::kDevice: return CL_MEM_TYPE_DEVICE_INTEL;
    case Kind::kShared: return CL_MEM_TYPE_SHARED_INTEL;
    case Kind::kSvm: break;
  }
  return CL_MEM_TYPE_UNKNOWN_INTEL;
}

}  // namespace

void* clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel* properties, size_t size, cl_uint alignment,
                          cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] { return allocate(context, nullptr, properties, size, alignment, Kind::kHost); });
}

void* clDeviceMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel* properties, size_t size,
                            cl_uint alignment, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] { return allocate(context, device, properties, size, alignment, Kind::kDevice); });
}

void* clSharedMemAllocINTEL(cl_context context, cl_device_id device, const cl_mem_properties_intel* properties, size_t size,
                            cl_uint alignment, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] { return allocate(context, device, properties, size, alignment, Kind::kShared); });
}

cl_int clMemFreeINTEL(cl_context context, void* ptr) {
  return guarded([&] {
    Context& owner = checked(context, CL_INVALID_CONTEXT);
    check_free(owner, ptr);
    if (ptr) owner.shared_memory().free(ptr);
  });
}

cl_int clMemBlockingFreeINTEL(cl_context context, void* ptr) {
  return guarded([&] {
    Context& owner = checked(context, CL_INVALID_CONTEXT);
    check_free(owner, ptr);
    if (!ptr) return;
    // Any command of the context may use it.
    for (const Ref<Queue>& queue : owner.queues()) queue->finish();
    owner.shared_memory().free(ptr);
  });
}

cl_int clGetMemAllocInfoINTEL(cl_context context, const void* ptr, cl_mem_info_intel param_name, size_t param_value_size,
                              void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    const Context& owner = checked(context, CL_INVALID_CONTEXT);
    const InfoWriter out(param_value_size, param_value, param_value_size_ret);
    const auto allocation = find(owner, ptr);
    const SharedAllocation answer = allocation.value_or(SharedAllocation{});
    switch (param_name) {
      case CL_MEM_ALLOC_TYPE_INTEL:
        return out.value(type_of(allocation));
      case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return out.value<void*>(answer.base);
      case CL_MEM_ALLOC_SIZE_INTEL:
        return out.value(answer.size);
      case CL_MEM_ALLOC_DEVICE_INTEL:
        return out.value(answer.device);
      case CL_MEM_ALLOC_FLAGS_INTEL:
        return out.value<cl_mem_alloc_flags_intel>(answer.flags);
      default:
        throw Error{CL_INVALID_VALUE};
    }
  });
}

cl_int clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void* arg_value) {
  return guarded([&] { checked(kernel, CL_INVALID_KERNEL).set_address(arg_index, arg_value); });
}

cl_int clEnqueueMemFillINTEL(cl_command_queue command_queue, void* dst_ptr, const void* pattern, size_t pattern_size,
                             size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_MEMFILL_INTEL);
    set_svm_fill(command->work(), dst_ptr, pattern, pattern_size, size);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking, void* dst_ptr, const void* src_ptr, size_t size,
                            cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_MEMCPY_INTEL);
    set_svm_copy(command->work(), dst_ptr, src_ptr, size);
    return call.submit(std::move(command), blocking);
  });
}

cl_int clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void* ptr, size_t, cl_mem_migration_flags flags,
                                cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(ptr, CL_INVALID_VALUE);
    check_migration_flags(flags);
    return call.submit(call.command(CL_COMMAND_MIGRATEMEM_INTEL));
  });
}

// Advice is a hint; there is nothing to do about any.
cl_int clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void* ptr, size_t, cl_mem_advice_intel,
                               cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(ptr, CL_INVALID_VALUE);
    return call.submit(call.command(CL_COMMAND_MEMADVISE_INTEL));
  });
}

cl_int clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value) {
  return guarded([&] {
    auto& object = checked(kernel, CL_INVALID_KERNEL);
    require(object.takes_address(arg_index), CL_INVALID_ARG_INDEX);
    object.set_address(arg_index, reinterpret_cast<const void*>(arg_value));
  });
}

}  // namespace weft::icd
