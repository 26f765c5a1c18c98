// A kernel's counted code, as its launches count with it: the compiler's table, made ready once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/counted_code.h"
#include "device/counters/access_memo.h"
#include "device/counters/launch_sums.h"
#include "device/counters/worker_counts.h"
#include "device/spin_lock.h"

namespace weft::device::counters {

/// Immutable but for the blocks that wait to be used again. Outlives the launches that use it.
class CountedKernel {
 public:
  CountedKernel(abi::CounterTable table, const Model& model);
  CountedKernel(const CountedKernel&) = delete;
  CountedKernel& operator=(const CountedKernel&) = delete;
  ~CountedKernel();

  const abi::CounterTable& table() const { return table_; }
  const Model& model() const { return model_; }

  /// Of a site, by its index.
  std::uint32_t class_of(std::uint32_t site) const { return site_classes_[site]; }
  std::uint32_t line_of(std::uint32_t site) const { return layout_->sites[site].line; }
  std::uint32_t num_lines() const { return static_cast<std::uint32_t>(layout_->lines.size()); }
  const AccessMemo::Class& access_class(std::uint32_t number) const { return classes_[number]; }

  /// A block whose words and sums are those of a launch that has not begun. Null: no memory.
  std::unique_ptr<WorkerCounts> take() const noexcept;
  void give_back(std::unique_ptr<WorkerCounts> block) const noexcept;

  /// Adds what `blocks` counted, in which each launch has counted alone; the launch's size is left 0.
  LaunchSums sum(const std::vector<std::unique_ptr<WorkerCounts>>& blocks) const;

 private:
  /// What a word adds to a sum, modulo 2^64.
  struct Term {
    std::uint32_t word = 0, sum = 0;
    std::uint64_t factor = 0;
  };
  class Maker;
  void add_records(WorkerCounts& from, std::vector<std::uint64_t>& sums) const;
  void add_trace(const AccessTrace& trace, std::vector<std::uint64_t>& sums) const;

  const abi::CounterTable table_;
  const Model model_;
  std::shared_ptr<const SumsLayout> layout_;
  std::vector<Term> terms_;                ///< of instructions, barriers and branches
  std::vector<std::uint32_t> site_sums_;  ///< where a site's cost begins
  std::vector<std::uint32_t> counted_records_;  ///< those that the code counts itself
  std::vector<AccessMemo::Class> classes_;
  std::vector<std::uint32_t> site_classes_;

  mutable SpinLock lock_;
  mutable std::vector<std::unique_ptr<WorkerCounts>> idle_;  ///< guarded by the lock
};

}  // namespace weft::device::counters
