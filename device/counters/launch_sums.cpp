#include "device/counters/launch_sums.h"

#include <array>
#include <bit>

#include "device/counters/counts_names.h"

namespace weft::device::counters {

Counts LaunchSums::Line::counts() const {
  SumArray all{};
  for (std::size_t i = 0; i < sums.size(); ++i) all[places[i]] = sums[i];
  return std::bit_cast<Counts>(all);
}

Counts LaunchSums::total() const {
  SumArray all{};
  if (!layout) return {};
  for (std::size_t i = layout->of_launch; i < sums.size(); ++i) all[layout->places[i]] += sums[i];
  for (std::size_t i = 0; i < layout->of_launch; ++i) all[layout->places[i]] = sums[i];
  return std::bit_cast<Counts>(all);
}

std::vector<LineCounts> LaunchSums::lines() const {
  std::vector<LineCounts> lines;
  for_each_line([&](const Line& line) { lines.push_back({line.place.file, line.place.line, line.counts()}); });
  return lines;
}

}  // namespace weft::device::counters
