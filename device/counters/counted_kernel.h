// A kernel's counted code, as its launches count with it: the compiler's table, made ready once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/counted_code.h"
#include "device/counters/access_memo.h"
#include "device/counters/counts.h"
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
  std::uint32_t place_of(std::uint32_t site) const { return index_of(table_.sites[site].place); }
  std::uint32_t num_places() const { return static_cast<std::uint32_t>(places_.size()); }
  const AccessMemo::Class& access_class(std::uint32_t number) const { return classes_[number]; }

  /// A block whose words and sums are those of a launch that has not begun. Null: no memory.
  std::unique_ptr<WorkerCounts> take() const noexcept;
  void give_back(std::unique_ptr<WorkerCounts> block) const noexcept;

  /// Adds what `blocks` counted, in which each launch has counted alone.
  LaunchCounts sum(const std::vector<std::unique_ptr<WorkerCounts>>& blocks) const;

 private:
  std::uint32_t index_of(const abi::SourcePlace& place) const;
  void add_blocks(const WorkerCounts& from, std::vector<Counts>& lines) const;
  void add_records(WorkerCounts& from, std::vector<CostSums>& sites) const;

  const abi::CounterTable table_;
  const Model model_;
  std::vector<abi::SourcePlace> places_;  ///< sorted; a line's index is its place's
  std::vector<AccessMemo::Class> classes_;
  std::vector<std::uint32_t> site_classes_;

  mutable SpinLock lock_;
  mutable std::vector<std::unique_ptr<WorkerCounts>> idle_;  ///< guarded by the lock
};

}  // namespace weft::device::counters
