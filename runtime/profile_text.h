// Reports of launches as text.
#pragma once

#include <string>

#include "device/counters/launch_report.h"

namespace weft::runtime {

/// One element of the array "launches", on one line.
std::string json_text(const device::counters::LaunchReport& report);

/// A row a counter: of the launch, and of each source line.
std::string csv_heading();
std::string csv_text(const device::counters::LaunchReport& report);

}  // namespace weft::runtime
