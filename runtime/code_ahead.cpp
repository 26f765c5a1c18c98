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
constexpr unsigned kAtFirst = 8, kForLaunch = 1;
/// A program that makes more kernels than this keeps most of them in store.
constexpr std::size_t kMostCandidates = 256;

/// Code for images and samplers is made for their formats, which only a launch brings.
bool needs_launch(const compiler::KernelInfo& kernel) {
  return std::ranges::any_of(kernel.args, [](const compiler::KernelArg& argument) {
    return argument.kind == compiler::ArgKind::kImage || argument.kind == compiler::ArgKind::kSampler;
  });
}

/// What a launch over as many work-items would ask for; nothing if the kernel does not take groups like these.
bool find_code(const compiler::KernelInfo& kernel, const NDRange& range, LaunchCode& code) {
  try {
    const NDRange own = make_ndrange(kernel, range.work_dim, range.offset.data(), range.global.data(), range.local.data(), Device::num_workers());
    code = specialization_of(kernel, own, Device::num_workers(), options().required_only);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void CodeAhead::add(const std::shared_ptr<Executable>& executable, ExecutableKernel& kernel) {
  if (is_forked() || kernel.has_entries() || kernel.info().is_block || needs_launch(kernel.info())) return;
  std::lock_guard lock(mutex_);
  if (candidates_.size() < kMostCandidates) candidates_.push_back({executable, &kernel});
}

void CodeAhead::launched(_cl_kernel& kernel, const NDRange& range) {
  // With the compiler in this process, the program's end would have to wait for it.
  if (!options().compile_ahead || !options().compiler_process || is_forked()) return;
  const std::shared_ptr<Executable> executable = kernel.executable();
  std::lock_guard lock(mutex_);
  ++num_launches_;
  std::erase_if(launched_, [](const Launched& each) { return each.executable.expired(); });
  const auto same = std::ranges::find_if(launched_, [&](const Launched& each) { return each.executable.lock() == executable; });
  if (same != launched_.end()) launched_.erase(same);
  launched_.push_back({executable, range});
  if (num_launches_ == 1) first_ = range;
  start(kernel.context());
}

/// Under the mutex.
void CodeAhead::start(_cl_context& context) {
  if (is_running_) return;
  try {
    run_ahead([this, kept = Ref<_cl_context>(&context)] {
      while (make_next(*kept)) {
      }
    });
    is_running_ = true;
  } catch (const std::bad_alloc&) {
  }
}

/// Makes code of one kernel: the first of the program that was launched last, or else the one that takes least. It is for the local size of the
/// last launch of its program, or else of the first launch of all. False if there is none to be made.
bool CodeAhead::make_next(_cl_context& context) {
  std::shared_ptr<Executable> kept;
  ExecutableKernel* kernel = nullptr;
  LaunchCode code;
  {
    std::lock_guard lock(mutex_);
    std::uint32_t least = 0;
    std::erase_if(candidates_, [&](const Candidate& candidate) {
      const std::shared_ptr<Executable> executable = candidate.executable.lock();
      if (!executable || candidate.kernel->has_entries()) return true;
      const auto same = std::ranges::find_if(launched_, [&](const Launched& each) { return each.executable.lock() == executable; });
      const bool is_last = !launched_.empty() && same == std::prev(launched_.end());
      const std::uint32_t rank = is_last ? 0 : 1 + candidate.kernel->info().instructions;
      LaunchCode asked;
      if ((kernel && rank >= least) || !find_code(candidate.kernel->info(), same == launched_.end() ? first_ : same->range, asked)) return false;
      least = rank;
      kept = executable;
      kernel = candidate.kernel;
      code = asked;
      return false;
    });
    std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.kernel == kernel; });
    if (!kernel || num_made_ >= kAtFirst + kForLaunch * num_launches_) {
      is_running_ = false;
      return false;
    }
    ++num_made_;
  }
  kernel->make_ahead(code, context);
  return true;
}

}  // namespace weft::runtime
