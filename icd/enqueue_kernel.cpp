// Kernel launches (OpenCL 3.0 API §5.10).
#include "icd/enqueue.h"
#include "runtime/kernel.h"
#include "runtime/ndrange.h"
#include "runtime/options.h"

namespace weft::icd {
namespace {

using runtime::Device;
using runtime::Kernel;
using runtime::KernelWork;
using runtime::NDRange;

void fill_work(KernelWork& work, Kernel& kernel, const NDRange& range) {
  work.kernel = Ref<Kernel>(&kernel);
  work.arguments = kernel.snapshot();
  require(work.arguments->local_bytes <= Device::kLocalMemSize, CL_OUT_OF_RESOURCES);
  device::Launch& launch = work.launch;
  launch.code = kernel.code(runtime::specialization_of(kernel.description(), range, Device::num_workers(),
                                                       runtime::options().required_only),
                            work.pending);
  for (unsigned d = 0; d < 3; ++d) {
    launch.info.global_size[d] = range.global[d];
    launch.info.global_offset[d] = range.offset[d];
    launch.info.local_size[d] = range.local[d];
    launch.info.num_groups[d] = range.global[d] / range.local[d];
  }
  launch.info.work_dim = range.work_dim;
  launch.info.arguments = work.arguments->block.get();
  if (!launch.code) return;  // the command makes itself ready
  require(launch.code->scratch_bytes(range.local[0] * range.local[1] * range.local[2]) <= device::kMaxScratchBytes,
          CL_OUT_OF_RESOURCES);
  launch.prepare(kernel.description().uses_printf);
}

cl_int launch(const Enqueue& call, cl_kernel handle, cl_command_type type, cl_uint work_dim,
              const size_t* global_offset, const size_t* global_size, const size_t* local_size) {
  Kernel& kernel = checked(handle, CL_INVALID_KERNEL);
  require(&kernel.context() == &call.queue().context(), CL_INVALID_CONTEXT);
  const NDRange range = runtime::make_ndrange(kernel.description(), work_dim, global_offset, global_size,
                                              local_size, Device::num_workers());
  Ref<Event> command = call.command(type);
  if (range.is_empty()) {
    kernel.snapshot();  // for its checks
  } else {
    fill_work(command->work().emplace<KernelWork>(), kernel, range);
  }
  return call.submit(std::move(command));
}

}  // namespace

static_assert(Device::kLocalMemSize == device::kLocalMemoryBytes);

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
