// One kernel over one NDRange, as the engine's workers run it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/code.h"
#include "device/counters/launch_counter.h"
#include "device/engine.h"
#include "device/print.h"
#include "device/worker_copies.h"

namespace weft::device {

/// How a launch ended.
enum class LaunchStatus : std::uint8_t {
  kDone,
  kDivergentBarrier,  ///< abi::GroupStatus::kDivergentBarrier of some group: work-items at different barriers; later groups did not run
  kOutOfMemory,       ///< no scratch for a worker
};

/// Made by the queue, run group by group. A launch whose groups are not all of one size is one of these for each size; one whose rows of groups are no whole
/// blocks is one for the blocks and one for the rest of each row. The caller fills
/// `info` but for `services` and `state`; of code that is not made for parts, also but for `whole`.
struct Launch {
  Launch() {}  // a default one would have all of `info` cleared, which a short launch feels

  abi::LaunchInfo info;
  const Code* code = nullptr;  ///< outlives the launch
  std::uint64_t first_x = 0;   ///< of the groups along x, the first that this runs; a multiple of those that its code runs as one
  std::uint64_t along_x = 0;   ///< and how many; 0: all
  std::uint64_t wave = 1;      ///< of code that traces: groups that run at the same time on the device that is modelled

  /// Completes `info`; afterwards the launch must not move. `prints`: the kernel calls printf. Throws std::bad_alloc.
  void prepare(bool prints);

  /// To be called behind `prepare` by whoever knows the memory of CodeTraits::updated: workers update copies of these buffers if
  /// that pays. Throws std::bad_alloc.
  void copy_updated(const WorkerCopies::Buffers& buffers, unsigned workers);

  /// Calls of the code: groups, or blocks of fused groups. Known once prepared.
  std::uint64_t blocks() const { return row_ * info.num_groups[1] * info.num_groups[2]; }

  /// Runs the blocks [first, first + count), counted row by row, x fastest, or column by column (CodeTraits::by_columns). False if the rest
  /// is pointless.
  bool run(Worker& worker, std::uint64_t first, std::uint64_t count) noexcept;

  /// Of code that counts, after `prepare`: what this launch does is counted with `first`, another part that has the same code.
  void count_with(const Launch& first) { counter_ = first.counter_; }

  /// Of code that counts: what was counted, for once, after the last group. Throws std::bad_alloc.
  counters::LaunchSums counts();

  /// Adds its groups and warps.
  void add_size(counters::LaunchSums& counts) const;

  /// After the last group: prints what was collected, updates the code's cost estimate.
  LaunchStatus finish(float group_ns) noexcept;

 private:
  bool run_traced(counters::AccessTrace& trace, abi::GroupInfo& group, std::uint64_t first, std::uint64_t count) noexcept;
  bool run_blocks(abi::GroupInfo& group, std::uint64_t first, std::uint64_t count) noexcept;

  std::uint64_t row_ = 0;          ///< blocks along x
  std::uint64_t first_block_ = 0;  ///< along x
  std::size_t scratch_bytes_ = 0;  ///< of a call
  std::atomic<LaunchStatus> status_{LaunchStatus::kDone};
  std::optional<PrintSink> sink_;
  std::unique_ptr<WorkerCopies> copies_;                  ///< null: updates are atomic
  std::shared_ptr<counters::LaunchCounter> counter_;  ///< null unless the code counts
};

}  // namespace weft::device
