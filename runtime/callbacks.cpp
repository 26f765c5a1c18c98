#include "runtime/callbacks.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "runtime/fork.h"

namespace weft::runtime {
namespace {

/// A callback that takes longer waits for something, it may be for another callback: those go on without it.
constexpr std::chrono::milliseconds kCallbackPatience{20};

struct Call {
  Ref<Event> event;
  cl_int status;
  Event::Callback callback;
  void* user_data;
};

/// One thread, and another for each callback that blocks. Never destroyed: its threads may wait in it when the program exits.
class CallbackThreads {
 public:
  void add(Call call) {
    {
      std::lock_guard lock(mutex_);
      if (threads_ == 0) {
        std::thread([this] { serve(); }).detach();
        ++threads_;
      }
      calls_.push_back(std::move(call));
      watch();
    }
    changed_.notify_all();
  }

 private:
  /// Under the lock: while calls wait for callbacks that run, somebody sees to it that these end.
  void watch() {
    if (is_watched_ || calls_.empty() || running_ < threads_) return;
    try {
      std::thread([this] { stand_by(); }).detach();
      is_watched_ = true;
    } catch (const std::system_error&) {
      // Then they wait for each other.
    }
  }

  /// Serves from then on if no call is taken for a while.
  void stand_by() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const std::uint64_t taken = taken_;
      changed_.wait_for(lock, kCallbackPatience, [&] { return calls_.empty() || taken != taken_; });
      if (calls_.empty()) break;
      if (taken != taken_) continue;
      is_watched_ = false;
      ++threads_;
      lock.unlock();
      return serve();
    }
    is_watched_ = false;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !calls_.empty(); });
      Call call = std::move(calls_.front());
      calls_.pop_front();
      ++taken_;
      ++running_;
      watch();
      lock.unlock();
      changed_.notify_all();
      make(call);
      call.event = nullptr;
      lock.lock();
      --running_;
      // Those that blocked have ended: one suffices again.
      if (threads_ > 1 && running_ + 1 < threads_) {
        --threads_;
        return;
      }
    }
  }

  static void make(const Call& call) {
    Event* event = call.event.get();
    retain(event);
    call.callback(event, call.status, call.user_data);
    release(event);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  std::uint64_t taken_ = 0;   ///< calls so far
  unsigned threads_ = 0;      ///< that take calls
  unsigned running_ = 0;      ///< those that are in a callback
  bool is_watched_ = false;
};

constinit OnePerProcess<CallbackThreads> threads;

}  // namespace

void call_back(Event& event, cl_int status, Event::Callback callback, void* user_data) {
  threads.get().add({Ref<Event>(&event), status, callback, user_data});
}

void lose_callbacks() noexcept { threads.lose(); }

}  // namespace weft::runtime
