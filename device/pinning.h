// Keeps each thread of an arena on one processor.
#pragma once

#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

namespace weft::device {

/// Pins the threads that enter the arena to the processors that the process may use now, place by place, and
/// lets them go when they leave: the application's own use of oneTBB may have them next.
class Pinning : public tbb::task_scheduler_observer {
 public:
  explicit Pinning(tbb::task_arena& arena);
  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

 private:
  std::vector<int> processors_;
};

}  // namespace weft::device
