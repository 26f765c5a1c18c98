#include "runtime/code_ahead.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "runtime/background.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/executable.h"
#include "runtime/fork.h"
#include "runtime/kernel.h"
#include "runtime/options.h"

namespace weft::runtime {
namespace {

/// Kernels of which code is made ahead: so many, and so many more for each launch that waited for its code.
constexpr unsigned kAtFirst = 12, kForLaunch = 1;
/// A program that makes more kernels than this keeps most of them in store.
constexpr std::size_t kMostCandidates = 256;

/// Code for images and samplers is made for their formats, which only a launch brings.
bool needs_launch(const compiler::KernelInfo& kernel) {
  return std::ranges::any_of(kernel.args, [](const compiler::KernelArg& argument) {
    return argument.kind == compiler::ArgKind::kImage || argument.kind == compiler::ArgKind::kSampler;
  });
}

/// What most launches of a kernel without images say: strides are 1, buffers apart, and bounds of 31 bits.
compiler::ArgumentFormats usual_formats(const compiler::KernelInfo& kernel) {
  compiler::ArgumentFormats formats;
  std::uint32_t facts = 0, bounds = 0;
  for (std::size_t i = 0; i < std::min(kernel.args.size(), formats.kMostFacts); ++i) {
    facts |= std::uint32_t{kernel.args[i].has_fact} << i;
    bounds |= std::uint32_t{kernel.args[i].is_bound} << i;
  }
  formats.push_facts(facts, bounds);
  return formats;
}

/// Launches of kernels that require a local size, as they mostly come: code for more groups than one serves one, too.
NDRange required_range(const compiler::KernelInfo& kernel) {
  NDRange range;
  range.work_dim = 3;
  std::ranges::copy(kernel.reqd_work_group_size, range.local.begin());
  range.global = range.local;
  range.global[0] *= 2 * Device::num_workers();  // not a work-item for each, which few launches are (specialization_of)
  return range;
}

/// Whether code for what a launch asks for, or that it can begin with, follows from that: how many groups it has decides on blocks of them alone.
bool requires_size(const compiler::KernelInfo& kernel) { return kernel.reqd_work_group_size[0] != 0; }

/// With the compiler in this process, the program's end would have to wait for it.
bool may_make_ahead() { return options().compile_ahead && options().compiler_process && !is_forked(); }

/// What a launch over as many work-items would ask for; nothing if the kernel does not take groups like these.
bool find_code(const compiler::KernelInfo& kernel, const NDRange& range, LaunchCode& code) {
  try {
    const NDRange own = make_ndrange(kernel, range.work_dim, range.offset.data(), range.global.data(), range.local.data(), Device::num_workers());
    const NDRange taken = options().required_only ? own : as_it_runs(kernel, own, Device::num_workers());
    code = specialization_of(kernel, taken, Device::num_workers(), options().required_only);
    code.best.formats = usual_formats(kernel);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void CodeAhead::add(_cl_context& context, const std::shared_ptr<Executable>& executable, ExecutableKernel& kernel) {
  if (is_forked() || kernel.has_entries() || kernel.info().is_block || needs_launch(kernel.info())) return;
  std::lock_guard lock(mutex_);
  if (candidates_.size() >= kMostCandidates) return;
  candidates_.push_back({executable, &kernel});
  if (requires_size(kernel.info()) && may_make_ahead()) start(context);
}

void CodeAhead::asked_for_size(const ExecutableKernel& kernel, std::size_t size) {
  std::lock_guard lock(mutex_);
  for (Candidate& candidate : candidates_)
    if (candidate.kernel == &kernel) candidate.asked_size = size;
}

void CodeAhead::building(_cl_context& context) {
  if (!may_make_ahead()) return;
  std::lock_guard lock(mutex_);
  is_building_ = true;
  if (!candidates_.empty()) start(context);
}

void CodeAhead::launched(_cl_kernel& kernel, const NDRange& range) {
  if (!may_make_ahead()) return;
  const std::shared_ptr<Executable> executable = kernel.executable();
  std::lock_guard lock(mutex_);
  ++num_launches_;
  is_building_ = false;
  std::erase_if(launched_, [](const Launched& each) { return each.executable.expired(); });
  const auto same = std::ranges::find_if(launched_, [&](const Launched& each) { return each.executable.lock() == executable; });
  if (same != launched_.end()) launched_.erase(same);
  launched_.push_back({executable, range});
  if (num_launches_ == 1) first_ = range;
  start(kernel.context());
}

void CodeAhead::processor_is_free(_cl_context& context) {
  if (!may_make_ahead()) return;
  std::lock_guard lock(mutex_);
  if (!candidates_.empty()) start(context, 1);
}

/// One thread, or one more if a processor has nothing to do. `about_to_end`: of the threads that make code. Under the mutex.
void CodeAhead::start(_cl_context& context, int about_to_end) {
  static_assert(kMostAhead == 2);
  Takes takes = Takes::kSmallest;
  if (is_running(takes)) {
    takes = Takes::kLargest;
    if (is_running(takes) || free_processors() + about_to_end <= 0) return;
  }
  try {
    run_ahead([this, takes, kept = Ref<_cl_context>(&context)] {
      while (make_next(*kept, takes)) {
      }
    });
    is_running(takes) = true;
  } catch (const std::bad_alloc&) {
  }
}

/// What a launch of the candidate would ask for, as far as that is known. Under the mutex.
bool CodeAhead::find_code(const Candidate& candidate, const std::shared_ptr<Executable>& executable, LaunchCode& code) const {
  const compiler::KernelInfo& info = candidate.kernel->info();
  if (requires_size(info)) return weft::runtime::find_code(info, required_range(info), code);
  const auto same = std::ranges::find_if(launched_, [&](const Launched& each) { return each.executable.lock() == executable; });
  if (same != launched_.end()) return weft::runtime::find_code(info, same->range, code);
  if ((is_building_ || num_launches_ > 0) && candidate.asked_size != 0) {
    NDRange range;
    range.local[0] = range.global[0] = candidate.asked_size;
    return weft::runtime::find_code(info, range, code);
  }
  return num_launches_ > 0 && weft::runtime::find_code(info, first_, code);
}

/// Makes code of one kernel: the first that requires a size, or else the one that takes least, or most, of the program that was launched last and of
/// those without a launch, and then of the others. It is for the local size that the kernel requires, of the last launch of its program,
/// or else of the first launch of all. False if there is none to be made, or no processor.
bool CodeAhead::make_next(_cl_context& context, Takes takes) {
  std::shared_ptr<Executable> kept;
  ExecutableKernel* kernel = nullptr;
  LaunchCode code;
  {
    std::lock_guard lock(mutex_);
    if (takes == Takes::kLargest && free_processors() < 0) return is_running(takes) = false;
    // Two threads that both take the smallest would come to the largest last, and one of them would wait for it alone.
    const bool takes_largest = takes == Takes::kLargest && !launched_.empty();
    std::uint64_t least = 0;
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      const std::shared_ptr<Executable> executable = candidate.executable.lock();
      if (!executable || candidate.kernel->has_entries()) return true;
      // Something of the program that was launched last will be, and of one of which nothing was launched yet: which of them first, nobody knows (a
      // program's large kernels for other lengths of what it works on may stand before another's small ones that come with each launch); of others that
      // may have been all.
      const bool is_last = !launched_.empty() && launched_.back().executable.lock() == executable;
      const bool has_launched = std::ranges::any_of(launched_, [&](const Launched& each) { return each.executable.lock() == executable; });
      const std::uint32_t instructions = candidate.kernel->info().instructions;
      const bool is_first = requires_size(candidate.kernel->info());
      const std::uint64_t rank = is_first ? 0 : (std::uint64_t{has_launched && !is_last} << 32) + (takes_largest ? ~instructions : 1 + instructions);
      LaunchCode asked;
      if ((kernel && rank >= least) || !find_code(candidate, executable, asked)) return false;
      least = rank;
      kept = executable;
      kernel = candidate.kernel;
      code = asked;
      return false;
    });
    std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.kernel == kernel; });
    if (!kernel || num_made_ >= kAtFirst + kForLaunch * num_launches_) return is_running(takes) = false;
    ++num_made_;
    if (!candidates_.empty()) start(context);
  }
  kernel->make_ahead(code, context);
  return true;
}

}  // namespace weft::runtime
