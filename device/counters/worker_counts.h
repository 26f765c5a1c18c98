// What one thread counts while it runs groups of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "device/counters/access_memo.h"
#include "device/counters/counts.h"

namespace weft::device::counters {

class CountedKernel;

/// GroupInfo::counts points here. For one thread at a time; allocations of its own, so that threads share no line.
class WorkerCounts {
 public:
  /// `kernel` lives longer. Throws std::bad_alloc.
  explicit WorkerCounts(const CountedKernel& kernel);

  std::uint64_t* words() { return words_.data(); }  ///< GroupInfo::count_words
  const std::uint64_t* words() const { return words_.data(); }
  const std::vector<CostSums>& sites() const { return sites_; }

  /// abi::Services::count_access.
  void count(std::uint32_t record, std::uint32_t mask, const std::uint64_t* given);

  /// The cost of one access of a record, without counting it. The reference holds until the next call.
  const AccessCost& cost(std::uint32_t record, std::uint32_t mask, const std::uint64_t* address);

  /// As before the first count; what is known of costs stays.
  void clear();

 private:
  const CountedKernel& kernel_;
  std::vector<std::uint64_t> words_;
  std::vector<CostSums> sites_;  ///< of count() alone
  std::vector<AccessMemo::Hint> hints_;  ///< by record
  AccessMemo memo_;
};

}  // namespace weft::device::counters
