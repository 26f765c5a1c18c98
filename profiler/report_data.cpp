#include "profiler/report_data.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>

#include "device/counters/counter_list.h"
#include "device/counters/counts_names.h"
#include "device/counters/occupancy.h"
#include "profiler/estimate.h"

namespace weft::profiler {

using device::counters::Counter;
using device::counters::Counts;
using nlohmann::json;

namespace {

constexpr int kReportVersion = 1;

/// Under the GPU tools' names. Those of lines that are of nothing are left out.
json counters_of(const Counts& counts, const device::counters::LaunchReport& report, bool of_line) {
  json values = json::object();
  for (const Counter& counter : device::counters::all_counters()) {
    if (!counter.is_known_of(report) || (of_line && counter.scope != device::counters::Scope::kLine)) continue;
    if (of_line && (counter.is_ratio() ? counter.divisor(counts, report) : counter.sum(counts, report)) == 0) continue;
    if (counter.is_ratio()) {
      values[counter.name] = counter.ratio(counts, report);
    } else {
      values[counter.name] = counter.sum(counts, report);
    }
  }
  return values;
}

/// What the page draws of a line or a kernel: steps taken and the fewest possible.
json figures_of(const Counts& c) {
  const auto pair = [](std::uint64_t taken, std::uint64_t fewest) { return json::array({taken, fewest}); };
  json figures = json::object();
  const auto add = [&](const char* name, std::uint64_t taken, std::uint64_t fewest) {
    if (taken || fewest) figures[name] = pair(taken, fewest);
  };
  add("loads", c.global_load.transactions, c.global_load.fewest);
  add("stores", c.global_store.transactions, c.global_store.fewest);
  add("atomics", c.global_atomic.transactions + c.global_reduction.transactions, c.global_atomic.fewest + c.global_reduction.fewest);
  add("local", c.local_load.passes + c.local_store.passes + c.local_atomic.passes + c.local_reduction.passes,
      c.local_load.fewest + c.local_store.fewest + c.local_atomic.fewest + c.local_reduction.fewest);
  add("constant", c.constant_load.passes, c.constant_load.fewest);
  add("private", c.private_load.transactions + c.private_store.transactions, c.private_load.fewest + c.private_store.fewest);
  add("images", c.image_load.sectors + c.image_store.sectors, c.image_load.fewest + c.image_store.fewest);
  if (c.branches) figures["branches"] = pair(c.branches, c.divergent_branches);
  figures["instructions"] = c.warp_instructions();
  figures["lanes"] = c.lane_predicated_on;
  figures["waste"] = wasted_steps(c);
  return figures;
}

json sizes_of(const Configuration& one) { return {{"global_size", one.global_size}, {"local_size", one.local_size}}; }

const char* limit_of(device::counters::OccupancyLimit limit) {
  using device::counters::OccupancyLimit;
  switch (limit) {
    case OccupancyLimit::groups: return "groups";
    case OccupancyLimit::warps: return "warps";
    case OccupancyLimit::registers: return "registers";
    case OccupancyLimit::local_memory: return "local memory";
    case OccupancyLimit::launch_fails: break;
  }
  return "does not fit";
}

json kernel_data(const Run& run, const KernelUse& use, const std::string& label) {
  const Kernel& kernel = run.kernels[use.kernel];
  json data = {{"name", kernel.name}, {"label", label}, {"program", kernel.program}, {"launches", use.launches.size()}, {"counted", use.counted},
               {"time_ns", use.time_ns}, {"registers", kernel.registers}, {"private_bytes", kernel.private_bytes},
               {"arguments", kernel.arguments}, {"memory_bytes", use.memory_bytes}};
  std::vector<std::uint64_t> times;
  for (const std::size_t launch : use.launches) times.push_back(run.commands[launch].ran_ns());
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const std::pair ends(*least, *most);
  const auto median = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), median, times.end());
  data["times_ns"] = {{"least", ends.first}, {"median", *median}, {"most", ends.second}};
  json& configurations = data["configurations"] = json::array();
  for (const Configuration& one : use.configurations) {
    json entry = sizes_of(one);
    entry["launches"] = one.launches;
    entry["counted"] = one.counted;
    entry["time_ns"] = one.time_ns;
    entry["groups"] = one.groups();
    if (one.counted) {
      const auto occupancy = device::counters::occupancy(run.capability, one.resources);
      entry["occupancy"] = {{"warps", occupancy.warps}, {"most", occupancy.max_warps}, {"groups", occupancy.groups},
                            {"percent", 100 * occupancy.ratio()}, {"limit", limit_of(occupancy.limit)}};
      entry["local_bytes"] = one.resources.local_bytes;
    }
    configurations.push_back(std::move(entry));
    if (configurations.size() == 100) break;  // a kernel that never has the same size twice
  }
  data["more_configurations"] = use.configurations.size() - configurations.size();
  if (use.counted == 0) return data;
  data["counters"] = counters_of(use.total, use.report, false);
  data["figures"] = figures_of(use.total);
  if (const auto estimated = estimate_of(run, use)) {
    data["estimate"] = {{"ns", estimated->ns()}, {"memory_ns", estimated->memory_ns}, {"issue_ns", estimated->issue_ns},
                        {"latency_ns", estimated->latency_ns}, {"bound", spelled(estimated->bound())}, {"bandwidth_gb_s", estimated->bandwidth_gb_s},
                        {"assumptions", assumptions(run.gpu->capability)}};
  }
  json& lines = data["lines"] = json::array();
  for (const auto& line : use.lines) {
    lines.push_back({{"file", line.file}, {"line", line.line}, {"figures", figures_of(line.counts)},
                     {"counters", counters_of(line.counts, use.report, true)}});
  }
  json& accesses = data["accesses"] = json::array();
  for (const Access& access : use.accesses) {
    json cost = json::object();
    device::counters::for_each_sum_of_cost(access.cost, [&](const char* name, std::uint64_t value) {
      if (value) cost[name] = value;
    });
    accesses.push_back({{"file", access.file}, {"line", access.line}, {"space", access.space}, {"kind", access.kind},
                        {"width", access.width}, {"mask", access.mask}, {"addresses", access.address}, {"cost", std::move(cost)}});
  }
  return data;
}

}  // namespace

Report make_report(Run run, std::vector<std::string> command_line, std::string ending) {
  Report report;
  report.run = std::move(run);
  report.uses = uses_of(report.run);
  report.labels = labels_of(report.run, report.uses);
  report.findings = findings_of(report.run, report.uses);
  report.command_line = std::move(command_line);
  report.ending = std::move(ending);
  return report;
}

json report_data(const Report& report) {
  const Run& run = report.run;
  json data = {{"weftprof_report", kReportVersion},
               {"command_line", report.command_line},
               {"ending", report.ending},
               {"capability", std::to_string(run.capability.major) + "." + std::to_string(run.capability.minor)},
               {"gpu", run.gpu ? run.gpu->name : ""},
               {"processor", run.processor},
               {"workers", run.workers},
               {"time", run.time}};
  json& processes = data["processes"] = json::array();
  for (const Process& process : run.processes) processes.push_back({{"number", process.number}, {"label", process.label}, {"command_line", process.command_line}});
  json& queues = data["queues"] = json::array();
  for (const Queue& queue : run.queues) queues.push_back({{"process", queue.process}, {"number", queue.number}, {"in_order", queue.in_order}});
  json& programs = data["programs"] = json::array();
  for (const Program& program : run.programs) {
    json files = json::array();
    for (const SourceFile& file : program.files) {
      if (program.text_of(file.name) == &file.text) files.push_back({{"name", file.name}, {"text", file.text}});
    }
    programs.push_back({{"source", program.source}, {"has_source", program.has_source}, {"options", program.options}, {"files", std::move(files)}});
  }
  json& kernels = data["kernels"] = json::array();
  for (std::size_t i = 0; i < report.uses.size(); ++i) kernels.push_back(kernel_data(run, report.uses[i], report.labels[i]));
  json& findings = data["findings"] = json::array();
  for (const Finding& finding : report.findings) {
    const Advice& said = advice(finding.id);
    findings.push_back({{"id", said.name}, {"title", said.title}, {"section", said.section}, {"severity", said.severity}, {"advice", said.text},
                        {"kernel", finding.use == kNone ? -1 : static_cast<std::int64_t>(finding.use)}, {"file", finding.file},
                        {"line", finding.line}, {"steps", finding.steps}, {"detail", finding.detail}});
  }
  json& units = data["counter_meanings"] = json::object();
  for (const Counter* counter : device::counters::counters_of(run.capability)) {
    units[counter->name] = {{"unit", device::counters::spelled(counter->unit)}, {"meaning", counter->description}};
  }
  return data;
}

std::string commands_text(const Report& report) {
  const Run& run = report.run;
  std::uint64_t zero = UINT64_MAX;
  for (const Command& command : run.commands) {
    for (const std::uint64_t time : command.times_ns) {
      if (time) zero = std::min(zero, time);
    }
  }
  std::vector<std::int64_t> use_of(run.kernels.size());
  for (std::size_t i = 0; i < report.uses.size(); ++i) use_of[report.uses[i].kernel] = static_cast<std::int64_t>(i);
  json kinds = json::array();
  std::vector<std::size_t> kind_of(run.requests.size());  // among kinds
  for (std::size_t i = 0; i < run.requests.size(); ++i) {
    kind_of[i] = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), run.requests[i].kind) - kinds.begin());
    if (kind_of[i] == kinds.size()) kinds.push_back(run.requests[i].kind);
  }
  std::string text = "{\"kinds\":" + kinds.dump(-1, ' ', false, json::error_handler_t::replace) + ",\"columns\":";
  text.reserve(text.size() + 100 * run.commands.size());  // mostly enough
  constexpr std::size_t kMost = 21;                        // digits or a sign, and a comma
  const auto column = std::make_unique_for_overwrite<char[]>(kMost * run.commands.size() + 1);
  const auto add = [&](const char* name, auto value_of) {
    char* at = column.get();
    for (const Command& command : run.commands) {
      const auto value = value_of(command);
      if (value >= 0 && value < 10) *at++ = static_cast<char>('0' + value);  // as most are
      else at = std::to_chars(at, at + kMost, value).ptr;
      *at++ = ',';
    }
    if (!run.commands.empty()) --at;
    (((text += text.ends_with(':') ? "{\"" : ",\"") += name) += "\":[").append(column.get(), at) += ']';
  };
  add("kind", [&](const Command& command) { return kind_of[command.request]; });
  add("queue", [&](const Command& command) { return run.request(command).queue; });
  constexpr const char* kTimes[] = {"queued", "submitted", "started", "ended"};
  for (std::size_t i = 0; i < std::size(kTimes); ++i) {
    add(kTimes[i], [&](const Command& command) { return command.times_ns[i] ? command.times_ns[i] - zero : 0; });
  }
  add("bytes", [&](const Command& command) { return run.request(command).bytes; });
  add("flags", [&](const Command& command) {
    const Request& request = run.request(command);
    return (request.pinned ? 1 : 0) + (request.blocking ? 2 : 0) + (command.counted != kNone ? 4 : 0);
  });
  add("kernel", [&](const Command& command) { return run.request(command).is_kernel() ? use_of[run.request(command).kernel] : -1; });
  add("status", [&](const Command& command) { return run.request(command).status; });
  return text += "}}";
}

std::array<std::string, 3> report_text(const json& data, std::string commands, int indent) {
  std::string text = data.dump(indent, ' ', false, json::error_handler_t::replace);
  text.pop_back();  // the object's end
  while (text.back() == '\n') text.pop_back();
  return {std::move(text += ",\"commands\":"), std::move(commands), "}"};
}

}  // namespace weft::profiler
