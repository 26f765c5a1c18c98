#include "runtime/launch.h"

#include "runtime/device.h"
#include "runtime/error.h"
#include "runtime/modelled_gpu.h"
#include "runtime/options.h"
#include "runtime/queue.h"

namespace weft::runtime {

static_assert(Device::kLocalMemSize == device::kLocalMemoryBytes);

void set_launch(Event& command, Kernel& kernel, const NDRange& range) {
  if (range.is_empty()) {
    kernel.snapshot();  // for its checks
    return;
  }
  auto& work = command.work().emplace<KernelWork>();
  work.kernel = Ref<Kernel>(&kernel);
  work.arguments = kernel.snapshot();
  require(work.arguments->local_bytes <= Device::kLocalMemSize, CL_OUT_OF_RESOURCES);
  require_fits_gpu(kernel, range, work.arguments->local_bytes);
  device::Launch& launch = work.launch;
  const CountingMode counting = counting_mode(command.queue()->counters(), kernel.description().name);
  LaunchCode code = specialization_of(kernel.description(), range, Device::num_workers(), options().required_only, counting.any());
  code.best.traced = counting.traced;
  code.best.formats = work.arguments->formats;
  launch.code = kernel.code(code, work.pending);
  for (unsigned d = 0; d < 3; ++d) {
    launch.info.global_size[d] = range.global[d];
    launch.info.global_offset[d] = range.offset[d];
    launch.info.local_size[d] = range.local[d];
    launch.info.num_groups[d] = range.global[d] / range.local[d];
  }
  launch.info.work_dim = range.work_dim;
  launch.info.arguments = work.arguments->block.get();
  launch.info.program_memory = kernel.program_memory();
  if (counting.any()) {
    work.counting = std::make_unique<Counting>(kernel, range, work.arguments->local_bytes, counting);
    launch.wave = work.counting->wave();
  }
  if (!launch.code) return;  // the command makes itself ready
  require(launch.code->scratch_bytes(range.local[0] * range.local[1] * range.local[2]) <= device::kMaxScratchBytes,
          CL_OUT_OF_RESOURCES);
  work.prepare();
}

}  // namespace weft::runtime
