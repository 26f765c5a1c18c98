#include "runtime/record_kernels.h"

#include <fnmatch.h>

#include <charconv>
#include <cstdio>

namespace weft::runtime {
namespace {

bool read(std::string_view digits, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

RecordedKernels::RecordedKernels(std::string_view list) {
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    if (item.empty()) continue;
    Entry entry;
    const std::size_t colon = item.find(':');
    entry.pattern = item.substr(0, colon);
    bool is_good = !entry.pattern.empty();
    if (colon != item.npos) {
      const std::string_view range = item.substr(colon + 1);
      const std::size_t dash = range.find('-');
      is_good = is_good && read(range.substr(0, dash), entry.first);
      entry.last = entry.first;
      if (dash != range.npos) is_good = is_good && read(range.substr(dash + 1), entry.last);
    }
    if (is_good) {
      entries_.push_back(std::move(entry));
    } else {
      std::fprintf(stderr, "weft: WEFT_RECORD_KERNELS: %.*s is no name, name:N or name:N-M\n", static_cast<int>(item.size()),
                   item.data());
    }
  }
}

bool RecordedKernels::take(const std::string& kernel) {
  if (takes_all()) return true;
  const std::uint64_t number = launches_[kernel]++;
  for (const Entry& entry : entries_) {
    if (number >= entry.first && number <= entry.last && fnmatch(entry.pattern.c_str(), kernel.c_str(), 0) == 0) return true;
  }
  return false;
}

}  // namespace weft::runtime
