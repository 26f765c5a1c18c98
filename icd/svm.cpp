// Shared virtual memory (OpenCL 3.0 API §5.6, §5.9.2). Host and device see one memory, so mapping and migration move nothing.
#include <algorithm>
#include <bit>
#include <vector>

#include "icd/enqueue.h"
#include "icd/memory_flags.h"
#include "runtime/host_memory.h"
#include "runtime/kernel.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::Device;
using runtime::HostWork;
using runtime::Kernel;
using runtime::SharedAllocation;

/// What freeing takes, for estimates.
constexpr float kFreeNs = 1000;

bool are_svm_flags(cl_svm_mem_flags flags) {
  if ((flags & ~(kAccess | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)) != 0) return false;
  if (std::popcount(flags & kAccess) > 1) return false;
  return (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) || !(flags & CL_MEM_SVM_ATOMICS);
}

}  // namespace

void* clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  Context* const owner = runtime::from_handle(context);
  if (!owner || !are_svm_flags(flags) || size == 0 || size > Device::max_alloc_size()) return nullptr;
  if (alignment != 0 && (!std::has_single_bit(alignment) || alignment > runtime::kMemoryAlign)) return nullptr;
  return owner->shared_memory().allocate(size, SharedAllocation::Kind::kSvm, flags);
}

void clSVMFree(cl_context context, void* svm_pointer) {
  Context* const owner = runtime::from_handle(context);
  if (owner && svm_pointer) owner->shared_memory().free(svm_pointer);
}

cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void* arg_value) {
  return guarded([&] { checked(kernel, CL_INVALID_KERNEL).set_address(arg_index, arg_value); });
}

cl_int clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                           const void* param_value) {
  return guarded([&] {
    checked(kernel, CL_INVALID_KERNEL).set_exec_info(param_name, param_value_size, param_value);
  });
}

cl_int clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers, void* svm_pointers[],
                        void(CL_CALLBACK* pfn_free_func)(cl_command_queue, cl_uint, void*[], void*), void* user_data,
                        cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require((num_svm_pointers == 0) == (svm_pointers == nullptr), CL_INVALID_VALUE);
    Ref<Event> command = call.command(CL_COMMAND_SVM_FREE);
    if (num_svm_pointers) {
      auto& work = command->work().emplace<HostWork>();
      std::vector<void*> pointers(svm_pointers, svm_pointers + num_svm_pointers);
      if (pfn_free_func) {
        work.call = [command_queue, pfn_free_func, user_data, pointers = std::move(pointers)]() mutable {
          // The application may have released the queue; what it is given is valid.
          runtime::retain(command_queue);
          pfn_free_func(command_queue, static_cast<cl_uint>(pointers.size()), pointers.data(), user_data);
          runtime::release(command_queue);
        };
      } else {
        work.expected_ns = kFreeNs * static_cast<float>(pointers.size());
        work.call = [owner = &call.context(), pointers = std::move(pointers)] {
          for (void* const pointer : pointers) owner->shared_memory().free(pointer);
        };
      }
    }
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void* dst_ptr, const void* src_ptr,
                          size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                          cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_SVM_MEMCPY);
    set_svm_copy(command->work(), dst_ptr, src_ptr, size);
    return call.submit(std::move(command), blocking_copy);
  });
}

cl_int clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr, const void* pattern, size_t pattern_size,
                           size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                           cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    Ref<Event> command = call.command(CL_COMMAND_SVM_MEMFILL);
    set_svm_fill(command->work(), svm_ptr, pattern, pattern_size, size);
    return call.submit(std::move(command));
  });
}

cl_int clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map, cl_map_flags flags, void* svm_ptr,
                       size_t size, cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                       cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(svm_ptr && size != 0, CL_INVALID_VALUE);
    check_map_flags(flags);
    Ref<Event> command = call.command(CL_COMMAND_SVM_MAP);
    command->note_mapping(size, /*pinned=*/true);
    return call.submit(std::move(command), blocking_map);
  });
}

cl_int clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr, cl_uint num_events_in_wait_list,
                         const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(svm_ptr, CL_INVALID_VALUE);
    return call.submit(call.command(CL_COMMAND_SVM_UNMAP));
  });
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers, const void** svm_pointers,
                              const size_t* sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                              const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(num_svm_pointers > 0 && svm_pointers, CL_INVALID_VALUE);
    check_migration_flags(flags);
    auto& memory = call.context().shared_memory();
    for (cl_uint i = 0; i < num_svm_pointers; ++i) {
      const auto allocation = memory.find(svm_pointers[i]);
      require(allocation && allocation->contains(svm_pointers[i], sizes ? sizes[i] : 0), CL_INVALID_VALUE);
    }
    return call.submit(call.command(CL_COMMAND_SVM_MIGRATE_MEM));
  });
}

}  // namespace weft::icd
