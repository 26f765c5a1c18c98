// The files that weftprof writes.
#pragma once

#include <ostream>
#include <span>
#include <string>

#include "profiler/report_data.h"

namespace weft::profiler {

/// The page, with all that it needs inside. `report`: report_text.
void write_html(std::ostream& out, std::span<const std::string> report);

/// A row a counter: of each kernel, then of each of its lines.
std::string csv_text(const nlohmann::json& data);

/// Trace events, as Perfetto and chrome://tracing open them: a process each, a thread a queue.
std::string trace_text(const Report& report);

/// For the terminal, at most 80 columns wide.
std::string summary_text(const Report& report);

/// What changed from one report's data to another's, at most 80 columns wide.
std::string comparison_text(const nlohmann::json& before, const nlohmann::json& after);

/// The data in a page or a JSON file that weftprof wrote. Throws std::runtime_error.
nlohmann::json read_report(const std::string& file);

}  // namespace weft::profiler
