// Counts one launch: gives each thread that runs groups of it a block of its own.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "device/counters/counted_kernel.h"
#include "device/spin_lock.h"

namespace weft::device::counters {

class LaunchCounter {
 public:
  explicit LaunchCounter(std::shared_ptr<const CountedKernel> kernel) : kernel_(std::move(kernel)) {}
  LaunchCounter(const LaunchCounter&) = delete;
  LaunchCounter& operator=(const LaunchCounter&) = delete;
  ~LaunchCounter();

  /// A block for a thread that begins to run groups; it brings it back. Null: no memory.
  std::unique_ptr<WorkerCounts> take() noexcept;
  void bring_back(std::unique_ptr<WorkerCounts> block) noexcept;

  /// Once no thread has a block. Throws std::bad_alloc.
  LaunchSums finish();

 private:
  const std::shared_ptr<const CountedKernel> kernel_;
  SpinLock lock_;
  std::vector<std::unique_ptr<WorkerCounts>> blocks_;  ///< guarded by the lock
};

}  // namespace weft::device::counters
