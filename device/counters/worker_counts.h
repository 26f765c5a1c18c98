// What one thread counts while it runs groups of a launch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/counters/access_memo.h"
#include "device/counters/access_trace.h"
#include "device/counters/bank_steps.h"
#include "device/counters/access_sample.h"
#include "device/counters/scattered.h"

namespace weft::device::counters {

class CountedKernel;

/// Where progressions start that are counted without addresses: a multiple of all that costs repeat after, so that a negative
/// stride does not wrap. Below the fields of a texel's number, though images are never counted this way.
inline constexpr std::uint64_t kProgressionBase = std::uint64_t{1} << 40;

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

  /// abi::GroupStatus::kDoneWithoutSome of a group.
  void count_group_without_some() { ++groups_without_some_; }
  std::uint64_t groups_without_some() const { return groups_without_some_; }

  /// The cost of one access of a record, without counting it. The reference holds until the next call.
  const AccessCost& cost(std::uint32_t record, std::uint32_t mask, const std::uint64_t* address);
  /// The same of a full run of one that the code counts itself, by where it starts; considered for the site's sample.
  const AccessCost& start_cost(std::uint32_t record, std::uint32_t slot);

  /// What a traced launch counts beside; null of any other.
  AccessTrace* trace() { return trace_ ? &*trace_ : nullptr; }

  /// What a sampled launch has kept, by site; empty of any other.
  const std::vector<AccessSample>& samples() const { return samples_; }
  /// Turns accesses that count() has put off into costs; sites() holds all then.
  void settle();

  /// As before the first count; what is known of costs stays.
  void clear();

 private:
  /// The same access of a record, so many times: lanes in a progression from these starts.
  struct Repeated {
    std::uint32_t record = 0;
    std::uint32_t mask = 0;
    std::uint64_t start = 0;  ///< of the bits that matter to its cost
    std::array<std::uint64_t, abi::kMostSegments - 1> distance{};  ///< of the other segments, from the first
    std::uint64_t times = 0;
  };
  /// Whether a run is to be the site's sample. For a sampled launch.
  bool is_sample(std::uint32_t record, const AccessCost& cost, std::uint32_t mask) const;
  void sample(std::uint32_t record, const AccessCost& cost, std::uint32_t mask, const std::uint64_t* address);
  void start_addresses(const abi::CountedRecord& record, std::uint32_t slot, std::uint64_t* address) const;
  void repeat(std::uint32_t number, const abi::CountedRecord& record, std::uint32_t mask, const std::uint64_t* starts);
  void settle(Repeated& repeated);
  void expand(const abi::CountedRecord& record, const std::uint64_t* starts, std::uint64_t* address) const;
  void trace(std::uint32_t site, std::uint32_t mask, const std::uint64_t* address);

  static constexpr unsigned kRepeated = 256;

  const CountedKernel& kernel_;
  std::array<Repeated, kRepeated> repeated_;
  std::vector<std::uint16_t> repeating_;  ///< the places of those that have been used
  std::vector<std::uint64_t> words_;
  std::uint64_t groups_without_some_ = 0;
  std::vector<CostSums> sites_;  ///< of count() alone
  std::vector<AccessMemo::Hint> hints_;  ///< by record
  AccessMemo memo_;
  std::vector<std::uint32_t> first_start_;   ///< by record: among start_costs_; of those with one segment
  std::vector<AccessCost> start_costs_;      ///< by slot; without a request: not yet known
  const CountBankSteps count_bank_steps_ = count_bank_steps();
  std::vector<BankSums*> banks_;     ///< by record; null where bank steps say nothing
  std::vector<BankSums> bank_sums_;  ///< by site
  std::vector<CountSectors> count_sectors_;  ///< by record
  std::vector<unsigned> shifts_;             ///< by record, progression_shift
  std::vector<ScatteredSums> scattered_;     ///< by site
  std::optional<AccessTrace> trace_;
  std::vector<AccessSample> samples_;      ///< by site
  std::vector<std::uint32_t> looked_at_;   ///< runs of each record that were considered
};

}  // namespace weft::device::counters
