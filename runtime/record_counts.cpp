#include "runtime/record_counts.h"

#include <cstring>

#include "device/counters/counts_names.h"
#include "runtime/record_text.h"

namespace weft::runtime {

using device::counters::Counts;
using device::counters::LaunchReport;
using device::counters::LineAccess;

std::size_t RecordedCounts::OfHash::operator()(const Hash& hash) const noexcept {
  std::size_t first;
  std::memcpy(&first, hash.data(), sizeof first);
  return first;
}

std::vector<std::uint64_t> RecordedCounts::access_numbers(const LaunchReport& report, std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (const LineAccess& access : report.counts.accesses) {
    auto [one, is_new] = accesses_.try_emplace(access_hash(access), accesses_.size() + 1);
    if (is_new) text += access_text(access).number("access", one->second).line();
    numbers.push_back(one->second);
  }
  return numbers;
}

std::uint64_t RecordedCounts::number(std::uint64_t kernel, const LaunchReport& report, std::string& text) {
  sums_.clear();
  places_.clear();
  const auto add = [&](const Counts& counts) {
    device::counters::for_each_numbered_sum(counts, [&](unsigned place, std::uint64_t sum) {
      if (sum == 0) return;
      sums_.push_back(sum);
      places_.push_back(place);
    });
    places_.push_back(UINT64_MAX);
  };
  add(report.counts.total);
  for (const auto& line : report.counts.lines) add(line.counts);
  Hasher hasher = counts_shape(kernel, report);
  hasher.bytes(places_.data(), places_.size() * sizeof places_[0]);
  const Hash shape = hasher.finish();
  hasher.bytes(sums_.data(), sums_.size() * sizeof sums_[0]);
  auto [known, is_new] = counts_.try_emplace(hasher.finish(), counts_.size() + 1);
  const std::uint64_t number = known->second;
  if (!is_new) return number;
  auto [base, is_first] = bases_.try_emplace(shape, Base{number, {}});
  const std::vector<std::uint64_t> accesses = access_numbers(report, text);
  if (is_first) {
    base->second.sums = sums_;
    text += counts_text(kernel, report).numbers("accesses", accesses).number("counts", number).line();
  } else {
    text += like_line(number, base->second.number, accesses, base->second.sums, sums_);
  }
  return number;
}

}  // namespace weft::runtime
