// Reports of launches as text.
#pragma once

#include <cstdint>
#include <string>

#include "device/counters/launch_report.h"

namespace weft::runtime {

/// One element of the array "launches", on one line.
std::string json_text(const device::counters::LaunchReport& report);

/// A row a counter: of the launch, with no file and no line, then of each source line, where it is not 0. `number` counts the
/// launches of the file from 0.
std::string csv_heading();
std::string csv_text(const device::counters::LaunchReport& report, std::uint64_t number);

}  // namespace weft::runtime
