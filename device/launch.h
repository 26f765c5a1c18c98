// One kernel over one NDRange, as the engine's workers run it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "device/code.h"
#include "device/engine.h"
#include "device/group_order.h"
#include "device/print.h"

namespace weft::device {

/// How a launch ended.
enum class LaunchStatus : std::uint8_t {
  kDone,
  kDivergentBarrier,  ///< abi::GroupStatus::kDivergentBarrier of some group; later groups did not run
  kOutOfMemory,       ///< no scratch for a worker
};

/// Made by the queue, run group by group. The caller fills `info` but for `services` and `state`.
struct Launch {
  abi::LaunchInfo info{};
  const Code* code = nullptr;  ///< outlives the launch

  /// Completes `info`; afterwards the launch must not move. `prints`: the kernel calls printf; `squares`: its groups
  /// should run in squares (GroupOrder). Code for a stack of groups needs its `local_bytes`, which must fit as many times.
  void prepare(bool prints, bool squares = false, std::size_t local_bytes = 0);

  /// Calls of the code: groups, blocks of fused groups, or stacks. Known once prepared.
  std::uint64_t blocks() const { return order_.count(); }

  /// Runs the blocks [first, first + count) of the order. False if the rest is pointless.
  bool run(Worker& worker, std::uint64_t first, std::uint64_t count) noexcept;

  /// After the last group: prints what was collected, updates the code's cost estimate.
  LaunchStatus finish(float group_ns) noexcept;

 private:
  GroupOrder order_;
  std::size_t scratch_bytes_ = 0;  ///< of a call
  // From a group of a stack to the next, in bytes.
  std::size_t scratch_step_ = 0;
  std::size_t local_step_ = 0;
  std::atomic<LaunchStatus> status_{LaunchStatus::kDone};
  std::optional<PrintSink> sink_;
};

}  // namespace weft::device
