// What a run of weft-bench found, as a table to read and as JSON for report.py.
#pragma once

#include <string>
#include <vector>

#include "bench/peaks.h"
#include "bench/runner.h"

namespace weft::bench {

struct Report {
  std::vector<Row> rows;
  const std::vector<Peer>& peers;
  Peaks peaks;
  int rounds;
  bool best;
};

/// To stdout, aligned or as Markdown.
void print(const Report& report, bool markdown);

/// Throws std::runtime_error if the file cannot be written.
void write_json(const Report& report, const std::string& path);

}  // namespace weft::bench
