// Kernel launches (OpenCL 3.0 API §5.10).
#include "icd/enqueue.h"
#include "runtime/kernel.h"
#include "runtime/launch.h"
#include "runtime/program.h"

namespace weft::icd {
namespace {

using runtime::Device;
using runtime::Kernel;
using runtime::NDRange;

cl_int launch(const Enqueue& call, cl_kernel handle, cl_command_type type, cl_uint work_dim,
              const size_t* global_offset, const size_t* global_size, const size_t* local_size) {
  Kernel& kernel = checked(handle, CL_INVALID_KERNEL);
  require(&kernel.context() == &call.queue().context(), CL_INVALID_CONTEXT);
  require(kernel.program().has(&call.queue().device()), CL_INVALID_PROGRAM_EXECUTABLE);
  const NDRange range = runtime::make_ndrange(kernel.description(), work_dim, global_offset, global_size,
                                              local_size, Device::num_workers());
  Ref<Event> command = call.command(type);
  runtime::set_launch(*command, kernel, range);
  return call.submit(std::move(command));
}

}  // namespace

cl_int clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t* global_work_offset, const size_t* global_work_size,
                              const size_t* local_work_size, cl_uint num_events_in_wait_list,
                              const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    return launch(call, kernel, CL_COMMAND_NDRANGE_KERNEL, work_dim, global_work_offset, global_work_size,
                  local_work_size);
  });
}

cl_int clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel, cl_uint num_events_in_wait_list,
                     const cl_event* event_wait_list, cl_event* event) {
  return guarded([&] {
    const Enqueue call(command_queue, num_events_in_wait_list, event_wait_list, event);
    const size_t one = 1;
    return launch(call, kernel, CL_COMMAND_TASK, 1, nullptr, &one, &one);
  });
}

}  // namespace weft::icd
