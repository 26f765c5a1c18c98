// Which launches the record of a run counts (WEFT_RECORD_KERNELS).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::runtime {

class RecordedKernels {
 public:
  /// "name", "name:N" or "name:N-M" with commas; a name with * and ? is a pattern. Says on stderr what it cannot read.
  explicit RecordedKernels(std::string_view list);

  /// Whatever is asked of `take`: true.
  bool takes_all() const { return entries_.empty(); }
  /// Of the kernel's next launch.
  bool take(const std::string& kernel);

 private:
  struct Entry {
    std::string pattern;
    std::uint64_t first = 0, last = UINT64_MAX;
  };
  std::vector<Entry> entries_;  ///< none: all; never changed
  std::map<std::string, std::uint64_t> launches_;
};

}  // namespace weft::runtime
