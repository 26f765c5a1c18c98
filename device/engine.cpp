#include "device/engine.h"

#include <sched.h>
#include <xmmintrin.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include <oneapi/tbb/task_arena.h>

#include "device/pinning.h"
#include "device/stack.h"
#include "device/thread_limit.h"

namespace weft::device {
namespace {

/// A job shorter than this is over before a sleeping worker has come.
constexpr float kWakeNs = 20'000;
/// A worker looks at the clock, and at who else waits, at least this often (but for the length of a part).
constexpr float kMaxChunkNs = 100'000;
/// The counter is not worth touching for less; it passes from worker to worker, in this time for each.
constexpr float kMinChunkNs = 2'000;
constexpr float kCounterNs = 200;
/// A chunk is this share of what each worker has still to do: one with half of its processor ends with the others.
constexpr std::uint64_t kShares = 4;
/// After this long a worker looks around: at the other jobs, and for what an API thread waits.
constexpr std::uint64_t kSliceNs = 200'000;
/// If no API thread has come by then, the place that was left for it goes to an idle thread, or to one that is woken.
constexpr std::uint64_t kReserveNs = 5'000;
constexpr std::uint64_t kFillNs = 20'000;
/// Longest part of another's job that a thread takes while it waits for its own.
constexpr float kForeignPartNs = 100'000;
/// A slice begins with this part of a chunk.
constexpr std::uint64_t kTrialShare = 16;
/// Of jobs of one part that are expected to take less, one in so many is measured, on average: two looks at the clock take as long as
/// a fifth of an empty launch, and nothing but the next estimate follows from them.
constexpr float kUnmeasuredNs = 1'000;
constexpr unsigned kMeasureEvery = 8;
/// An idle thread looks for work this long before it goes back to oneTBB.
constexpr std::uint64_t kIdleSpinNs = 20'000;

/// The calling thread's, if it is one of the engine's.
constinit thread_local Worker* own_worker = nullptr;

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

/// Parts to take at once: a share of what is `expected` to be left, so that the workers end together, but neither so
/// few that the counter costs nor so many that the clock goes unseen; at most `left`.
std::uint64_t chunk_size(std::uint64_t left, std::uint64_t expected, std::uint32_t width, float part_ns) {
  if (part_ns <= 0) return 1;
  const float most = std::min(kMaxChunkNs / part_ns, 1e9f);
  const float least = std::min(std::max(kMinChunkNs, kCounterNs * static_cast<float>(width)) / part_ns, 1e9f);
  const std::uint64_t share = width > 1 ? expected / (kShares * width) : left;
  const std::uint64_t low = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least));
  const std::uint64_t high = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most));
  return std::min(left, std::clamp(share, low, std::max(low, high)));
}

/// The same of a share that is mostly the caller's own, of which `left` parts are left.
std::uint64_t chunk_of_share(std::uint64_t left, float part_ns) {
  const float most = std::min(kMaxChunkNs / part_ns, 1e9f), least = std::min(kMinChunkNs / part_ns, 1e9f);
  const std::uint64_t low = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least));
  return std::clamp(left / kShares, low, std::max(low, static_cast<std::uint64_t>(most)));
}

/// Processors, by their number: the how-manieth each is of those that the process may use, or of `processors` if there are any.
std::vector<unsigned> number_processors(std::vector<int> processors) {
  if (processors.empty()) {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
      for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  }
  std::ranges::sort(processors);
  std::vector<unsigned> places;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    places.resize(static_cast<std::size_t>(processors[i]) + 1);
    places.back() = static_cast<unsigned>(i);
  }
  return places;
}

/// Whether the caller should look how long a job takes: of short ones some tell enough.
bool is_to_be_measured(const Job& job, Worker& worker) {
  if (job.wants_time || job.parts > 1 || job.part_ns <= 0 || job.part_ns > kUnmeasuredNs) return true;
  worker.random = worker.random * 1664525 + 1013904223;  // by chance: kernels of a program may take turns of any length
  return worker.random <= UINT32_MAX / kMeasureEvery;
}

}  // namespace

struct Engine::Threads {
  Threads(unsigned count, bool pin, const std::vector<int>& processors)
      : arena(static_cast<int>(count), /*reserved_for_masters=*/0) {
    allow_threads(count);
    if (pin || !processors.empty()) pinning.emplace(arena, processors, pin);
  }
  tbb::task_arena arena;
  std::optional<Pinning> pinning;
};

Engine::Engine(unsigned num_workers, bool pin, std::vector<int> processors)
    : num_workers_(num_workers),
      pin_(pin),
      processors_(std::move(processors)),
      places_(number_processors(processors_)),
      workers_(new Worker[num_workers]) {
  for (unsigned i = num_workers; i-- > 0;) {
    workers_[i].next = free_workers_;
    free_workers_ = &workers_[i];
  }
}

/// Of this engine's threads: a thread of another's may end a job that those here wait for.
bool Engine::is_own(const Worker* worker) const {
  return std::less_equal<>()(workers_.get(), worker) && std::less<>()(worker, workers_.get() + num_workers_);
}

// ---- Under the lock ----

/// Behind those of its priority.
void Engine::append(Job& job) {
  Job* before = tail_;
  while (before && before->priority < job.priority) before = before->previous_;
  Job* const after = before ? before->next_ : head_;
  job.previous_ = before;
  job.next_ = after;
  (before ? before->next_ : head_) = &job;
  (after ? after->previous_ : tail_) = &job;
  ready_.store(ready_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  job.listed_.store(true, std::memory_order_relaxed);
}

void Engine::unlink(Job& job) {
  (job.previous_ ? job.previous_->next_ : head_) = job.next_;
  (job.next_ ? job.next_->previous_ : tail_) = job.previous_;
  ready_.store(ready_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  job.listed_.store(false, std::memory_order_relaxed);
}

/// Back to the list, if there is something left of the job. The caller has a hold of its own.
void Engine::put_back(Job& job) {
  if (job.listed_.load(std::memory_order_relaxed) || job.exhausted()) return;
  job.hold();
  append(job);
  job.listed_.store(true, std::memory_order_seq_cst);  // see `run`
}

/// Gives a listed job one worker more. Whether it may have yet another: it stays in the list.
bool Engine::join(Job& job) {
  // The list's hold becomes the worker's if the job is full now.
  const bool is_full = job.holds() >= job.width_.load(std::memory_order_relaxed);
  if (is_full || head_ != tail_) unlink(job);
  if (is_full) return false;
  job.hold();
  if (!job.listed_.load(std::memory_order_relaxed)) append(job);  // at the tail: the workers spread over the jobs
  return true;
}

/// The first ready job that a thread takes which waits for `owner` and has so much of its stack left.
Job* Engine::choose(const void* owner, std::size_t stack_bytes) const {
  const bool takes_all = alone_ || is_stopped();  // there are no others
  Job* job = head_;
  while (job && ((job->owner != owner && !(job->part_ns > 0 && job->part_ns < kForeignPartNs)) ||
                 (stack_bytes < kOwnStackBytes + job->stack_bytes && !takes_all)))
    job = job->next_;
  return job;
}

Worker* Engine::find_idle() const {
  for (unsigned i = 0; i < num_workers_; ++i)
    if (workers_[i].state.load(std::memory_order_relaxed) == Worker::State::kIdle) return &workers_[i];
  return nullptr;
}

/// Gives a listed job up to `give` idle threads. How many the caller has to start so that with those that are there
/// it comes to `want`.
unsigned Engine::staff(Job& job, unsigned give, unsigned want) {
  if (want == 0 || is_stopped()) return 0;
  // Threads that are about to look at the list: promised ones too. Not the calling one, whose look `want` leaves out.
  unsigned looking = threads_;
  if (is_own(own_worker) && own_worker->state.load(std::memory_order_relaxed) == Worker::State::kLooking) --looking;
  if (arrived_ > 0) {
    unsigned idle = 0;
    for (unsigned i = 0; i < num_workers_; ++i) {
      Worker& worker = workers_[i];
      const Worker::State state = worker.state.load(std::memory_order_acquire);
      if (state == Worker::State::kBusy) --looking;
      if (state != Worker::State::kIdle) continue;
      --looking;
      if (give == 0) {
        ++idle;
        continue;
      }
      --give;
      --want;
      const bool has_room = join(job);
      worker.job = &job;
      worker.state.store(Worker::State::kBusy, std::memory_order_release);
      if (!has_room) return 0;  // and the job may be over
    }
    looking += idle;  // those take what is left for nobody else after a while
  }
  const unsigned present = threads_ + helpers_;
  if (want <= looking || present >= num_workers_) return 0;
  const unsigned count = std::min(want - looking, num_workers_ - present);
  threads_ += count;
  return count;
}

/// The next ready job for a thread of the engine's, or null. `start`: threads that the caller has to start.
Job* Engine::take(Worker& worker, unsigned& start) {
  Job* const job = head_;
  if (!job) return nullptr;
  join(*job);
  worker.job = job;
  worker.state.store(Worker::State::kBusy, std::memory_order_seq_cst);  // see `stop`
  // A job that was left to its submitter and is not the one that it runs now.
  if (head_ && head_ != job) start = staff(*head_, 1, 1);
  return job;
}

/// For a thread that is not one of the engine's; null: no memory.
Worker* Engine::take_spare_worker() {
  Worker* worker = spare_workers_;
  if (worker)
    spare_workers_ = worker->next;
  else if ((worker = new (std::nothrow) Worker))
    worker->next_made = std::exchange(newest_made_, worker);
  return worker;
}

/// Whether there is a processor for an API thread that helps: an idle thread makes room.
bool Engine::may_help() {
  if (arrived_ + helping_ < num_workers_) return true;
  Worker* const idle = find_idle();
  if (!idle) return false;
  --arrived_;
  --threads_;
  idle->state.store(Worker::State::kLost, std::memory_order_relaxed);
  return true;
}

/// If there is no memory, the job goes without.
void Engine::deal_shares(Job& job) {
  if (free_shares_) {
    job.shares_ = std::move(free_shares_);
    free_shares_ = std::move(job.shares_->next_free);
  } else {
    job.shares_ = Shares::make(num_workers_);
  }
  if (job.shares_) job.shares_->deal(job.parts);
}

void Engine::take_back_shares(Job& job) {
  job.shares_->next_free = std::move(free_shares_);
  free_shares_ = std::move(job.shares_);
}

// ---- Jobs ----

void Engine::submit(Job& job, Wake wake) {
  const float expected_ns = job.part_ns * static_cast<float>(job.parts);
  const bool is_short = !job.beside && job.part_ns > 0 && expected_ns < kWakeNs;
  const unsigned most = static_cast<unsigned>(std::min<std::uint64_t>(job.parts, num_workers_));
  const unsigned width = is_short ? 1 : most;
  job.width_.store(width, std::memory_order_relaxed);
  // One place is the caller's. If it need not come, there must be another at least; and where parts are long, it
  // takes long until one of the others sees that it did not.
  const unsigned others = std::max(width - 1, wake == Wake::kCaller ? 0u : 1u);
  const bool is_long = job.part_ns <= 0 || job.part_ns > static_cast<float>(kFillNs);
  unsigned start = 0;
  bool starts_watching = false;
  unsigned beside = 0;
  {
    std::lock_guard guard(lock_);
    job.holds_and_busy_ns_.store(1, std::memory_order_relaxed);
    if (job.beside && job.parts > 1) {
      starts_watching = watch(job);
      beside = job.beside_;
    }
    if (job.in_any_order && width > 1 && width == num_workers_ && job.part_ns > 0) deal_shares(job);
    append(job);
    // A thread that goes idle says so and then looks at `ready_`; this is written first and then looked who is idle.
    if (others > 0) ready_.store(ready_.load(std::memory_order_relaxed), std::memory_order_seq_cst);
    start = staff(job, others, is_long && wake == Wake::kWorkers ? width : others);
  }
  start_threads(start);
  if (starts_watching) start_watching();
  start_beside(beside);
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
    put_back(job);
    if (job.listed_.load(std::memory_order_relaxed)) start = staff(job, width - 1, width - 1);
  }
  start_threads(start);
}

/// The submitter has not come to take its place.
void Engine::fill(Job& job) {
  unsigned start = 0;
  {
    std::lock_guard guard(lock_);
    if (job.listed_.load(std::memory_order_relaxed) && !job.exhausted()) start = staff(job, 1, 1);
  }
  start_threads(start);
}

/// Whether another job than the one that the caller runs waits for workers.
bool Engine::is_foreign_ready(const Job& job) const {
  return ready_.load(std::memory_order_relaxed) > (job.listed_.load(std::memory_order_relaxed) ? 1u : 0u);
}

/// The share that the caller's processor begins with. Threads move between processors, seldom enough.
unsigned Engine::place_of_processor() const {
  const int processor = sched_getcpu();
  return processor >= 0 && static_cast<std::size_t>(processor) < places_.size() ? places_[static_cast<std::size_t>(processor)] : 0;
}

/// Runs parts of a job until none is left, or until it is time for others. The time since `began`.
std::uint64_t Engine::take_parts(Job& job, Worker& worker, bool helps, std::uint64_t began) {
  const FloatEnvironment environment;
  std::uint64_t now = began, slice = began, parts_run = 0;
  bool is_filled = helps;
  float part_ns = job.part_ns;
  const std::uint64_t begun = job.next_part_.load(std::memory_order_relaxed);
  std::uint64_t left = job.parts - std::min(begun, job.parts), expected = left;
  unsigned place = job.shares_ ? place_of_processor() : 0;
  const auto together = [&](std::uint64_t count, std::uint64_t own) { return std::max(count, std::min<std::uint64_t>(job.together, own)); };
  // An estimate is of another launch: try it on a few parts before relying on it.
  const auto at_first = [&](std::uint64_t count) { return parts_run == 0 && count > kTrialShare ? count / kTrialShare : count; };
  // Threads beside the workers look for parts until they find none.
  while ((left > 0 || worker.is_beside) && ((helps && !worker.is_beside) || !is_stopped())) {
    const std::uint32_t width = job.width_.load(std::memory_order_relaxed);
    std::uint64_t first, count;
    if (job.shares_) {
      const auto size = [&](std::uint64_t left_of_share) { return together(at_first(chunk_of_share(left_of_share, part_ns)), left_of_share); };
      const Shares::Range taken = job.shares_->take(place, size);
      if (taken.count == 0) break;
      first = taken.first;
      count = taken.count;
    } else {
      count = together(at_first(chunk_size(left, expected, width, part_ns)), (job.parts + width - 1) / width);
      if (job.beside && (worker.is_beside || job.parts >= TakenParts::kMostParts)) count = 1;
      first = job.next_part_.fetch_add(count, std::memory_order_seq_cst);
      if (first >= job.parts) {
        const auto taken = worker.is_beside ? take_unbegun(job) : std::nullopt;
        if (!taken) break;
        first = *taken;
      }
      count = std::min(count, job.parts - first);
    }
    if (job.beside && count > 1)
      run_one_by_one(job, worker, first, count);
    else
      job.kind->run(job, worker, first, count);
    now = now_ns();
    parts_run += count;
    part_ns = std::max(0.5f, static_cast<float>(now - began) / static_cast<float>(parts_run));
    // That the others took as much meanwhile is a guess: to read the counter before adding to it would have it pass
    // between the processors twice.
    if (!job.shares_) {
      left = job.parts - first - count;
      expected = left - std::min(left, count * (width - 1));
    }
    if (width == 1 && static_cast<float>(left) * part_ns > kWakeNs && !job.exhausted()) open_to_all(job);
    if (!is_filled && now - began > kFillNs) {
      is_filled = true;
      if (job.listed_.load(std::memory_order_relaxed)) fill(job);
    }
    if (now - slice > kSliceNs) {
      if (!worker.is_beside && (helps || is_foreign_ready(job))) break;
      slice = now;
    }
  }
  return now - began;
}

/// Where there is nobody to share with, as in `take_parts` without measuring.
void Engine::take_only_part(Job& job, Worker& worker) {
  const FloatEnvironment environment;
  if (job.next_part_.fetch_add(1, std::memory_order_seq_cst) == 0) job.kind->run(job, worker, 0, 1);
}

/// Runs a slice of a job that the caller has a hold of, and gives the hold back. Ends the job if that was its last.
/// `place`: of a thread of the engine's.
void Engine::run(Job& job, Worker* place, Worker& worker) {
  // Before others can find the job begun and run parts: this thread may lose its processor at any point.
  const bool measures = is_to_be_measured(job, worker);
  const std::uint64_t now = measures ? now_ns() : 0;
  if (!job.begun_.load(std::memory_order_relaxed) &&
      (job.width_.load(std::memory_order_relaxed) == 1 || !job.begun_.exchange(true, std::memory_order_relaxed))) {
    job.begun_.store(true, std::memory_order_relaxed);
    job.kind->begin(job, now);
  }
  std::uint64_t busy_ns = 0;
  if (measures)
    busy_ns = take_parts(job, worker, !place, now);
  else
    take_only_part(job, worker);
  if (!job.exhausted()) {
    std::lock_guard guard(lock_);
    put_back(job);
  }
  // Whoever takes the last part finds the job in the list here, or whoever put it there finds that it was the last:
  // both look after they have written.
  if (job.exhausted() && job.listed_.load(std::memory_order_seq_cst)) {
    std::lock_guard guard(lock_);
    if (job.listed_.load(std::memory_order_relaxed)) {
      unlink(job);
      job.holds_and_busy_ns_.fetch_sub(1, std::memory_order_relaxed);
    }
  }
  // What ends next is looked for by this thread afterwards: the end may submit more.
  if (place) place->state.store(Worker::State::kLooking, std::memory_order_relaxed);
  const std::uint64_t before =
      job.holds_and_busy_ns_.fetch_add((busy_ns << Job::kHoldBits) - 1, std::memory_order_acq_rel);
  if (before % (std::uint64_t{1} << Job::kHoldBits) != 1) return;
  const std::uint64_t total_ns = (before >> Job::kHoldBits) + busy_ns;
  if (job.shares_ || job.beside) {
    std::lock_guard guard(lock_);
    if (job.shares_) take_back_shares(job);
    if (job.beside) unwatch(job);
  }
  // See `before_fork`. Whoever hears of the job's end has seen this written.
  worker.ender.store(std::this_thread::get_id(), std::memory_order_relaxed);
  job.kind->end(job, static_cast<float>(total_ns) / static_cast<float>(job.parts));
  worker.ender.store(std::thread::id(), std::memory_order_release);
}

// ---- Threads ----

void Engine::start_threads(unsigned count) {
  if (count == 0) return;
  Threads* pool = pool_.load(std::memory_order_acquire);
  if (!pool) {
    std::call_once(threads_made_,
                   [this] { pool_.store(new Threads(num_workers_, pin_, processors_), std::memory_order_release); });
    pool = pool_.load(std::memory_order_acquire);
  }
  for (unsigned i = 0; i < count; ++i) pool->arena.enqueue([this] { work(); });
}

/// A thread of oneTBB: runs jobs until there are none for a while.
void Engine::work() {
  Worker* worker;
  {
    std::lock_guard guard(lock_);
    worker = free_workers_;
    // API threads may have come to help meanwhile, or threads that have to go have not gone yet.
    if (arrived_ + helping_ >= num_workers_ || !worker) {
      --threads_;
      return;
    }
    ++arrived_;
    free_workers_ = worker->next;
    worker->state.store(Worker::State::kLooking, std::memory_order_relaxed);
  }
  own_worker = worker;
  while (wait_for_job(*worker)) run(*worker->job, worker, *worker);
  own_worker = nullptr;  // the thread may be the application's next
}

/// Waits until the worker has a job. False, and the worker given back, if its thread should go back to oneTBB.
bool Engine::wait_for_job(Worker& worker) {
  using State = Worker::State;
  const std::uint64_t began = now_ns();
  std::uint64_t ready_since = began;
  bool looks = ready_.load(std::memory_order_relaxed) != 0;
  if (!looks) {
    worker.state.store(State::kIdle, std::memory_order_seq_cst);  // see `submit`
    looks = ready_.load(std::memory_order_seq_cst) != 0;
  }
  for (;;) {
    for (int i = 0; i < 16 && !looks; ++i) {
      const State state = worker.state.load(std::memory_order_acquire);
      if (state == State::kBusy) return true;
      looks = state == State::kLost;
      _mm_pause();
    }
    const std::uint64_t now = now_ns();
    if (ready_.load(std::memory_order_relaxed) == 0) ready_since = now;
    if (!looks && now - ready_since < kReserveNs && now - began < kIdleSpinNs && !is_stopped()) continue;
    unsigned start = 0;
    {
      std::lock_guard guard(lock_);
      const State state = worker.state.load(std::memory_order_relaxed);
      if (state == State::kBusy) return true;
      if (state == State::kLost || is_stopped() || !take(worker, start)) {
        if (state != State::kLost && now - began < kIdleSpinNs && !is_stopped()) {  // another was faster
          looks = false;
          if (state == State::kLooking) worker.state.store(State::kIdle, std::memory_order_relaxed);
          continue;
        }
        // Whoever submits now claims this thread's place anew.
        if (state != State::kLost) {
          --arrived_;
          --threads_;
        }
        worker.state.store(State::kFree, std::memory_order_relaxed);
        worker.next = free_workers_;
        free_workers_ = &worker;
        return false;
      }
    }
    start_threads(start);
    return true;
  }
}

Engine::Helper::Helper(Engine& engine, const void* owner) : engine_(engine), owner_(owner) {
  std::lock_guard guard(engine_.lock_);
  ++engine_.helpers_;
}

Engine::Helper::~Helper() {
  unsigned start = 0;
  {
    std::lock_guard guard(engine_.lock_);
    --engine_.helpers_;
    if (worker_) {
      --engine_.helping_;
      engine_.give_back(*worker_);
    }
    // What is still ready would wait for the next submission.
    if (engine_.head_) start = engine_.staff(*engine_.head_, 1, 1);
  }
  engine_.start_threads(start);
}

/// Runs one slice of a ready job. False if there is none, or no processor free for it.
bool Engine::Helper::run_one() {
  if (engine_.ready_.load(std::memory_order_relaxed) == 0) return false;
  const std::size_t stack_bytes = stack_left();
  Job* job;
  unsigned start = 0;
  {
    std::lock_guard guard(engine_.lock_);
    job = engine_.choose(owner_, stack_bytes);
    if (!job || (!worker_ && !engine_.may_help())) return false;
    if (!worker_) {
      worker_ = engine_.take_spare_worker();
      if (!worker_) return false;
      ++engine_.helping_;
    }
    engine_.join(*job);
    if (engine_.head_ && engine_.head_ != job) start = engine_.staff(*engine_.head_, 1, 1);
  }
  engine_.start_threads(start);
  engine_.run(*job, nullptr, *worker_);
  return true;
}

}  // namespace weft::device
