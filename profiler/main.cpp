// weftprof: runs an OpenCL program on Weft and reports what a GPU would have done with it (docs/weftprof.md).
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include "device/counters/capability.h"
#include "device/counters/gpus.h"
#include "profiler/child.h"
#include "profiler/outputs.h"
#include "profiler/ranks.h"

namespace weft::profiler {
namespace {

namespace fs = std::filesystem;

/// weftprof's own failure; what cannot be run is 126, what is not there 127, as `env` has it.
constexpr int kFailure = 125;

struct Arguments {
  std::string html = "weftprof.html", json, csv, trace, record;
  std::string capability, device, kernels, device_type;
  bool traced = false, quiet = false, no_report = false, progress = false;
  std::vector<std::string> compare, read, command_line;
  std::vector<std::uint64_t> between;  ///< nanoseconds of the monotonic clock: from, to; empty: always
};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A folder that goes when the program ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "weftprof-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Failure("no temporary folder: " + name + ": " + std::strerror(errno));
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The platform beside this program, as built or as installed.
fs::path platform_library() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {"../lib", "../" WEFT_LIBRARY_FOLDER}) {
    const fs::path library = here / folder / "libweft.so";
    if (fs::exists(library)) return fs::canonical(library);
  }
  throw Failure("libweft.so is neither in " + (here / "../lib").lexically_normal().string() + " nor in " +
                (here / "../" WEFT_LIBRARY_FOLDER).lexically_normal().string());
}

/// Before the program runs, so that nothing is run in vain. Leaves what is there.
void require_writable(const std::string& file) {
  if (file.empty()) return;
  const bool was_there = fs::exists(file);
  std::ofstream out(file, std::ios::app);
  if (!out) throw Failure(file + ": " + std::strerror(errno));
  out.close();
  if (!was_there) fs::remove(file);
}

/// `write` is called with a stream, unless there is to be no such file.
template <class F>
  requires std::invocable<F, std::ostream&>
void write_file(const std::string& file, F&& write) {
  if (file.empty()) return;
  std::ofstream out(file, std::ios::binary);
  write(out);
  out.close();
  if (!out) throw Failure(file + ": " + std::strerror(errno));
}

void write_file(const std::string& file, const std::string& text) {
  write_file(file, [&](std::ostream& out) { out << text; });
}

void write_all(const Arguments& arguments, const Report& report) {
  const nlohmann::json data = report_data(report);
  std::array<std::string, 3> text = report_text(data, commands_text(report), -1);
  if (!arguments.no_report) write_file(arguments.html, [&](std::ostream& out) { write_html(out, text); });
  if (!arguments.json.empty()) {
    const std::array<std::string, 3> indented = report_text(data, std::move(text[1]), 1);
    write_file(arguments.json, [&](std::ostream& out) { out << indented[0] << indented[1] << indented[2] << '\n'; });
  }
  if (!arguments.csv.empty()) write_file(arguments.csv, csv_text(data));
  if (!arguments.trace.empty()) write_file(arguments.trace, trace_text(report));
  if (!arguments.quiet) {
    std::cerr << summary_text(report);
    if (!arguments.no_report) std::cerr << "\nReport: " << arguments.html << '\n';
  }
}

std::map<std::string, std::string> environment_for(const Arguments& arguments, const fs::path& folder, const std::optional<Rank>& rank) {
  std::string of_rank;  // with zeros, so that names are in the ranks' order
  if (rank) of_rank = std::to_string(1'000'000 + rank->rank).replace(0, 1, "rank-") + '-';
  const fs::path vendors = rank ? folder / (of_rank + "vendors") : folder;
  fs::create_directory(vendors);
  write_file(vendors / "weft.icd", platform_library().string() + '\n');
  std::map<std::string, std::string> environment;
  // Debian's loader and Khronos's both take a folder; what names single libraries would bring others in.
  environment["OCL_ICD_VENDORS"] = vendors;
  environment["OCL_ICD_FILENAMES"] = "";
  environment["WEFT_RECORD"] = folder / (of_rank + "%p.jsonl");
  if (rank) environment["WEFT_RECORD_LABEL"] = "rank " + std::to_string(rank->rank);
  if (!arguments.kernels.empty()) environment["WEFT_RECORD_KERNELS"] = arguments.kernels;
  if (!arguments.capability.empty()) environment["WEFT_COMPUTE_CAPABILITY"] = arguments.capability;
  if (!arguments.device.empty()) environment["WEFT_DEVICE"] = arguments.device;
  if (arguments.traced) environment["WEFT_PROFILE_TRACE"] = "1";
  // Its cache has binaries, in which there is no text of the source.
  environment["PYOPENCL_NO_CACHE"] = "1";
  // Programs for GPUs ask for one.
  if (!arguments.device_type.empty()) environment["WEFT_DEVICE_TYPE"] = arguments.device_type;
  else if (!std::getenv("WEFT_DEVICE_TYPE")) environment["WEFT_DEVICE_TYPE"] = "all";
  return environment;
}

/// Records of a folder; of what is no record stderr is told.
Run read_records(const std::vector<fs::path>& files) {
  Run run;
  for (const fs::path& file : files) {
    try {
      read_record(file, run);
    } catch (const std::runtime_error& error) {
      std::cerr << "weftprof: " << file.string() << ": " << error.what() << '\n';
    }
  }
  finish_reading(run);
  return run;
}

std::vector<fs::path> records_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Of what processes have left in `folder`.
void report_on(const Arguments& arguments, const fs::path& folder, const std::string& ending) {
  const std::vector<fs::path> files = records_of(folder);
  Run run = read_records(files);
  if (run.commands.empty()) {
    std::cerr << "weftprof: " << arguments.command_line.front() << " ran no OpenCL command on Weft"
              << (run.processes.empty() ? " (it made no queue or kernel there, or used another platform)" : "") << "; there is no report\n";
    return;
  }
  if (!arguments.record.empty()) {
    std::ofstream out(arguments.record, std::ios::binary);
    for (const fs::path& file : files) out << std::ifstream(file, std::ios::binary).rdbuf();
  }
  write_all(arguments, make_report(std::move(run), arguments.command_line, ending));
}

/// "page.html" becomes "page.HOST.html".
std::string of_host(const std::string& file) {
  char name[256] = {};
  if (file.empty() || gethostname(name, sizeof name - 1) != 0) return file;
  fs::path path = file;
  return path.replace_extension(std::string(name) + path.extension().string());
}

int profile(Arguments arguments) {
  const std::optional<Rank> rank = this_rank();
  // Clocks of different machines are no common time line: a report for each.
  if (rank && !rank->everywhere) {
    for (std::string* file : {&arguments.html, &arguments.json, &arguments.csv, &arguments.trace, &arguments.record}) *file = of_host(*file);
  }
  for (const std::string* file : {&arguments.json, &arguments.csv, &arguments.trace, &arguments.record}) require_writable(*file);
  if (!arguments.no_report) require_writable(arguments.html);
  const TemporaryFolder temporary;
  std::optional<RankFolder> shared;
  if (rank) shared.emplace(*rank, fs::absolute(arguments.html));
  const fs::path& folder = shared ? shared->path() : temporary.path();
  const auto environment = environment_for(arguments, folder, rank);
  // One line of progress for all ranks.
  const bool says_progress = arguments.progress || (!arguments.quiet && isatty(2) && (!rank || rank->rank == 0));
  const Ending ending = run_program(arguments.command_line, environment, folder, says_progress);
  const std::string& program = arguments.command_line.front();
  std::string how = ending.signal ? signal_name(ending.signal) : "exit " + std::to_string(ending.code);
  if (!ending.not_started.empty()) {
    how = ending.not_started;
    std::cerr << "weftprof: " << program << ": " << how << '\n';
  }
  if (ending.signal) std::cerr << "weftprof: " << program << " was ended by " << signal_name(ending.signal) << '\n';
  if (shared) {
    const auto endings = shared->leave(how);
    if (!endings) return ending.code;
    how = ending_of_ranks(*endings);
  }
  if (ending.not_started.empty() || shared) report_on(arguments, folder, how);
  if (shared) shared->remove();
  return ending.code;
}

int read_only(const Arguments& arguments) {
  Run run = read_records({arguments.read.begin(), arguments.read.end()});
  if (!arguments.between.empty()) {
    std::erase_if(run.commands, [&](const Command& command) {
      return command.times_ns[2] < arguments.between[0] || command.times_ns[2] > arguments.between[1];
    });
  }
  if (run.commands.empty()) throw Failure("no commands in what was to be read");
  std::vector<std::string> command_line = run.processes.empty() ? std::vector<std::string>() : run.processes.front().command_line;
  write_all(arguments, make_report(std::move(run), std::move(command_line), ""));
  return 0;
}

int run(int count, char** words) {
  Arguments arguments;
  CLI::App app("Runs an OpenCL program on Weft and reports what a GPU would have done with it.", "weftprof");
  app.footer("weftprof [options] PROGRAM [ARGUMENTS]: exits as the program does; 125: weftprof failed, 126, 127: no program.");
  app.prefix_command();
  app.add_option("-o,--output", arguments.html, "The report, a page that any browser opens")->capture_default_str();
  app.add_flag("--no-report", arguments.no_report, "No page");
  app.add_option("--json", arguments.json, "The report's data");
  app.add_option("--csv", arguments.csv, "Counters of kernels and lines, a row each");
  app.add_option("--trace", arguments.trace, "Commands as trace events, for Perfetto and chrome://tracing");
  app.add_option("--record", arguments.record, "Keep the record of the run");
  app.add_option("-c,--capability", arguments.capability, "The GPU's compute capability, as 1.3 or 9.0")
      ->check([](const std::string& text) {
        if (device::counters::parse_capability(text)) return std::string();
        std::string known;
        for (const auto& one : device::counters::known_capabilities()) known += " " + std::to_string(one.major) + "." + std::to_string(one.minor);
        return "no model of " + text + "; known:" + known;
      });
  app.add_option("-d,--device", arguments.device, "The GPU that the run is modelled on, as \"GeForce GTX 280\": its limits, its rules, an estimate of time")
      ->check([](const std::string& text) {
        if (device::counters::find_gpu(text)) return std::string();
        std::string known;
        for (const auto& gpu : device::counters::known_gpus()) known += std::string(known.empty() ? " " : ", ") + gpu.name;
        return "no model of \"" + text + "\"; known:" + known;
      });
  app.add_option("-k,--kernels", arguments.kernels, "Count these alone: NAME, NAME:N or NAME:N-M, with commas; * and ? in a name");
  app.add_option("--device-type", arguments.device_type, "What the device says it is; all unless WEFT_DEVICE_TYPE is set")
      ->check(CLI::IsMember({"cpu", "gpu", "all"}));
  app.add_flag("--traced", arguments.traced, "Count what depends on the order of accesses, too: slower");
  app.add_flag("-q,--quiet", arguments.quiet, "No summary and no progress");
  app.add_flag("--progress", arguments.progress, "A line of progress each second, even if stderr is no terminal");
  app.add_option("--compare", arguments.compare, "Two reports, .html or .json: say what changed")->expected(2);
  app.add_option("--read", arguments.read, "Report on records of runs instead of running a program");
  app.add_option("--between", arguments.between, "With --read: commands that started between these times of the monotonic clock, in ns")
      ->expected(2);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kFailure;
  }
  arguments.command_line = app.remaining();
  if (!arguments.command_line.empty() && arguments.command_line.front() == "--") arguments.command_line.erase(arguments.command_line.begin());
  if (!arguments.compare.empty()) {
    const nlohmann::json before = read_report(arguments.compare[0]), after = read_report(arguments.compare[1]);
    std::cout << comparison_text(before, after);
    return 0;
  }
  if (!arguments.read.empty()) return read_only(arguments);
  if (arguments.command_line.empty()) {
    std::cerr << "weftprof: which program? weftprof [options] PROGRAM [ARGUMENTS]; --help says more\n";
    return kFailure;
  }
  if (arguments.command_line.front().starts_with('-')) throw Failure("unknown option " + arguments.command_line.front() + "; --help lists them");
  return profile(arguments);
}

}  // namespace
}  // namespace weft::profiler

int main(int count, char** words) {
  // What grows and what is freed is used again, where mappings of their own would be cleared by the system each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 26);
  mallopt(M_TRIM_THRESHOLD, 1 << 26);
  try {
    return weft::profiler::run(count, words);
  } catch (const std::exception& error) {
    std::cerr << "weftprof: " << error.what() << '\n';
    return weft::profiler::kFailure;
  }
}
