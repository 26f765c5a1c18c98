#include "device/engine.h"

#include <sched.h>
#include <xmmintrin.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "device/pinning.h"

namespace weft::device {
namespace {

/// A job shorter than this is over before a sleeping worker has come.
constexpr float kWakeNs = 20'000;
/// A worker looks at the clock, and at who else waits, at least this often (but for the length of a part).
constexpr float kMaxChunkNs = 100'000;
/// The counter is not worth touching for less.
constexpr float kMinChunkNs = 2'000;
/// After this long a worker looks around: at the other jobs, and for what an API thread waits.
constexpr std::uint64_t kSliceNs = 200'000;
/// Longest part of another's job that a thread takes while it waits for its own.
constexpr float kForeignPartNs = 100'000;
/// A slice begins with this part of a chunk.
constexpr std::uint64_t kTrialShare = 16;
/// An idle thread looks for work this long before it goes back to oneTBB.
constexpr std::uint64_t kIdleSpinNs = 20'000;

/// Kernels run with the default rounding, denormals kept and no traps, whatever the host program has set.
class FloatEnvironment {
 public:
  FloatEnvironment() : saved_(_mm_getcsr()) {
    if (saved_ != kDefault) _mm_setcsr(kDefault);
  }
  ~FloatEnvironment() { _mm_setcsr(saved_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  static constexpr unsigned kDefault = 0x1f80;
  unsigned saved_;
};

/// Parts to take at once: a share of what is left, so that the workers end together, but neither so few that
/// the counter costs nor so many that the clock goes unseen.
std::uint64_t chunk_size(std::uint64_t left, std::uint32_t width, float part_ns) {
  if (part_ns <= 0) return 1;
  const float most = std::min(kMaxChunkNs / part_ns, 1e9f);
  const float least = std::min(kMinChunkNs / part_ns, 1e9f);
  const std::uint64_t share = width > 1 ? left / (2 * width) : left;
  const std::uint64_t low = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least));
  const std::uint64_t high = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most));
  return std::min(left, std::clamp(share, low, std::max(low, high)));
}

}  // namespace

struct Engine::Threads {
  Threads(unsigned count, bool pin)
      // oneTBB counts the API's thread in; ours is not always there to help.
      : limit(tbb::global_control::max_allowed_parallelism, count + 1),
        arena(static_cast<int>(count), /*reserved_for_masters=*/0) {
    if (pin) pinning.emplace(arena);
  }
  tbb::global_control limit;
  tbb::task_arena arena;
  std::optional<Pinning> pinning;
};

Engine::Engine(unsigned num_workers, bool pin)
    : num_workers_(num_workers), pin_(pin), workers_(new Worker[num_workers]) {
  for (unsigned i = num_workers; i-- > 0;) {
    workers_[i].next_free = free_workers_;
    free_workers_ = &workers_[i];
  }
}

void Engine::append(Job& job) {
  job.listed_ = true;
  job.previous_ = tail_;
  job.next_ = nullptr;
  (tail_ ? tail_->next_ : head_) = &job;
  tail_ = &job;
  ready_.store(ready_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void Engine::unlink(Job& job) {
  (job.previous_ ? job.previous_->next_ : head_) = job.next_;
  (job.next_ ? job.next_->previous_ : tail_) = job.previous_;
  job.listed_ = false;
  ready_.store(ready_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
}

/// Under the lock: how many threads to start so that `wanted` more are at work.
unsigned Engine::claim_threads(unsigned wanted) {
  const unsigned present = threads_ + helpers_;
  if (present >= num_workers_ || is_stopped()) return 0;
  const unsigned count = std::min(wanted, num_workers_ - present);
  threads_ += count;
  return count;
}

void Engine::start_threads(unsigned count) {
  if (count == 0) return;
  Threads* pool = pool_.load(std::memory_order_acquire);
  if (!pool) {
    std::call_once(threads_made_,
                   [this] { pool_.store(new Threads(num_workers_, pin_), std::memory_order_release); });
    pool = pool_.load(std::memory_order_acquire);
  }
  for (unsigned i = 0; i < count; ++i) pool->arena.enqueue([this] { work(); });
}

void Engine::submit(Job& job, Wake wake) {
  const float expected_ns = job.part_ns * static_cast<float>(job.parts);
  const bool is_short = job.part_ns > 0 && expected_ns < kWakeNs;
  const std::uint64_t most = std::min<std::uint64_t>(job.parts, num_workers_);
  job.width_.store(is_short ? 1 : static_cast<std::uint32_t>(most), std::memory_order_relaxed);
  unsigned start = 0;
  {
    std::lock_guard guard(lock_);
    append(job);
    const unsigned wanted = is_short ? 1 : static_cast<unsigned>(most);
    start = claim_threads(wake == Wake::kCaller ? wanted - 1 : wanted);
  }
  start_threads(start);
}

/// A job that was taken for short has proved long.
void Engine::open_to_all(Job& job) {
  const std::uint32_t width = static_cast<std::uint32_t>(std::min<std::uint64_t>(job.parts, num_workers_));
  if (width == 1) return;
  unsigned start = 0;
  {
    std::lock_guard guard(lock_);
    if (job.width_.load(std::memory_order_relaxed) >= width) return;
    job.width_.store(width, std::memory_order_relaxed);
    if (!job.listed_) append(job);
    start = claim_threads(width - 1);
  }
  start_threads(start);
}

/// Under the lock: the first ready job; with an owner given, the first that a thread waiting for it takes.
Job* Engine::choose(const void* const* only_owner) const {
  Job* job = head_;
  if (!only_owner) return job;
  while (job && job->owner != *only_owner && !(job->part_ns > 0 && job->part_ns < kForeignPartNs))
    job = job->next_;
  return job;
}

/// Runs one slice of a ready job. False if there is none, or no worker free for it.
bool Engine::run_one(const void* const* only_owner) {
  if (!has_ready()) return false;
  Job* job;
  Worker* worker;
  bool first;
  unsigned start = 0;
  {
    std::lock_guard guard(lock_);
    job = choose(only_owner);
    worker = free_workers_;
    if (!job || !worker) return false;
    free_workers_ = worker->next_free;
    ++busy_;
    unlink(*job);
    first = !job->begun_;
    job->begun_ = true;
    // At the tail again: the workers spread over the jobs.
    if (++job->workers_ < job->width_.load(std::memory_order_relaxed) && !job->exhausted()) append(*job);
    // A job that was left to its submitter and is not the one that it runs now.
    if (head_ && head_ != job && free_workers_) start = claim_threads(1);
  }
  start_threads(start);
  if (first) job->kind->begin(*job);
  run_slice(*job, *worker);
  return true;
}

void Engine::run_slice(Job& job, Worker& worker) {
  std::uint64_t parts_run = 0;
  const std::uint64_t began = now_ns();
  std::uint64_t now = began;
  {
    const FloatEnvironment environment;
    float part_ns = job.part_ns;
    std::uint64_t first = job.next_part_.load(std::memory_order_relaxed);
    while (first < job.parts) {
      const std::uint32_t width = job.width_.load(std::memory_order_relaxed);
      std::uint64_t count = chunk_size(job.parts - first, width, part_ns);
      // An estimate is of another launch: try it on a few parts before relying on it.
      if (parts_run == 0 && count > kTrialShare) count /= kTrialShare;
      if (!job.next_part_.compare_exchange_weak(first, first + count, std::memory_order_relaxed)) continue;
      job.kind->run(job, worker, first, count);
      now = now_ns();
      parts_run += count;
      part_ns = std::max(0.5f, static_cast<float>(now - began) / static_cast<float>(parts_run));
      first = job.next_part_.load(std::memory_order_relaxed);
      if (first >= job.parts) break;
      if (width == 1 && static_cast<float>(job.parts - first) * part_ns > kWakeNs) open_to_all(job);
      if (now - began > kSliceNs || is_stopped()) break;
    }
  }
  leave(job, worker, now - began, parts_run);
}

/// Gives job and worker back; ends the job if that was the last of it.
void Engine::leave(Job& job, Worker& worker, std::uint64_t busy_ns, std::uint64_t parts_run) {
  bool ended;
  {
    std::lock_guard guard(lock_);
    worker.next_free = free_workers_;
    free_workers_ = &worker;
    --busy_;
    job.busy_ns_ += busy_ns;
    job.parts_run_ += parts_run;
    --job.workers_;
    const bool exhausted = job.exhausted();
    ended = exhausted && job.workers_ == 0;
    if (exhausted && job.listed_) unlink(job);
    if (!exhausted && !job.listed_) append(job);
  }
  if (ended) {
    const float part_ns =
        job.parts_run_ ? static_cast<float>(job.busy_ns_) / static_cast<float>(job.parts_run_) : 0;
    job.kind->end(job, part_ns);
  }
}

/// A thread of oneTBB: runs jobs until there are none.
void Engine::work() {
  std::uint64_t idle_since = 0;
  for (;;) {
    if (!is_stopped() && run_one(nullptr)) {
      idle_since = 0;
      continue;
    }
    const std::uint64_t now = now_ns();
    if (idle_since == 0) idle_since = now;
    if (now - idle_since < kIdleSpinNs && !is_stopped()) {
      for (int i = 0; i < 16 && !has_ready(); ++i) _mm_pause();
      continue;
    }
    std::lock_guard guard(lock_);
    // Whoever submits now claims this thread's place anew. With no worker free, those who have them go on.
    if (head_ && free_workers_ && !is_stopped()) continue;
    --threads_;
    return;
  }
}

void Engine::stop() noexcept {
  stopped_.store(true);
  for (const std::uint64_t until = now_ns() + 1'000'000'000; now_ns() < until; sched_yield()) {
    std::lock_guard guard(lock_);
    if (busy_ == 0) return;
  }
}

Engine::Helper::Helper(Engine& owner) : engine(owner) {
  std::lock_guard guard(engine.lock_);
  ++engine.helpers_;
}

Engine::Helper::~Helper() {
  unsigned start = 0;
  {
    std::lock_guard guard(engine.lock_);
    --engine.helpers_;
    // What is still ready would wait for the next submission.
    if (engine.head_) start = engine.claim_threads(1);
  }
  engine.start_threads(start);
}

}  // namespace weft::device
