// What a launch counted, as numbers without names: what each is of is said once, for all launches of the same code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device/counters/access_sample.h"
#include "device/counters/counts.h"

namespace weft::device::counters {

/// The sums that launches of one piece of counted code can have.
struct SumsLayout {
  struct Line {
    std::string file;
    std::uint32_t line = 0;                ///< 0: not known
    std::uint32_t first = 0, num_sums = 0;  ///< among `places`
  };
  /// A memory instruction.
  struct Site {
    std::uint32_t line = 0;  ///< of `lines`
    AccessKind kind;
  };
  std::uint64_t id = 0;                ///< no other layout of this process has it
  std::uint32_t of_launch = 0;         ///< so many of `places`, the first, are of the launch as a whole, the rest of its lines
  std::vector<std::uint32_t> places;  ///< of each sum, in names_of_sums
  std::vector<Line> lines;             ///< by file and line
  std::vector<Site> sites;
};

/// A launch that is over, or a part of it.
struct LaunchSums {
  std::shared_ptr<const SumsLayout> layout;  ///< null: nothing was counted
  std::vector<std::uint64_t> sums;           ///< as many as places
  std::vector<AccessSample> samples;         ///< by site, if the model samples; those of images, and of sites that did not run, are empty

  /// What a line did.
  struct Line {
    const SumsLayout::Line& place;
    std::span<const std::uint32_t> places;
    std::span<const std::uint64_t> sums;
    Counts counts() const;
  };
  /// Calls f(Line) for those that did anything, by file and line.
  template <class F>
  void for_each_line(F&& f) const {
    if (!layout) return;
    for (const SumsLayout::Line& line : layout->lines) {
      const std::span of_line = std::span(sums).subspan(line.first, line.num_sums);
      if (std::ranges::all_of(of_line, [](std::uint64_t sum) { return sum == 0; })) continue;
      f(Line{line, std::span(layout->places).subspan(line.first, line.num_sums), of_line});
    }
  }

  /// Of the whole launch: those of its lines added up, but for those that the launch has itself.
  Counts total() const;
  std::vector<LineCounts> lines() const;

  /// The first of the launch's own.
  void add_size(std::uint64_t groups, std::uint64_t warps) {
    sums[0] += groups;
    sums[1] += warps;
  }
  void add_groups_without_some(std::uint64_t groups) { sums[2] += groups; }
};

}  // namespace weft::device::counters
