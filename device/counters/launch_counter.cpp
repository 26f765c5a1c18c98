#include "device/counters/launch_counter.h"

#include <new>

namespace weft::device::counters {

LaunchCounter::~LaunchCounter() {
  for (auto& block : blocks_) kernel_->give_back(std::move(block));
}

std::unique_ptr<WorkerCounts> LaunchCounter::take() noexcept {
  {
    std::lock_guard guard(lock_);
    if (!blocks_.empty()) {
      auto block = std::move(blocks_.back());
      blocks_.pop_back();
      return block;
    }
    try {
      blocks_.reserve(blocks_.capacity() + 1);  // so that bringing back needs no memory
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  return kernel_->take();
}

void LaunchCounter::bring_back(std::unique_ptr<WorkerCounts> block) noexcept {
  std::lock_guard guard(lock_);
  blocks_.push_back(std::move(block));
}

LaunchSums LaunchCounter::finish() { return kernel_->sum(blocks_); }

}  // namespace weft::device::counters
