// A run as one JSON object: what the page shows, --json writes and --compare reads (docs/weftprof.md).
#pragma once

#include <array>

#include <nlohmann/json.hpp>

#include "profiler/findings.h"

namespace weft::profiler {

struct Report {
  Run run;
  std::vector<KernelUse> uses;
  std::vector<std::string> labels;  ///< of `uses`
  std::vector<Finding> findings;
  std::vector<std::string> command_line;  ///< of what was started
  std::string ending;                     ///< "exit 0", "SIGSEGV (...)"; empty: not known
};

Report make_report(Run run, std::vector<std::string> command_line, std::string ending);

/// All but the commands.
nlohmann::json report_data(const Report& report);

/// The commands, a JSON object of columns: a row a command, times from the first. As text, as there may be very many.
std::string commands_text(const Report& report);

/// Both, as one object. `indent`: of the data's lines; -1: it is one line. Parts that follow each other.
std::array<std::string, 3> report_text(const nlohmann::json& data, std::string commands, int indent);

}  // namespace weft::profiler
