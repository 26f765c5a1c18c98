// Keeps the thread of an arena on one processor.
#pragma once

#include <vector>

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

namespace weft::device {

/// Pins the thread that enters the arena to one of the processors that the process may use now, and lets it go when it
/// leaves: the application's own use of oneTBB may have it next.
class Pinning : public tbb::task_scheduler_observer {
 public:
  Pinning(tbb::task_arena& arena, unsigned place);
  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

 private:
  std::vector<int> processors_;
  unsigned place_;
};

}  // namespace weft::device
