#include "runtime/semaphore_descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

#include "runtime/fork.h"

namespace weft::runtime {
namespace {

/// Whether it is what this library exports. Others' semaphores are objects of drivers, of which nothing is known here.
bool is_event_descriptor(int descriptor) {
  char target[64];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), target, sizeof target);
  return length > 0 && std::string_view(target, static_cast<std::size_t>(length)) == "anon_inode:[eventfd]";
}

bool is_readable(int descriptor) noexcept {
  pollfd one{descriptor, POLLIN, 0};
  return poll(&one, 1, 0) == 1 && (one.revents & POLLIN);
}

struct Waiter {
  std::shared_ptr<const SemaphoreDescriptor> semaphore;
  Ref<Event> event;
};

/// One thread that polls what is waited for. Never destroyed: it may wait when the program exits.
class SignalThread {
 public:
  void add(Waiter waiter) {
    {
      std::lock_guard lock(mutex_);
      waiters_.push_back(std::move(waiter));
      if (!is_running_) {
        try {
          std::thread([this] { serve(); }).detach();
        } catch (...) {
          waiters_.pop_back();
          throw;
        }
        is_running_ = true;
      }
    }
    changed_.signal();
  }

 private:
  void serve() {
    for (;;) {
      std::vector<pollfd> awaited = {{changed_.get(), POLLIN, 0}};
      {
        std::lock_guard lock(mutex_);
        for (const Waiter& waiter : waiters_) awaited.push_back({waiter.semaphore->get(), POLLIN, 0});
      }
      if (poll(awaited.data(), awaited.size(), -1) < 0 && errno != EINTR) return;
      changed_.take();
      // Outside of the lock: what waits for an event may start here.
      for (Waiter& waiter : take_signaled()) waiter.event->set_user_status(CL_COMPLETE);
    }
  }

  std::vector<Waiter> take_signaled() {
    std::lock_guard lock(mutex_);
    std::vector<Waiter> taken;
    std::deque<Waiter> left;
    // A signal that comes while they are looked through belongs to the first that waits: those behind it do not ask again.
    std::unordered_set<const SemaphoreDescriptor*> unsignaled;
    for (Waiter& waiter : waiters_) {
      const SemaphoreDescriptor* semaphore = waiter.semaphore.get();
      if (!unsignaled.contains(semaphore) && semaphore->take()) {
        taken.push_back(std::move(waiter));
      } else {
        unsignaled.insert(semaphore);
        left.push_back(std::move(waiter));
      }
    }
    waiters_ = std::move(left);
    return taken;
  }

  SemaphoreDescriptor changed_;
  std::mutex mutex_;
  // Guarded by the mutex.
  std::deque<Waiter> waiters_;
  bool is_running_ = false;
};

constinit OnePerProcess<SignalThread> thread;

}  // namespace

SemaphoreDescriptor::SemaphoreDescriptor() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw Error{CL_OUT_OF_RESOURCES};
}

SemaphoreDescriptor::SemaphoreDescriptor(int descriptor) : descriptor_(descriptor) {
  if (!is_event_descriptor(descriptor)) throw Error{CL_INVALID_VALUE};
}

SemaphoreDescriptor::~SemaphoreDescriptor() { close(descriptor_); }

void SemaphoreDescriptor::signal() const noexcept {
  const std::uint64_t one = 1;
  while (write(descriptor_, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool SemaphoreDescriptor::take() const noexcept {
  // A foreign process may have made it block.
  if (!is_readable(descriptor_)) return false;
  std::uint64_t count = 0;
  ssize_t got;
  while ((got = ::read(descriptor_, &count, sizeof count)) < 0 && errno == EINTR) {
  }
  return got == sizeof count;
}

bool SemaphoreDescriptor::is_signaled() const noexcept { return is_readable(descriptor_); }

int SemaphoreDescriptor::duplicate() const {
  const int made = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (made < 0) throw Error{CL_OUT_OF_RESOURCES};
  return made;
}

void await_signal(std::shared_ptr<const SemaphoreDescriptor> semaphore, const Ref<Event>& event) {
  thread.get().add({std::move(semaphore), event});
}

void lose_awaited_signals() noexcept { thread.lose(); }

}  // namespace weft::runtime
