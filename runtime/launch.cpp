#include "runtime/launch.h"

#include <algorithm>

#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/error.h"
#include "runtime/modelled_gpu.h"
#include "runtime/options.h"
#include "runtime/queue.h"
#include "runtime/stream.h"

namespace weft::runtime {

static_assert(Device::kLocalMemSize == device::kLocalMemoryBytes);

namespace {

/// Sizes of a launch over `range`. Whether all groups have the local size; else there are more than it says.
bool set_sizes(abi::LaunchInfo& info, const NDRange& range) {
  std::size_t rest = 0;
  for (unsigned d = 0; d < 3; ++d) {
    info.global_size[d] = range.global[d];
    info.global_offset[d] = range.offset[d];
    info.local_size[d] = range.local[d];
    info.num_groups[d] = range.global[d] / range.local[d];  // and the rest, by one division
    rest |= range.global[d] % range.local[d];
  }
  info.work_dim = range.work_dim;
  info.reserved = 0;
  return rest == 0;
}

/// Has groups of the size that the code is for, where that is not the launch's own (LaunchCode::any_groups_of).
void take_local_size(device::Launch& launch, NDRange range) {
  const std::uint32_t local_x = launch.code ? launch.code->traits().local_x : 0;
  if (local_x == 0 || local_x == range.local[0]) return;
  range.local[0] = local_x;
  set_sizes(launch.info, range);
}

/// Sizes and the like of `part` of `whole`.
void describe(device::Launch& launch, const NDRange& whole, const RangePart& part) {
  abi::LaunchInfo& info = launch.info;
  set_sizes(info, part.range);
  std::ranges::copy(whole.global, info.global_size);
  for (unsigned d = 0; d < 3; ++d) {
    info.whole.global_offset[d] = whole.offset[d];
    info.whole.local_size[d] = whole.local[d];
    info.whole.num_groups[d] = whole.num_groups(d);
    info.whole.first_group[d] = part.first_group[d];
  }
}

/// Leaves only the rest of each row of groups to the launch's code where there is code for blocks that most of a row is made of. A launch does not wait for
/// that.
void take_blocks(KernelWork& work, const LaunchCode& wanted) {
  device::Launch& launch = work.launch;
  const device::Code* const rest = launch.code;
  const std::uint64_t along_x = launch.info.num_groups[0], whole = along_x - along_x % wanted.most_groups;
  if (!rest || rest->traits().local_x != wanted.best.local_size[0] || (along_x - whole) % rest->traits().groups != 0) return;
  LaunchCode blocks = wanted;
  blocks.best.groups = blocks.first_groups = wanted.most_groups;
  blocks.any_groups_of = 0;
  std::shared_ptr<const Generation> pending;
  const device::Code* const code = work.kernel->code(blocks, pending);
  if (!code || code->traits().local_x != rest->traits().local_x || code->traits().groups <= rest->traits().groups || whole % code->traits().groups != 0) return;
  work.others = std::vector<device::Launch>(1);
  device::Launch& other = work.others.front();
  other.info = launch.info;
  other.code = rest;
  other.first_x = whole;
  other.along_x = along_x - whole;
  launch.code = code;
  launch.along_x = whole;
}

void require_scratch(const device::Launch& launch) {
  const std::uint64_t* const local = launch.info.local_size;
  require(!launch.code || launch.code->scratch_bytes(local[0] * local[1] * local[2]) <= device::kMaxScratchBytes, CL_OUT_OF_RESOURCES);
}

/// Makes the launch one of parts, and finds their code.
void set_parts(KernelWork& work, const NDRange& range, const CountingMode& counting, bool in_background) {
  Kernel& kernel = *work.kernel;
  const std::vector<RangePart> parts = parts_of(range);
  const auto code_for = [&](const RangePart& part, bool shares_code, std::shared_ptr<const Generation>& pending) {
    LaunchCode code = specialization_of_part(kernel.description(), range, part, shares_code, Device::num_workers(),
                                             options().required_only, counting.any());
    code.best.traced = counting.traced;
    code.best.formats = work.arguments->formats;
    code.in_background = in_background;
    return kernel.code(code, pending);
  };
  describe(work.launch, range, parts[0]);
  // What is counted together is code of one kind.
  work.launch.code = code_for(parts[0], counting.any(), work.pending);
  if (parts.size() == 1) return;
  work.others = std::vector<device::Launch>(parts.size() - 1);
  const device::Code* const code = code_for(parts[1], true, work.others_pending);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    work.others[i - 1].code = code;
    describe(work.others[i - 1], range, parts[i]);
  }
}

/// Whether a launch goes over more than the caches hold, as copies by the host look at it. For most kernels nothing of it is known.
bool is_beyond_caches(const compiler::KernelInfo& kernel, const NDRange& range) {
  if (kernel.streamed_bytes == 0) return false;
  const std::size_t items = range.global[0] * range.global[1] * range.global[2];
  return goes_past_caches(items * kernel.streamed_bytes, items * kernel.read_bytes, !kernel.by_columns);
}

}  // namespace

void set_launch(Event& command, Kernel& kernel, const NDRange& range) {
  if (range.is_empty()) {
    kernel.snapshot();  // for its checks
    return;
  }
  auto& work = command.work().emplace<KernelWork>();
  work.kernel = &kernel;
  work.arguments = kernel.snapshot();
  set_code(command, range, nullptr);
}

void set_code(Event& command, const NDRange& range, const std::shared_ptr<const LaunchTree>& tree) {
  auto& work = std::get<KernelWork>(command.work());
  Kernel& kernel = *work.kernel;
  require(work.arguments->local_bytes <= Device::kLocalMemSize, CL_OUT_OF_RESOURCES);
  require_fits_gpu(kernel, range, work.arguments->local_bytes);
  device::Launch& launch = work.launch;
  const CountingMode counting = counting_mode(command.queue()->counters(), kernel.description().name);
  const bool as_is = options().required_only || counting.any();
  const NDRange own = as_is ? range : as_it_runs(kernel.description(), range, Device::num_workers());
  work.turned = own.turned;
  if (set_sizes(launch.info, own)) {
    LaunchCode code = specialization_of(kernel.description(), own, Device::num_workers(), options().required_only, counting.any());
    code.best.traced = counting.traced;
    code.best.formats = work.arguments->formats;
    code.best.streams = is_beyond_caches(kernel.description(), range) && !code.best.required_only;
    code.in_background = tree != nullptr;
    launch.code = kernel.code(code, work.pending);
    take_local_size(launch, own);
    if (code.most_groups) take_blocks(work, code);
    if (work.pending && !code.in_background && !counting.any()) kernel.context().code_ahead().launched(kernel, range);
  } else {
    set_parts(work, own, counting, tree != nullptr);
  }
  launch.info.arguments = work.arguments->block.get();
  launch.info.program_memory = kernel.program_memory();
  if (kernel.description().uses_queues) {
    work.children = std::make_unique<Children>(command, tree ? tree : std::make_shared<const LaunchTree>(kernel, *command.queue()));
    launch.info.queues = work.children.get();
  }
  if (counting.any()) {
    work.counting = std::make_unique<Counting>(kernel, range, work.arguments->local_bytes, counting);
    if (counting.traced) launch.wave = work.counting->wave();
  }
  for (device::Launch& other : work.others) {
    other.info.arguments = launch.info.arguments;
    other.info.program_memory = launch.info.program_memory;
    other.info.queues = work.children.get();
    other.wave = launch.wave;
    require_scratch(other);
  }
  require_scratch(launch);
  if (work.has_code()) work.prepare();  // else the command makes itself ready
}

}  // namespace weft::runtime
