// The engine: N workers, the device's multiprocessors, share the ready jobs.
//
// oneTBB gives the threads; what they do next is decided here, because a device needs what a task pool does
// not promise: jobs of different queues advance side by side, a worker that meets no job costs nothing, and
// the API thread that waits for a job may run it itself.
//
// A job is a range of parts (work-groups, blocks of a copy). A worker takes chunks of it by adding to a counter, of the
// job or of a share of it that its processor begins with (shares.h); the chunk's size follows the measured time of a
// part, so that tiny groups cost little and the last chunk is short. A job starts on one worker if it is estimated to be
// over before another would have woken, and is opened to all when it proves longer.
//
// Idle threads wait each at a place of its own, its worker, where whoever has a job for them puts it, and go idle
// without a lock: sixteen that took turns at one would do so for longer than a short job runs. One place of a
// job's width is left for the thread that submitted it, which mostly waits for it next.
//
// Parts of some jobs wait for each other, as the groups of programs that have as many of them as a GPU has room for. On as many threads as
// processors those that have begun would wait for ever for those that have not. So where such a job begins no part for a while, though
// some are left, threads beside the workers begin them, more and more until all have begun; the system shares the processors out between them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "device/shares.h"
#include "device/spin_lock.h"
#include "device/worker.h"

namespace weft::device {

class Job;

/// What a kind of job does. No function throws.
struct JobKind {
  /// Once; other workers may run parts already. `now_ns`: a time before the first part; anything, unless the job wants it.
  void (*begin)(Job&, std::uint64_t now_ns);
  /// Runs the parts [first, first + count) on `worker`; others run other parts at the same time.
  void (*run)(Job&, Worker& worker, std::uint64_t first, std::uint64_t count);
  /// After all parts, once. May destroy the job and submit others. `part_ns` is the mean time of a part; 0: it was not measured.
  void (*end)(Job&, float part_ns);
};

/// Something for the workers to do. Owned by its maker; must live from `submit` to `JobKind::end`.
class Job {
 public:
  /// For the maker, before `submit`.
  const JobKind* kind = nullptr;
  std::uint64_t parts = 0;      ///< at least 1
  float part_ns = 0;            ///< expected time of a part; 0: not known
  std::uint32_t together = 1;   ///< parts that `JobKind::run` should have at once, where each worker has as many
  std::uint32_t stack_bytes = 0;  ///< that a part takes of the stack of the thread that runs it
  int priority = 0;             ///< workers begin ready jobs of a higher one first
  bool wants_time = false;      ///< `JobKind::begin` is to be told the time
  bool in_any_order = false;    ///< no part waits for one of a lower number: parts may stay with processors (shares.h)
  /// Not null: a part may wait for any other. How many threads beside the workers jobs of its kind have needed.
  std::atomic<std::uint32_t>* beside = nullptr;
  const void* owner = nullptr;  ///< whose job it is (a queue), for `help_until`

  /// Parts that no worker has begun are left out (an error has made them pointless).
  void abandon() noexcept {
    if (shares_) return shares_->abandon();
    next_part_.store(parts, std::memory_order_relaxed);
  }

 private:
  friend class Engine;
  bool exhausted() const { return shares_ ? shares_->exhausted() : next_part_.load(std::memory_order_seq_cst) >= parts; }

  // Guarded by the engine's lock.
  Job* previous_ = nullptr;
  Job* next_ = nullptr;
  // Of those that wait.
  Job* next_watched_ = nullptr;
  std::uint64_t unbegun_ = 0;    ///< parts that nobody had begun when it was last looked at
  std::uint64_t stuck_since_ns_ = 0;
  std::uint32_t beside_ = 0;     ///< threads that were started for this job
  std::uint32_t wanted_ = 0;     ///< those of them that have not come yet

  std::unique_ptr<Shares> shares_;  ///< written before the job is ready and after its last part; null: `next_part_` counts
  std::atomic<std::uint32_t> width_{1};  ///< workers that may have it at once
  std::atomic<bool> begun_{false};
  std::atomic<bool> listed_{false};  ///< written under the engine's lock

  /// Apart from what all workers read: these are written by all.
  alignas(64) std::atomic<std::uint64_t> next_part_{0};
  /// Holds: one for each worker that has the job and one for the list, if it is there; who takes the last one away
  /// ends the job. They grow under the engine's lock only. Above them the time that workers were busy with it, so
  /// that leaving is one access to what all of them write.
  std::atomic<std::uint64_t> holds_and_busy_ns_{0};
  static constexpr unsigned kHoldBits = 16;
  std::uint64_t holds() const {
    return holds_and_busy_ns_.load(std::memory_order_relaxed) % (std::uint64_t{1} << kHoldBits);
  }
  void hold() { holds_and_busy_ns_.fetch_add(1, std::memory_order_relaxed); }
  /// One more, if there are any: not where somebody is about to end the job.
  bool hold_beside_others();
};

/// Nanoseconds of the monotonic clock: CL_PROFILING_COMMAND_*.
inline std::uint64_t now_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

class Engine {
 public:
  /// Starts no thread: that waits for the first job. The engine's owner never destroys it: a program may exit
  /// while its jobs run.
  /// `pin`: each of its threads stays on one processor. `processors`: that all of them stay on; none: any of the process's.
  explicit Engine(unsigned num_workers, bool pin = false, std::vector<int> processors = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  unsigned num_workers() const { return num_workers_; }

  /// Who runs a job that has just been submitted.
  enum class Wake {
    kWorkers,  ///< workers are woken
    kCaller,   ///< the caller calls `help_until` next; workers are woken if that does not suffice
  };

  /// Makes a job ready.
  void submit(Job& job, Wake wake);

  /// For the end of the program: the engine's threads take no more parts, and those that they run are waited
  /// for, a second at most. Threads in `help_until` go on.
  void stop() noexcept;

  /// Runs ready jobs on the calling thread until `done()` or until there is nothing for it to do: jobs of
  /// `owner`, and those of others if their parts are short, lest it come back late. What its stack is too small for is left to
  /// the engine's own threads.
  template <class Done>
  void help_until(const void* owner, Done done) {
    Helper helper(*this, owner);
    while (!done() && helper.run_one()) {
    }
  }

  // A fork. The child has the calling thread only: jobs run there when they are waited for. Of jobs that were ready
  // or running it knows nothing more.

  /// Waits until each job whose end somebody may have seen has ended wholly, a second at most, and takes the
  /// engine's lock. A job that the caller is ending is not waited for.
  void before_fork() noexcept;
  /// In the parent: as if nothing had been.
  void after_fork() noexcept { lock_.unlock(); }
  void after_fork_in_child() noexcept;

 private:
  struct Threads;  // oneTBB's side

  /// An API thread that waits. Has a worker from the first job that it runs on.
  class Helper {
   public:
    Helper(Engine& engine, const void* owner);
    ~Helper();
    bool run_one();

   private:
    Engine& engine_;
    const void* const owner_;
    Worker* worker_ = nullptr;
  };

  // Under the lock.
  void append(Job& job);
  void unlink(Job& job);
  void put_back(Job& job);
  bool join(Job& job);
  Job* choose(const void* owner, std::size_t stack_bytes) const;
  Job* take(Worker& worker, unsigned& start);
  unsigned staff(Job& job, unsigned give, unsigned want);
  Worker* find_idle() const;
  bool may_help();
  Worker* take_spare_worker();
  void give_back(Worker& worker) { worker.next = std::exchange(spare_workers_, &worker); }

  // More threads than processors, for parts that wait for each other (engine_beside.cpp).
  bool watch(Job& job);  ///< under the lock; whether the caller has to start the thread that looks
  void unwatch(Job& job);
  void start_watching();
  void start_beside(unsigned count);
  void watch_jobs();
  unsigned look_at_jobs();
  template <class Visit>
  void for_each_worker(Visit visit);
  std::uint64_t unbegun(const Job& job);
  std::optional<std::uint64_t> take_unbegun(const Job& job);
  void run_one_by_one(Job& job, Worker& worker, std::uint64_t first, std::uint64_t count);
  void work_beside();

  void start_threads(unsigned count);
  void work();
  bool wait_for_job(Worker& worker);
  bool is_foreign_ready(const Job& job) const;
  void run(Job& job, Worker* place, Worker& worker);
  void deal_shares(Job& job);
  void take_back_shares(Job& job);
  unsigned place_of_processor() const;
  std::uint64_t take_parts(Job& job, Worker& worker, bool helps, std::uint64_t began);
  void take_only_part(Job& job, Worker& worker);
  void open_to_all(Job& job);
  void fill(Job& job);
  bool is_ending_elsewhere() const;
  bool is_own(const Worker* worker) const;
  bool is_stopped() const { return stopped_.load(std::memory_order_seq_cst); }

  const unsigned num_workers_;
  const bool pin_;
  const std::vector<int> processors_;
  const std::vector<unsigned> places_;  ///< of processors, by their number: which share of a job each begins with
  std::unique_ptr<Worker[]> workers_;  ///< of the engine's threads

  alignas(64) SpinLock lock_;
  // Guarded by the lock.
  Job* head_ = nullptr;
  Job* tail_ = nullptr;
  Worker* free_workers_ = nullptr;  ///< of `workers_`, those that no thread has
  Worker* spare_workers_ = nullptr;  ///< for API threads; as many as ever helped at once
  Worker* newest_made_ = nullptr;    ///< all that were made for API threads
  std::unique_ptr<Shares> free_shares_;  ///< as many as jobs ever had at once
  unsigned threads_ = 0;            ///< of oneTBB, promised or arrived
  unsigned arrived_ = 0;            ///< those that have a worker
  unsigned helpers_ = 0;            ///< API threads in `help_until`
  unsigned helping_ = 0;            ///< those that have a worker; with `arrived_` at most as many as workers
  Job* watched_ = nullptr;          ///< jobs that wait and have not ended
  bool is_watched_ = false;         ///< whether a thread looks at them
  std::atomic<unsigned> ready_{0};  ///< length of the list; written under the lock

  std::atomic<bool> stopped_{false};
  bool alone_ = false;  ///< the child of a fork: no threads but those that wait

  std::once_flag threads_made_;
  std::atomic<Threads*> pool_{nullptr};
};

}  // namespace weft::device
