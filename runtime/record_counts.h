// The counts of launches in the record of a run (docs/weftprof.md): each written once, as the difference to others.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/counters/launch_report.h"
#include "runtime/hash.h"

namespace weft::runtime {

/// Not thread-safe.
class RecordedCounts {
 public:
  /// The number of the launch's counts in the record, from 1; what the record lacks for it is appended to `text`.
  std::uint64_t number(std::uint64_t kernel, const device::counters::LaunchReport& report, std::string& text);

 private:
  /// What launches have in common whose counts are told by the same sums.
  struct ShapeKey {
    std::uint64_t layout = 0, kernel = 0;
    device::counters::KernelResources resources;
    bool operator==(const ShapeKey&) const = default;
  };
  struct Shape {
    std::uint64_t number = 0;
    std::uint64_t last = 0;           ///< of the counts written last; 0: none
    std::vector<std::uint64_t> sums;  ///< theirs, or zeros
    std::unordered_map<Hash, std::uint64_t, HashOfBytes> counts;  ///< all that were written, by their sums
  };
  /// Runs of an access that cost the same and have as many lanes are one to the record: a report shows one of those that waste most.
  struct AccessKey {
    std::uint64_t shape = 0;
    std::uint32_t site = 0, lanes = 0;
    device::counters::AccessCost cost;
    bool operator==(const AccessKey&) const = default;
  };

  Shape& shape_of(std::uint64_t kernel, const device::counters::LaunchReport& report, std::string& text);
  std::uint64_t access_number(const AccessKey& key, const device::counters::LaunchReport& report, std::string& text);

  std::unordered_map<ShapeKey, Shape, HashOfBytes> shapes_;
  std::unordered_map<AccessKey, std::uint64_t, HashOfBytes> accesses_;
  std::uint64_t counts_ = 0;
  std::vector<std::uint64_t> list_;  ///< of the launch that is looked at
};

}  // namespace weft::runtime
