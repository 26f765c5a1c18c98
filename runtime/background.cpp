#include "runtime/background.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/compiler_process.h"
#include "runtime/device.h"
#include "runtime/fork.h"

namespace weft::runtime {
namespace {

constexpr std::chrono::seconds kPatience{10};

struct Task {
  std::function<void()> work, after;
  AtExit at_exit;
  Urgency urgency;
};

/// Never destroyed: threads may be in it when the program exits.
///
/// Not a tbb::task_group in an arena of its own, which shares the engine's threads, since oneTBB has N of them for the whole
/// process. A callback (`after`) may block until the next build is done; on a oneTBB thread it keeps that build from ever
/// beginning (the API test AsyncBuild.CallbacksMayBuildAndWait hangs). Nor is there a wait with an end, which an exit needs, and
/// the child of a fork, which has to build, could not start a thread. First launches took as long either way.
class Background {
 public:
  void add(Task task);
  void add_ahead(std::function<void()> work);
  int free_processors();
  void end() noexcept;
  bool is_late() const { return late_.load(std::memory_order_relaxed); }

 private:
  bool start_thread(std::unique_lock<std::mutex>& lock);
  bool may_begin() const;
  bool run_one(std::unique_lock<std::mutex>& lock);
  void serve();
  void serve_ahead();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> waiting_;
  unsigned running_ = 0;  ///< threads that work or are about to look for work
  std::deque<std::function<void()>> ahead_;
  unsigned ahead_running_ = 0;  ///< threads that are not counted
  bool ended_ = false;
  std::atomic<bool> late_{false};
};

void Background::add(Task task) {
  // Commands run on the thread that waits for them, which must not sleep until their code is made.
  if (is_forked() && task.at_exit == AtExit::kRun) return task.work();
  std::unique_lock lock(mutex_);
  if (ended_ && task.at_exit == AtExit::kLeaveOut) return;
  const auto is_better = [](const Task& other) { return other.urgency == Urgency::kBetter; };
  const auto place = task.urgency == Urgency::kBetter ? waiting_.end() : std::ranges::find_if(waiting_, is_better);
  waiting_.insert(place, std::move(task));
  if (ended_ || !start_thread(lock)) run_one(lock);
}

/// One more thread, unless enough run. False if there is none at all to do the work.
bool Background::start_thread(std::unique_lock<std::mutex>& lock) {
  if (running_ >= Device::num_workers()) return true;
  ++running_;
  lock.unlock();
  bool started = true;
  try {
    std::thread([this] { serve(); }).detach();
  } catch (const std::system_error&) {
    started = false;
  }
  lock.lock();
  return started || --running_ > 0;
}

/// Whether a thread, which is counted as running, finds something to do. What is only better waits for a processor: code that is made ahead,
/// for which a launch may come to wait, would take longer beside it.
bool Background::may_begin() const {
  if (waiting_.empty()) return false;
  return waiting_.front().urgency == Urgency::kWaitedFor || running_ + ahead_running_ <= Device::num_workers();
}

/// The first task, if there is one. The caller is counted as running if it is a thread of this class's.
bool Background::run_one(std::unique_lock<std::mutex>& lock) {
  if (waiting_.empty()) return false;
  const Task task = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  task.work();
  if (task.after) task.after();
  lock.lock();
  return true;
}

void Background::serve() {
  std::unique_lock lock(mutex_);
  while (may_begin()) {
    Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task.work();
    task.work = nullptr;  // what it kept alive
    lock.lock();
    if (!task.after) continue;
    // Another takes this thread's place meanwhile.
    --running_;
    changed_.notify_all();
    if (!waiting_.empty()) start_thread(lock);
    lock.unlock();
    task.after();
    task.after = nullptr;
    lock.lock();
    if (running_ >= Device::num_workers()) return;
    ++running_;
  }
  --running_;
  changed_.notify_all();
}

void Background::add_ahead(std::function<void()> work) {
  std::lock_guard lock(mutex_);
  if (ended_) return;
  ahead_.push_back(std::move(work));
  if (ahead_running_ >= kMostAhead) return;
  try {
    std::thread([this] { serve_ahead(); }).detach();
    ++ahead_running_;
  } catch (const std::system_error&) {
    if (ahead_running_ == 0) ahead_.clear();
  }
}

int Background::free_processors() {
  std::lock_guard lock(mutex_);
  return static_cast<int>(Device::num_workers()) - static_cast<int>(running_ + ahead_running_);
}

void Background::serve_ahead() {
  std::unique_lock lock(mutex_);
  while (!ahead_.empty()) {
    std::function<void()> work = std::move(ahead_.front());
    ahead_.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // what it kept alive
    lock.lock();
  }
  --ahead_running_;
  changed_.notify_all();
  if (!waiting_.empty() && !ended_) start_thread(lock);
}

void Background::end() noexcept {
  give_up_ahead();
  std::unique_lock lock(mutex_);
  ended_ = true;
  ahead_.clear();
  std::erase_if(waiting_, [](const Task& task) { return task.at_exit == AtExit::kLeaveOut; });
  const bool done = changed_.wait_for(lock, kPatience, [this] { return running_ == 0 && ahead_running_ == 0; });
  late_.store(!done, std::memory_order_relaxed);
  while (run_one(lock)) {
  }
}

constinit OnePerProcess<Background> background;

}  // namespace

namespace {

/// Called before this library's own static objects go, which are older. The compiler's stay.
void register_end() {
  static const int registered = std::atexit(end_background);
  (void)registered;
}

}  // namespace

void run_in_background(std::function<void()> work, std::function<void()> after, AtExit at_exit, Urgency urgency) {
  register_end();
  background.get().add({std::move(work), std::move(after), at_exit, urgency});
}

void run_ahead(std::function<void()> work) {
  register_end();
  background.get().add_ahead(std::move(work));
}

int free_processors() { return background.get().free_processors(); }

void end_background() noexcept { background.get().end(); }

void lose_background() noexcept { background.lose(); }

bool is_background_late() noexcept { return background.get().is_late(); }

}  // namespace weft::runtime
