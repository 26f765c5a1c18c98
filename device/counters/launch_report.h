// All that is known of a counted launch: what counters are computed from.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "device/counters/capability.h"
#include "device/counters/launch_sums.h"
#include "device/counters/occupancy.h"

namespace weft::device::counters {

struct LaunchReport {
  std::string kernel;
  std::uint32_t work_dim = 1;
  std::array<std::uint64_t, 3> global_size{1, 1, 1};  ///< work-items
  std::array<std::uint64_t, 3> local_size{1, 1, 1};   ///< work-items of a group
  Capability capability;                              ///< whose rules it was counted by
  bool is_traced = false;                             ///< Counter::is_traced are known
  KernelResources resources;
  std::uint64_t enqueued_ns = 0, started_ns = 0, ended_ns = 0;  ///< monotonic clock, if the environment's files want it
  LaunchSums counts;
};

}  // namespace weft::device::counters
