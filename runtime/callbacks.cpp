#include "runtime/callbacks.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "runtime/fork.h"

namespace weft::runtime {
namespace {

struct Call {
  Ref<Event> event;
  cl_int status;
  Event::Callback callback;
  void* user_data;
};

/// Never destroyed: its thread may wait in it when the program exits.
class CallbackThread {
 public:
  void add(Call call) {
    {
      std::lock_guard lock(mutex_);
      if (!started_) std::thread([this] { run(); }).detach();
      started_ = true;
      calls_.push_back(std::move(call));
    }
    present_.notify_one();
  }

 private:
  [[noreturn]] void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      present_.wait(lock, [this] { return !calls_.empty(); });
      Call call = std::move(calls_.front());
      calls_.pop_front();
      lock.unlock();
      make(call);
    }
  }

  static void make(const Call& call) {
    Event* event = call.event.get();
    retain_for_callback(event);
    call.callback(event, call.status, call.user_data);
    release(event);
  }

  std::mutex mutex_;
  std::condition_variable present_;
  bool started_ = false;
  std::deque<Call> calls_;
};

constinit OnePerProcess<CallbackThread> thread;

}  // namespace

void call_back(Event& event, cl_int status, Event::Callback callback, void* user_data) {
  thread.get().add({Ref<Event>(&event), status, callback, user_data});
}

void lose_callbacks() noexcept { thread.lose(); }

}  // namespace weft::runtime
