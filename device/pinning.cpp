#include "device/pinning.h"

#include <sched.h>

#include <utility>

namespace weft::device {
namespace {

/// Calls `f(set, bytes)` with a set large enough for all processors that the kernel may name.
template <class F>
bool with_set(F f) {
  for (int count = CPU_SETSIZE; count <= 1 << 20; count *= 4) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(count));
    if (!set) return false;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    CPU_ZERO_S(bytes, set);
    const bool done = f(set, bytes, count);
    CPU_FREE(set);
    if (done) return true;
  }
  return false;
}

/// Binds the calling thread to some of the processors.
void run_on(const std::vector<int>& processors) {
  with_set([&](cpu_set_t* set, std::size_t bytes, int count) {
    if (processors.back() >= count) return false;
    for (const int each : processors) CPU_SET_S(static_cast<std::size_t>(each), bytes, set);
    sched_setaffinity(0, bytes, set);
    return true;
  });
}

}  // namespace

std::vector<int> allowed_processors() {
  std::vector<int> processors;
  with_set([&](cpu_set_t* set, std::size_t bytes, int count) {
    if (sched_getaffinity(0, bytes, set) != 0) return false;
    for (int i = 0; i < count; ++i) {
      if (CPU_ISSET_S(static_cast<std::size_t>(i), bytes, set)) processors.push_back(i);
    }
    return true;
  });
  return processors;
}

Pinning::Pinning(tbb::task_arena& arena, std::vector<int> processors, bool each_on_one)
    : task_scheduler_observer(arena),
      before_(allowed_processors()),
      processors_(processors.empty() ? before_ : std::move(processors)),
      each_on_one_(each_on_one) {
  if (!before_.empty()) observe(true);
}

void Pinning::on_scheduler_entry(bool is_worker) {
  const int place = tbb::this_task_arena::current_thread_index();
  if (!is_worker || place < 0) return;
  if (each_on_one_)
    run_on({processors_[static_cast<std::size_t>(place) % processors_.size()]});
  else
    run_on(processors_);
}

void Pinning::on_scheduler_exit(bool is_worker) {
  if (is_worker) run_on(before_);
}

}  // namespace weft::device
