// The engine when its process ends or forks.
#include <sched.h>

#include "device/engine.h"

namespace weft::device {
namespace {

/// Neither waits longer for the engine's threads.
constexpr std::uint64_t kPatienceNs = 1'000'000'000;

}  // namespace

void Engine::stop() noexcept {
  // A thread says that it is busy and then looks at this.
  stopped_.store(true, std::memory_order_seq_cst);
  const std::uint64_t until = now_ns() + kPatienceNs;
  for (unsigned i = 0; i < num_workers_; ++i) {
    while (workers_[i].state.load(std::memory_order_seq_cst) == Worker::State::kBusy && now_ns() < until)
      sched_yield();
  }
}

bool Engine::is_ending_elsewhere() const {
  const auto ends = [](const Worker& worker) {
    const std::thread::id ender = worker.ender.load(std::memory_order_acquire);
    return ender != std::thread::id() && ender != std::this_thread::get_id();
  };
  for (unsigned i = 0; i < num_workers_; ++i)
    if (ends(workers_[i])) return true;
  for (const Worker* worker = newest_made_; worker; worker = worker->next_made)
    if (ends(*worker)) return true;
  return false;
}

void Engine::before_fork() noexcept {
  const std::uint64_t until = now_ns() + kPatienceNs;
  for (;;) {
    lock_.lock();
    if (!is_ending_elsewhere() || now_ns() > until) return;
    lock_.unlock();
    sched_yield();
  }
}

void Engine::after_fork_in_child() noexcept {
  threads_ = num_workers_;  // none is missing, so none is started
  arrived_ = helpers_ = helping_ = 0;
  alone_ = true;
  watched_ = nullptr;
  is_watched_ = false;
  for (unsigned i = 0; i < num_workers_; ++i) {
    workers_[i].state.store(Worker::State::kFree, std::memory_order_relaxed);
    workers_[i].ender.store(std::thread::id(), std::memory_order_relaxed);
  }
  // The lost threads' workers, should they have been API threads', are lost as well.
  for (Worker* worker = newest_made_; worker; worker = worker->next_made)
    worker->ender.store(std::thread::id(), std::memory_order_relaxed);
  lock_.unlock();
}

}  // namespace weft::device
