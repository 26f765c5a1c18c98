// The counters as the outside sees them: names of GPU tools, units, and how each is computed. Made from counter_list.def.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/counters/launch_report.h"

namespace weft::device::counters {

enum class Unit : std::uint8_t { kEvents, kBytes, kPercent };
enum class Scope : std::uint8_t {
  kLaunch,  ///< of a launch alone
  kLine,    ///< of a launch, and of each source line of it
};

struct Counter {
  const char* name;
  Unit unit;
  Scope scope;
  bool is_traced;           ///< known of traced launches alone
  Capability first, last;   ///< those that have it
  const char* description;  ///< for people, a line
  const char* formula;      ///< as the list has it
  using Sum = std::uint64_t (*)(const Counts& c, const LaunchReport& r);
  Sum sum;                  ///< the value, or the dividend
  Sum divisor;              ///< null: the value is an integer, else a ratio of sums
  double factor, if_empty;  ///< of ratios: what they are multiplied by; their value where the divisor is 0

  bool is_ratio() const { return divisor != nullptr; }
  bool has(Capability capability) const { return first <= capability && capability <= last; }
  bool is_known_of(const LaunchReport& launch) const { return has(launch.capability) && (!is_traced || launch.is_traced); }
  /// Of a ratio. `counts` is of the launch or of a line.
  double ratio(const Counts& counts, const LaunchReport& launch) const {
    const std::uint64_t over = divisor(counts, launch);
    return over == 0 ? if_empty : factor * static_cast<double>(sum(counts, launch)) / static_cast<double>(over);
  }
};

/// All, in the list's order. A name may stand there twice, for different capabilities.
std::span<const Counter> all_counters();

/// Those that a capability has, in the list's order.
std::vector<const Counter*> counters_of(Capability capability);

const char* spelled(Unit unit);

/// The list for people, a Markdown table for each range of capabilities.
std::string describe_counters();

}  // namespace weft::device::counters
