// CSV, and trace events.
#include <algorithm>

#include "profiler/outputs.h"

namespace weft::profiler {

using nlohmann::json;

namespace {

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

}  // namespace

std::string csv_text(const json& data) {
  std::string text = "kernel,launches,file,line,counter,unit,value\n";
  const json& meanings = data.at("counter_meanings");
  for (const json& kernel : data.at("kernels")) {
    const std::string start = quoted(kernel.at("label")) + ',' + std::to_string(kernel.at("counted").get<std::uint64_t>()) + ',';
    const auto add = [&](const std::string& place, const json& counters) {
      for (const auto& [name, value] : counters.items()) {
        text += start + place + name + ',' + meanings.at(name).at("unit").get<std::string>() + ',' + value.dump() + '\n';
      }
    };
    if (!kernel.contains("counters")) continue;
    add(",,", kernel.at("counters"));
    for (const json& line : kernel.at("lines")) {
      add(quoted(line.at("file")) + ',' + std::to_string(line.at("line").get<std::uint64_t>()) + ',', line.at("counters"));
    }
  }
  return text;
}

std::string trace_text(const Report& report) {
  const Run& run = report.run;
  json events = json::array();
  for (const Process& process : run.processes) {
    const std::string name = !process.label.empty() ? process.label : process.command_line.empty() ? "process" : process.command_line.front();
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", process.number}, {"args", {{"name", name}}}});
  }
  for (const Queue& queue : run.queues) {
    events.push_back({{"ph", "M"}, {"name", "thread_name"}, {"pid", run.processes[queue.process].number}, {"tid", queue.number},
                      {"args", {{"name", "queue " + std::to_string(queue.number)}}}});
  }
  std::uint64_t zero = UINT64_MAX;
  for (const Command& command : run.commands) {
    if (command.times_ns[2]) zero = std::min(zero, command.times_ns[2]);
  }
  const auto microseconds = [](std::uint64_t ns) { return static_cast<double>(ns) / 1000; };
  for (const Command& command : run.commands) {
    if (!command.times_ns[2]) continue;  // never ran
    const Request& request = run.request(command);
    json details = json::object();
    if (request.bytes) details["bytes"] = request.bytes;
    if (request.is_kernel()) details["global_size"] = request.global_size, details["local_size"] = request.local_size;
    if (request.is_transfer()) details["pinned"] = request.pinned;
    if (request.status) details["status"] = request.status;
    const Queue& queue = run.queues[request.queue];
    events.push_back({{"ph", "X"}, {"name", request.is_kernel() ? run.kernels[request.kernel].name : request.kind},
                      {"cat", request.is_kernel() ? "kernel" : "transfer"}, {"pid", run.processes[queue.process].number},
                      {"tid", queue.number}, {"ts", microseconds(command.times_ns[2] - zero)}, {"dur", microseconds(command.ran_ns())},
                      {"args", std::move(details)}});
  }
  return json{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ns"}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace weft::profiler
