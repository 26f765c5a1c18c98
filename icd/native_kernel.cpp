// Functions of the host's as commands (OpenCL 3.0 API §5.10).
#include <cstdint>
#include <cstring>
#include <vector>

#include "icd/enqueue.h"

namespace weft::icd {

cl_int clEnqueueNativeKernel(cl_command_queue command_queue, void(CL_CALLBACK* user_func)(void*), void* args,
                             size_t cb_args, cl_uint num_mem_objects, const cl_mem* mem_list, const void** args_mem_loc,
                             cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    require(user_func, CL_INVALID_VALUE);
    require((args != nullptr) == (cb_args != 0) && (args || num_mem_objects == 0), CL_INVALID_VALUE);
    require((num_mem_objects != 0) == (mem_list != nullptr) && (num_mem_objects != 0) == (args_mem_loc != nullptr),
            CL_INVALID_VALUE);
    // The function gets a copy, with addresses where the application has its buffers' handles.
    std::vector<std::byte> copy(cb_args);
    if (cb_args) std::memcpy(copy.data(), args, cb_args);
    std::vector<Ref<Memory>> kept;
    for (cl_uint i = 0; i < num_mem_objects; ++i) {
      Memory* const memory = mem_list[i] ? &call.buffer(mem_list[i]) : nullptr;
      void* const address = memory ? memory->data() : nullptr;
      const auto offset = reinterpret_cast<std::uintptr_t>(args_mem_loc[i]) - reinterpret_cast<std::uintptr_t>(args);
      require(offset <= cb_args && sizeof address <= cb_args - offset, CL_INVALID_VALUE);
      std::memcpy(copy.data() + offset, &address, sizeof address);
      kept.emplace_back(memory);
    }
    Ref<Event> command = call.command(CL_COMMAND_NATIVE_KERNEL);
    command->work().emplace<runtime::HostWork>().call = [user_func, copy = std::move(copy), kept = std::move(kept)]() mutable {
      user_func(copy.empty() ? nullptr : copy.data());
    };
    return call.submit(std::move(command));
  });
}

}  // namespace weft::icd
