#include "profiler/run.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "device/counters/counts_names.h"

namespace weft::profiler {

using device::counters::Counts;
using nlohmann::json;

namespace {

constexpr int kVersion = 1;

template <class Cost>
void read_cost(const json& text, Cost& cost) {
  device::counters::for_each_sum_of_cost(cost, [&](const char* name, auto& sum) { sum = text.value(name, std::uint64_t{0}); });
}

Counts read_counts(const json& text) {
  Counts counts;
  device::counters::for_each_cost(counts, [&](const char* name, auto& cost) {
    if (const auto found = text.find(name); found != text.end()) read_cost(*found, cost);
  });
  device::counters::for_each_sum(counts, [&](const char* name, std::uint64_t& sum) { sum = text.value(name, std::uint64_t{0}); });
  return counts;
}

/// Reads one process's record; its numbers become places in the run's lists.
class Reader {
 public:
  explicit Reader(Run& run) : run_(run) {}

  void line(const json& text) {
    if (text.contains("weft_record")) return start(text);
    if (!started_) throw std::runtime_error("no record of a run");
    if (text.contains("command")) return command(text);
    if (text.contains("counts")) return counts(text);
    if (text.contains("name")) return kernel(text);
    if (text.contains("source")) return program(text);
    if (text.contains("queue")) {
      queues_[text.at("queue")] = run_.queues.size();
      run_.queues.push_back({process_, text.at("queue"), text.value("in_order", true)});
    }
  }
  bool started() const { return started_; }

 private:
  void start(const json& text) {
    if (text.at("weft_record") != kVersion) throw std::runtime_error("a record of another version");
    started_ = true;
    process_ = run_.processes.size();
    run_.processes.push_back({text.at("process"), text.value("label", ""), text.at("command_line")});
    run_.capability = device::counters::parse_capability(text.at("capability").get<std::string>()).value_or(run_.capability);
    run_.gpu = device::counters::find_gpu(text.value("gpu", ""));
    run_.processor = text.value("device", "");
    run_.workers = text.value("workers", 0);
    run_.time = text.value("time", std::int64_t{0});
  }

  void program(const json& text) {
    Program program{text.at("source"), text.value("options", ""), text.value("has_source", true)};
    const auto same = std::find_if(run_.programs.begin(), run_.programs.end(), [&](const Program& one) {
      return one.source == program.source && one.options == program.options;
    });
    programs_[text.at("program")] = static_cast<std::size_t>(same - run_.programs.begin());
    if (same == run_.programs.end()) run_.programs.push_back(std::move(program));
  }

  void kernel(const json& text) {
    Kernel kernel{text.at("name"), programs_.at(text.at("program")), text.value("registers", std::uint64_t{0}),
                  text.value("local_bytes", std::uint64_t{0}), text.value("private_bytes", std::uint64_t{0}),
                  text.value("argument_bytes", std::uint64_t{0}), text.value("arguments", std::uint64_t{0})};
    const auto same = std::find_if(run_.kernels.begin(), run_.kernels.end(), [&](const Kernel& one) {
      return one.name == kernel.name && one.program == kernel.program;
    });
    kernels_[text.at("kernel")] = static_cast<std::size_t>(same - run_.kernels.begin());
    if (same == run_.kernels.end()) run_.kernels.push_back(std::move(kernel));
  }

  void counts(const json& text) {
    Counted counted;
    counted.kernel = kernels_.at(text.at("kernel"));
    counted.traced = text.value("traced", false);
    const json& resources = text.at("resources");
    counted.resources = {resources.at("group_items"), resources.at("item_registers"), resources.at("local_bytes"),
                         resources.at("argument_bytes")};
    counted.counts.total = read_counts(text.at("total"));
    for (const json& line : text.at("lines")) {
      counted.counts.lines.push_back({line.at("file"), line.at("line"), read_counts(line.at("counts"))});
    }
    for (const json& one : text.at("accesses")) {
      Access access;
      access.file = one.at("file");
      access.line = one.at("line");
      access.space = one.at("space");
      access.kind = one.at("kind");
      access.width = one.at("width");
      access.mask = one.at("mask");
      access.address = one.at("addresses");
      read_cost(one.at("cost"), access.cost);
      counted.accesses.push_back(std::move(access));
    }
    counts_[text.at("counts")] = run_.counted.size();
    run_.counted.push_back(std::move(counted));
  }

  void command(const json& text) {
    Command command;
    command.kind = text.at("command");
    command.queue = queues_.at(text.at("queue"));
    command.times_ns = text.at("times_ns");
    command.bytes = text.value("bytes", std::uint64_t{0});
    command.pinned = text.value("pinned", false);
    command.blocking = text.value("blocking", false);
    command.status = text.value("status", 0);
    command.memory_bytes = text.value("memory_bytes", std::uint64_t{0});
    if (const auto kernel = text.find("kernel"); kernel != text.end()) {
      command.kernel = kernels_.at(*kernel);
      command.global_size = text.at("global_size").get<std::vector<std::uint64_t>>();
      command.local_size = text.at("local_size").get<std::vector<std::uint64_t>>();
      if (const auto counts = text.find("counts"); counts != text.end()) command.counted = counts_.at(*counts);
    }
    run_.commands.push_back(std::move(command));
  }

  Run& run_;
  bool started_ = false;
  std::size_t process_ = 0;
  std::map<std::uint64_t, std::size_t> queues_, programs_, kernels_, counts_;
};

}  // namespace

void read_record(const std::filesystem::path& file, Run& run) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot be read");
  Reader reader(run);
  for (std::string text; std::getline(in, text);) {
    const json parsed = json::parse(text, nullptr, false);
    try {
      if (parsed.is_object()) {
        reader.line(parsed);
        continue;
      }
    } catch (const json::exception&) {  // not as expected
    } catch (const std::out_of_range&) {
    }
    if (!reader.started()) throw std::runtime_error("no record of a run");
    ++run.broken_lines;
  }
  if (!reader.started()) throw std::runtime_error("no record of a run");
}

void finish_reading(Run& run) {
  std::stable_sort(run.commands.begin(), run.commands.end(),
                   [](const Command& a, const Command& b) { return a.times_ns[2] < b.times_ns[2]; });
}

}  // namespace weft::profiler
