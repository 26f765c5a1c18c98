// The engine: N workers, the device's multiprocessors, share the ready jobs.
//
// oneTBB gives the threads; what they do next is decided here, because a device needs what a task pool does
// not promise: jobs of different queues advance side by side, a worker that meets no job costs nothing, and
// the API thread that waits for a job may run it itself.
//
// A job is a range of parts (work-groups, blocks of a copy). A worker takes chunks of it by compare-and-swap
// on a counter; the chunk's size follows the measured time of a part, so that tiny groups cost little and the
// last chunk is short. A job starts on one worker if it is estimated to be over before another would have
// woken, and is opened to all when it proves longer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "device/spin_lock.h"
#include "device/worker.h"

namespace weft::device {

class Job;

/// What a kind of job does. No function throws.
struct JobKind {
  /// Before the first part, once.
  void (*begin)(Job&);
  /// Runs the parts [first, first + count) on `worker`; others run other parts at the same time.
  void (*run)(Job&, Worker& worker, std::uint64_t first, std::uint64_t count);
  /// After all parts, once. May destroy the job and submit others. `part_ns` is the mean time of a part.
  void (*end)(Job&, float part_ns);
};

/// Something for the workers to do. Owned by its maker; must live from `submit` to `JobKind::end`.
class Job {
 public:
  /// For the maker, before `submit`.
  const JobKind* kind = nullptr;
  std::uint64_t parts = 0;      ///< at least 1
  float part_ns = 0;            ///< expected time of a part; 0: not known
  const void* owner = nullptr;  ///< whose job it is (a queue), for `help_until`

  /// Parts that no worker has begun are left out (an error has made them pointless).
  void abandon() noexcept { next_part_.store(parts, std::memory_order_relaxed); }

 private:
  friend class Engine;
  bool exhausted() const { return next_part_.load(std::memory_order_relaxed) >= parts; }

  std::atomic<std::uint64_t> next_part_{0};
  // Guarded by the engine's lock.
  Job* previous_ = nullptr;
  Job* next_ = nullptr;
  bool listed_ = false;
  bool begun_ = false;
  std::uint32_t workers_ = 0;            ///< that have it now
  std::atomic<std::uint32_t> width_{1};  ///< workers that may have it at once
  std::uint64_t busy_ns_ = 0;
  std::uint64_t parts_run_ = 0;
};

/// Nanoseconds of the monotonic clock: CL_PROFILING_COMMAND_*.
inline std::uint64_t now_ns() noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

class Engine {
 public:
  /// Starts no thread: that waits for the first job. The engine's owner never destroys it: a program may exit
  /// while its jobs run.
  /// `pin`: each of its threads stays on one processor of the process.
  explicit Engine(unsigned num_workers, bool pin = false);
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
  /// `owner`, and those of others if their parts are short, lest it come back late.
  template <class Done>
  void help_until(const void* owner, Done done) {
    Helper helper(*this);
    while (!done() && run_one(&owner)) {
    }
  }

 private:
  struct Helper {
    explicit Helper(Engine& engine);
    ~Helper();
    Engine& engine;
  };
  struct Threads;  // oneTBB's side

  bool run_one(const void* const* only_owner);
  Job* choose(const void* const* only_owner) const;
  bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }
  void run_slice(Job& job, Worker& worker);
  void leave(Job& job, Worker& worker, std::uint64_t busy_ns, std::uint64_t parts_run);
  void open_to_all(Job& job);
  void work();
  void start_threads(unsigned count);
  unsigned claim_threads(unsigned wanted);
  void append(Job& job);
  void unlink(Job& job);
  bool has_ready() const { return ready_.load(std::memory_order_relaxed) != 0; }

  const unsigned num_workers_;
  const bool pin_;
  std::unique_ptr<Worker[]> workers_;

  alignas(64) SpinLock lock_;
  // Guarded by the lock.
  Job* head_ = nullptr;
  Job* tail_ = nullptr;
  Worker* free_workers_ = nullptr;
  unsigned threads_ = 0;  ///< of oneTBB, promised or in `work`
  unsigned helpers_ = 0;
  unsigned busy_ = 0;               ///< workers that are not free
  std::atomic<unsigned> ready_{0};  ///< length of the list; written under the lock

  std::atomic<bool> stopped_{false};

  std::once_flag threads_made_;
  std::atomic<Threads*> pool_{nullptr};
};

}  // namespace weft::device
