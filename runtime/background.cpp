#include "runtime/background.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "runtime/device.h"

namespace weft::runtime {
namespace {

constexpr std::chrono::seconds kPatience{10};

/// Never destroyed: threads may wait in it when the program exits.
struct Builds {
  std::mutex mutex;
  std::condition_variable changed;
  unsigned running = 0;
  bool ended = false;
};

Builds& builds() {
  static Builds& one = *new Builds;
  return one;
}

void run(const std::function<void()>& build, const std::function<void()>& after) {
  Builds& all = builds();
  {
    std::unique_lock lock(all.mutex);
    all.changed.wait(lock, [&] { return all.ended || all.running < Device::num_workers(); });
    if (all.ended) return;
    ++all.running;
  }
  build();
  {
    std::lock_guard lock(all.mutex);
    --all.running;
  }
  all.changed.notify_all();
  after();
}

}  // namespace

void run_in_background(std::function<void()> build, std::function<void()> after) {
  // Called before this library's own static objects go, which are older. The compiler's stay.
  static const int registered = std::atexit(end_background_builds);
  (void)registered;
  std::thread thread;
  try {
    thread = std::thread(run, build, after);
  } catch (const std::system_error&) {
    build();
    return after();
  }
  thread.detach();
}

void end_background_builds() noexcept {
  Builds& all = builds();
  std::unique_lock lock(all.mutex);
  all.ended = true;
  all.changed.notify_all();
  all.changed.wait_for(lock, kPatience, [&] { return all.running == 0; });
}

}  // namespace weft::runtime
