// The counts of launches in the record of a run (docs/weftprof.md): each written once, and those that differ from others in a few sums
// as the difference.
#pragma once

#include <cstdint>
#include <map>
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
  struct OfHash {
    std::size_t operator()(const Hash& hash) const noexcept;
  };
  /// The first of those that have sums other than 0 at the same places.
  struct Base {
    std::uint64_t number = 0;
    std::vector<std::uint64_t> sums;  ///< those that are not 0
  };

  std::vector<std::uint64_t> access_numbers(const device::counters::LaunchReport& report, std::string& text);

  std::unordered_map<Hash, std::uint64_t, OfHash> accesses_, counts_;
  std::unordered_map<Hash, Base, OfHash> bases_;
  std::vector<std::uint64_t> sums_, places_;  ///< of the launch that is looked at
};

}  // namespace weft::runtime
