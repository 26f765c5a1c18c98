// weft-bench: the same kernels on Weft and on every other platform that the loader finds, in one run, in
// turn.
// Name the platforms by OCL_ICD_VENDORS, a folder with an .icd file each, where the system's own list is not wanted.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "bench/builds.h"
#include "bench/report.h"

namespace weft::bench {
namespace {

struct Options {
  int rounds = 7;
  std::string only;
  std::vector<std::string> platforms;
  std::string native = "native";
  std::string spirv;
  std::string json;
  bool markdown = false;
  bool check = false;
  bool latency = true;
  bool best = false;
};

/// Returns the exit status if the program is to end.
std::optional<int> read_command_line(int argc, char** argv, Options& options) {
  CLI::App app("The same kernels on every platform that the loader finds, in turn.", "weft-bench");
  app.add_option("--rounds", options.rounds, "rounds of measurement (default 7)")->check(CLI::PositiveNumber);
  app.add_option("--only", options.only, "the cases whose name contains this, or of this file in kernels/; \"launches\" and \"builds\" are two more");
  app.add_option("--platform", options.platforms,
                 "the platforms whose name contains this, or one of several with commas between; the native code's is \"C++\"")
      ->delimiter(',');
  app.add_option("--native", options.native, "the processor that the native code is made for (default native, the one that built it)")
      ->check(CLI::IsMember({"native", "haswell", "nehalem"}));
  app.add_option("--spirv", options.spirv,
                 "Weft once more, its programs from modules: what the shell command `COMMAND OPTIONS FILE.cl` writes")
      ->type_name("COMMAND");
  app.add_option("--json", options.json, "write the figures for report.py, which makes the documentation's tables of "
                                         "them and compares two runs")
      ->type_name("FILE");
  app.add_flag("--markdown", options.markdown, "print a table of Markdown");
  app.add_flag("--check", options.check, "compare results and measure nothing; the exit status tells whether all are right");
  app.add_flag("--best", options.best, "the shortest times in place of the medians, for a machine that is not at rest");
  app.add_flag_callback("--no-latency", [&] { options.latency = false; }, "leave launches and builds out");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& problem) {
    std::fprintf(stderr, "weft-bench: %s (see --help)\n", problem.what());
    return 2;
  }
  return std::nullopt;
}

int run(const Options& options) {
  std::vector<Peer> peers = find_peers(options.platforms);
  if (!options.spirv.empty()) add_spirv_peers(peers, options.spirv);
  add_native_peer(peers, options.native, options.platforms);
  if (peers.empty()) {
    std::fprintf(stderr, "weft-bench: the loader finds no platform with a device\n");
    return 1;
  }
  std::vector<Row> rows;
  for (const auto& group : {memory_cases(), matrix_cases(), compute_cases(), image_cases(), parallel_cases(),
                            irregular_cases(), texture_cases(), sub_group_cases(), dense_cases(), field_cases()}) {
    for (const Case& c : group) {
      if (c.name.find(options.only) == std::string::npos && c.file != options.only) continue;
      if (isatty(2)) std::fprintf(stderr, "%s\n", c.name.c_str());
      rows.push_back(run_case(c, peers, options.check ? 0 : options.rounds, options.best));
    }
  }
  if (!options.check) {
    const auto add = [&](const char* what, auto measure) {
      if (!options.latency || std::string(what).find(options.only) == std::string::npos) return;
      for (Row& row : measure(peers, options.rounds, options.best)) rows.push_back(std::move(row));
    };
    add("launches", run_launches);
    add("builds", run_builds);
    const Report report{std::move(rows), peers, measure_peaks(), options.rounds, options.best};
    print(report, options.markdown);
    if (!options.json.empty()) write_json(report, options.json);
    rows = report.rows;
  }
  int problems = 0, results = 0;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < peers.size(); ++i) {
      results += !row.times[i].absent;
      if (!row.times[i].problem.empty()) {
        problems += !(row.needs_warps && i > 0);
        std::printf("%s on %s: %s\n", row.name.c_str(), peers[i].name.c_str(),
                    row.times[i].problem.substr(0, 2000).c_str());
      }
    }
  if (options.check && problems == 0)
    std::printf("%d results right on %zu platforms\n", results, peers.size());
  return problems ? 1 : 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;
  try {
    if (argc == 4 && argv[1] == std::string(kFirstRun)) {
      first_run(argv[2], argv[3]);
      return 0;
    }
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  Options options;
  if (const std::optional<int> ended = read_command_line(argc, argv, options)) return *ended;
  // Nothing may come from a cache of an earlier run. Set before any platform is loaded.
  const auto fresh = std::filesystem::temp_directory_path() / ("weft-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(fresh / "pocl");
  setenv("WEFT_CACHE", "0", 1);  // first_run turns it on
  setenv("WEFT_CACHE_DIR", (fresh / "weft").c_str(), 1);
  setenv("POCL_CACHE_DIR", (fresh / "pocl").c_str(), 1);
  int result = 1;
  try {
    result = run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft-bench: %s\n", error.what());
  }
  std::filesystem::remove_all(fresh);
  return result;
}
