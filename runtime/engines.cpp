#include "runtime/engines.h"

#include <cstdlib>
#include <deque>
#include <mutex>

#include "runtime/options.h"

namespace weft::runtime {
namespace {

struct Engines {
  std::mutex mutex;
  // Guarded by the mutex.
  std::deque<DeviceEngine> made;
  bool is_alone = false;  ///< the child of a fork whose engines had threads: oneTBB has none here
};

/// Never destroyed: commands may run while the program exits.
Engines& engines() {
  static Engines& one = *new Engines;
  return one;
}

void stop_all() {
  Engines& all = engines();
  std::lock_guard lock(all.mutex);
  for (DeviceEngine& each : all.made) each.engine.stop();
}

}  // namespace

DeviceEngine& take_engine(unsigned num_workers, const std::vector<int>& processors) {
  Engines& all = engines();
  std::lock_guard lock(all.mutex);
  for (DeviceEngine& each : all.made) {
    if (each.engine.num_workers() == num_workers && each.processors == processors && each.is_free.exchange(false)) return each;
  }
  const bool is_first = all.made.empty();
  DeviceEngine& made = all.made.emplace_back(num_workers, options().pin, processors);
  if (all.is_alone) {
    made.engine.before_fork();
    made.engine.after_fork_in_child();
  }
  // What commands use may be destroyed next: the application's own static objects.
  if (is_first) std::atexit(stop_all);
  return made;
}

void engines_before_fork() noexcept {
  Engines& all = engines();
  all.mutex.lock();
  for (DeviceEngine& each : all.made) each.engine.before_fork();
}

void engines_after_fork() noexcept {
  Engines& all = engines();
  for (DeviceEngine& each : all.made) each.engine.after_fork();
  all.mutex.unlock();
}

void engines_after_fork_in_child() noexcept {
  Engines& all = engines();
  for (DeviceEngine& each : all.made) each.engine.after_fork_in_child();
  all.is_alone = !all.made.empty();
  all.mutex.unlock();
}

}  // namespace weft::runtime
