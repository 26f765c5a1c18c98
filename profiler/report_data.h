// A run as one JSON object: what the page shows, --json writes and --compare reads (docs/weftprof.md).
#pragma once

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

nlohmann::json report_data(const Report& report);

}  // namespace weft::profiler
