// More threads than processors, for parts that wait for each other.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "device/engine.h"
#include "device/stack.h"
#include "device/waiting.h"

namespace weft::device {
namespace {

constexpr std::chrono::milliseconds kLook{5};
/// So long no part is begun until more threads come.
constexpr std::uint64_t kStuckNs = 15'000'000;
/// Looks without a job that waits, after which the thread that looks goes.
constexpr unsigned kIdleLooks = 40;
/// Beside one job's workers. The largest GPUs have room for some four times as many groups.
constexpr unsigned kMostBeside = 1024;

}  // namespace

bool Job::hold_beside_others() {
  constexpr std::uint64_t kHolds = (std::uint64_t{1} << kHoldBits) - 1;
  std::uint64_t now = holds_and_busy_ns_.load(std::memory_order_relaxed);
  while ((now & kHolds) != 0)
    if (holds_and_busy_ns_.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return true;
  return false;
}

bool Engine::watch(Job& job) {
  job.unbegun_ = job.parts;
  job.stuck_since_ns_ = now_ns();
  const std::uint64_t most = job.parts - std::min<std::uint64_t>(job.parts, num_workers_);
  job.beside_ = job.wanted_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(job.beside->load(std::memory_order_relaxed), most));
  job.next_watched_ = std::exchange(watched_, &job);
  return !std::exchange(is_watched_, true);
}

void Engine::unwatch(Job& job) {
  Job** at = &watched_;
  while (*at && *at != &job) at = &(*at)->next_watched_;
  if (!*at) return;
  *at = job.next_watched_;
  if (job.beside_ > job.beside->load(std::memory_order_relaxed)) job.beside->store(job.beside_, std::memory_order_relaxed);
}

void Engine::start_watching() {
  try {
    std::thread([this] { watch_jobs(); }).detach();
  } catch (...) {
    std::lock_guard guard(lock_);
    is_watched_ = false;
  }
}

void Engine::start_beside(unsigned count) {
  try {
    for (; count > 0; --count) std::thread([this] { work_beside(); }).detach();
  } catch (...) {
    // Those that there are go on.
  }
}

void Engine::watch_jobs() {
  unsigned idle = 0;
  for (;;) {
    std::this_thread::sleep_for(kLook);
    unsigned start;
    {
      std::lock_guard guard(lock_);
      idle = watched_ ? 0 : idle + 1;
      if (idle > kIdleLooks) {
        is_watched_ = false;
        return;
      }
      start = look_at_jobs();
    }
    start_beside(start);
  }
}

// ---- Under the lock ----

template <class Visit>
void Engine::for_each_worker(Visit visit) {
  for (unsigned i = 0; i < num_workers_; ++i) visit(workers_[i]);
  for (Worker* worker = newest_made_; worker; worker = worker->next_made) visit(*worker);
}

/// Parts of a watched job that nobody has begun.
std::uint64_t Engine::unbegun(const Job& job) {
  std::uint64_t left = job.parts - std::min(job.next_part_.load(std::memory_order_relaxed), job.parts);
  for_each_worker([&](const Worker& worker) { left += worker.taken.left(job); });
  return left;
}

/// Threads that are to be started.
unsigned Engine::look_at_jobs() {
  unsigned start = 0;
  const std::uint64_t now = now_ns();
  for (Job* job = watched_; job && !is_stopped(); job = job->next_watched_) {
    const std::uint64_t left = unbegun(*job);
    if (left != job->unbegun_ || left == 0) {
      job->unbegun_ = left;
      job->stuck_since_ns_ = now;
    }
    if (now - job->stuck_since_ns_ < kStuckNs) continue;
    job->stuck_since_ns_ = now;
    const std::uint64_t most = std::min<std::uint64_t>(left, kMostBeside - std::min(job->beside_, kMostBeside));
    const auto more = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, std::max(job->beside_, num_workers_)));
    job->beside_ += more;
    job->wanted_ = more;
    start += more;
  }
  return start;
}

// ---- Without it ----

/// The last of the parts that another worker has taken and not begun.
std::optional<std::uint64_t> Engine::take_unbegun(const Job& job) {
  std::lock_guard guard(lock_);
  std::optional<std::uint64_t> found;
  for_each_worker([&](Worker& worker) {
    if (!found) found = worker.taken.take_last(job);
  });
  return found;
}

void Engine::run_one_by_one(Job& job, Worker& worker, std::uint64_t first, std::uint64_t count) {
  worker.taken.put(job, first, first + count);
  while (const auto part = worker.taken.begin()) job.kind->run(job, worker, *part, 1);
}

/// A thread beside the workers: runs parts of one job until none is left.
void Engine::work_beside() {
  Job* job;
  Worker* worker;
  {
    std::lock_guard guard(lock_);
    job = watched_;
    while (job && !(job->wanted_ > 0 && unbegun(*job) > 0)) job = job->next_watched_;
    if (!job || stack_left() < kOwnStackBytes + job->stack_bytes) return;
    worker = take_spare_worker();
    if (!worker) return;
    if (!job->hold_beside_others()) return give_back(*worker);
    --job->wanted_;
  }
  worker->is_beside = true;
  {
    const Crowd crowd;
    run(*job, nullptr, *worker);
  }
  worker->is_beside = false;
  unsigned start = 0;
  {
    std::lock_guard guard(lock_);
    give_back(*worker);
    // What the job's end has made ready counts on this thread to look.
    if (head_) start = staff(*head_, 1, 1);
  }
  start_threads(start);
}

}  // namespace weft::device
