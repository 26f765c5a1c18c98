// The engines of the process: the root device's, and one for each sub-device that runs commands.
#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "device/engine.h"

namespace weft::runtime {

/// An engine and whose it is. Never destroyed: when its device dies it waits for another of the same kind.
struct DeviceEngine {
  DeviceEngine(unsigned num_workers, bool pin, std::vector<int> on)
      : engine(num_workers, pin, on), processors(std::move(on)) {}
  device::Engine engine;
  const std::vector<int> processors;  ///< that its threads stay on; none: any
  std::atomic<bool> is_free{false};   ///< to be set by the device that dies; there is no job then
};

/// One for so many workers, on these processors alone. Throws std::bad_alloc.
DeviceEngine& take_engine(unsigned num_workers, const std::vector<int>& processors);

// A fork: see device::Engine. No engine is made in between.
void engines_before_fork() noexcept;
void engines_after_fork() noexcept;
void engines_after_fork_in_child() noexcept;

}  // namespace weft::runtime
