// Keeps the threads of an arena on some of the processors.
#pragma once

#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

namespace weft::device {

/// The processors that the calling thread may use now, by their numbers, in rising order. Empty if the system does not say.
std::vector<int> allowed_processors();

/// Binds the threads that enter the arena, and lets them go when they leave: the application's own use of oneTBB may have them next.
class Pinning : public tbb::task_scheduler_observer {
 public:
  /// `each_on_one`: place by place, each on one of `processors`; else on all of them. None given: those that the process may use.
  Pinning(tbb::task_arena& arena, std::vector<int> processors, bool each_on_one);
  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

 private:
  const std::vector<int> before_;
  const std::vector<int> processors_;
  const bool each_on_one_;
};

}  // namespace weft::device
