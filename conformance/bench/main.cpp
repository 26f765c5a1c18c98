// weft-bench: the same kernels on Weft and on every other platform that the loader finds, in one run, in
// turn.
//
//   weft-bench [--rounds N] [--only TEXT] [--platform TEXT] [--markdown] [--check] [--no-latency] [--best]
//
// --only keeps the cases, --platform the platforms whose name contains the text. --check compares results and
// measures nothing; the exit status tells whether all were right. --best prints the shortest times in place
// of the medians, for a machine that is not at rest. Name the platforms by OCL_ICD_VENDORS, a folder with an
// .icd file each, where the system's own list is not wanted.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bench/peaks.h"
#include "bench/runner.h"

namespace weft::bench {
namespace {

struct Options {
  int rounds = 7;
  std::string only;
  std::string platform;
  bool markdown = false;
  bool check = false;
  bool latency = true;
  bool best = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (word == "--rounds")
      options.rounds = std::atoi(next());
    else if (word == "--only")
      options.only = next();
    else if (word == "--platform")
      options.platform = next();
    else if (word == "--markdown")
      options.markdown = true;
    else if (word == "--check")
      options.check = true;
    else if (word == "--no-latency")
      options.latency = false;
    else if (word == "--best")
      options.best = true;
    else {
      std::fprintf(stderr,
                   "weft-bench [--rounds N] [--only TEXT] [--platform TEXT] [--markdown] [--check] "
                   "[--no-latency] [--best]\n");
      std::exit(2);
    }
  }
  return options;
}

std::string number(double value, const char* format = "%.3g") {
  char text[32];
  std::snprintf(text, sizeof text, value >= 1000 ? "%.0f" : format, value);
  return text;
}

/// Lines of cells, as an aligned table or as Markdown.
void print(const std::vector<std::vector<std::string>>& lines, bool markdown) {
  std::vector<std::size_t> widths(lines[0].size(), 0);
  const auto length = [](const std::string& text) {  // in characters, not bytes
    std::size_t n = 0;
    for (unsigned char c : text) n += (c & 0xc0) != 0x80;
    return n;
  };
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], length(line[i]));
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::string pad(widths[i] - length(lines[n][i]), ' ');
      const std::string cell = i == 0 ? lines[n][i] + pad : pad + lines[n][i];
      std::printf(markdown ? "| %s " : "%s  ", cell.c_str());
    }
    std::printf(markdown ? "|\n" : "\n");
    if (markdown && n == 0) {
      for (std::size_t i = 0; i < lines[0].size(); ++i) std::printf(i == 0 ? "|---" : "|---:");
      std::printf("|\n");
    }
  }
}

void report(const std::vector<Row>& rows, const std::vector<Peer>& peers, const Options& options) {
  std::vector<std::vector<std::string>> lines(1);
  lines[0].push_back("kernel");
  for (const Peer& peer : peers) lines[0].push_back(peer.name + ", ms");
  for (std::size_t i = 1; i < peers.size(); ++i)
    lines[0].push_back(peers[0].name + " is faster than " + peers[i].name + " by");
  if (peers.size() == 2) lines[0].back() = "ratio";
  lines[0].push_back("wall ratio");
  lines[0].push_back(peers[0].name + " rate");
  for (const Row& row : rows) {
    std::vector<std::string> line = {row.name};
    for (const Times& t : row.times) {
      const bool micro = row.unit == "us";
      line.push_back(t.problem.empty() ? number(t.kernel_ms) + (micro ? " us" : "") : "failed");
    }
    const Times& first = row.times[0];
    for (std::size_t i = 1; i < peers.size(); ++i) {
      const bool both = first.problem.empty() && row.times[i].problem.empty() && first.kernel_ms > 0;
      line.push_back(both ? number(row.times[i].kernel_ms / first.kernel_ms) + "x" : "-");
    }
    const bool walls =
        peers.size() > 1 && first.wall_ms > 0 && first.problem.empty() && row.times[1].problem.empty();
    line.push_back(walls ? number(row.times[1].wall_ms / first.wall_ms) + "x" : "-");
    line.push_back(row.work > 0 && first.kernel_ms > 0
                       ? number(row.work / (1e-3 * first.kernel_ms)) + " " + row.unit
                       : "-");
    lines.push_back(line);
  }
  print(lines, options.markdown);
}

int run(const Options& options) {
  std::vector<Peer> peers = find_peers(options.platform);
  if (peers.empty()) {
    std::fprintf(stderr, "weft-bench: the loader finds no platform with a device\n");
    return 1;
  }
  std::vector<Row> rows;
  for (const auto& group : {memory_cases(), matrix_cases(), compute_cases(), parallel_cases()}) {
    for (const Case& c : group) {
      if (c.name.find(options.only) == std::string::npos) continue;
      if (isatty(2)) std::fprintf(stderr, "%s\n", c.name.c_str());
      rows.push_back(run_case(c, peers, options.check ? 0 : options.rounds, options.best));
    }
  }
  if (!options.check) {
    if (options.latency && options.only.empty()) {
      for (Row& row : run_latencies(peers, options.rounds, options.best)) rows.push_back(std::move(row));
    }
    report(rows, peers, options);
    const Peaks peaks = measure_peaks();
    std::printf(
        "\nThis machine: %s GFLOP/s of float FMA, %s GB/s of memcpy (read and written), all processors. "
        "%s of %d rounds in turn.\n",
        number(peaks.gflops).c_str(), number(peaks.copy_gbs).c_str(),
        options.best ? "Shortest times" : "Medians", options.rounds);
  }
  int problems = 0;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < peers.size(); ++i)
      if (!row.times[i].problem.empty()) {
        ++problems;
        std::printf("%s on %s: %s\n", row.name.c_str(), peers[i].name.c_str(),
                    row.times[i].problem.substr(0, 2000).c_str());
      }
  if (options.check && problems == 0)
    std::printf("%zu results right on %zu platforms\n", rows.size() * peers.size(), peers.size());
  return problems ? 1 : 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  const auto options = weft::bench::parse(argc, argv);
  // Builds are timed cold: nothing may come from a cache of an earlier run. Set before any platform is
  // loaded.
  const auto fresh = std::filesystem::temp_directory_path() / ("weft-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(fresh);
  setenv("WEFT_CACHE", "0", 1);
  setenv("POCL_CACHE_DIR", fresh.c_str(), 1);
  int result = 1;
  try {
    result = weft::bench::run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft-bench: %s\n", error.what());
  }
  std::filesystem::remove_all(fresh);
  return result;
}
