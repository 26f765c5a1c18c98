#include "profiler/run.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "device/counters/counts_names.h"

namespace weft::profiler {

using device::counters::Counts;
using nlohmann::json;

namespace {

constexpr int kVersion = 3;

/// "[1,20,300]", as the record has lists. False: it is something else.
bool read_list(std::string_view text, std::vector<std::uint64_t>& numbers) {
  numbers.clear();
  if (text.empty() || text.front() != '[') return false;
  const char* at = text.data();
  const char* const end = at + text.size();
  do {
    std::uint64_t number = 0;
    const auto [next, error] = std::from_chars(at + 1, end, number);
    if (error != std::errc() || next == end) return false;
    numbers.push_back(number);
    at = next;
  } while (*at == ',');
  return *at == ']' && at + 1 == end;
}

template <class Cost>
void read_cost(const json& text, Cost& cost) {
  device::counters::for_each_sum_of_cost(cost, [&](const char* name, auto& sum) { sum = text.value(name, std::uint64_t{0}); });
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
    if (text.contains("access")) return access(text);
    if (text.contains("name")) return kernel(text);
    if (text.contains("source")) return program(text);
    if (text.contains("queue")) {
      queues_[text.at("queue")] = run_.queues.size();
      run_.queues.push_back({process_, text.at("queue"), text.value("in_order", true)});
    }
  }
  /// Most lines are lists of numbers.
  void line(const std::vector<std::uint64_t>& numbers) {
    if (!started_) throw std::runtime_error("no record of a run");
    if (numbers.at(0) == 0) return like(numbers);
    Command command = commands_.at(numbers[0]);
    for (std::size_t i = 0; i < 4; ++i) command.times_ns[i] = numbers.at(i + 1);
    if (numbers.size() > 5) command.counted = counts_.at(numbers[5]);
    run_.commands.push_back(std::move(command));
  }
  bool started() const { return started_; }

 private:
  /// Pairs of a sum's place among the names of the first line and its value. Sums that are not known here are left out later.
  void read_sums(const json& pairs, std::size_t line, CountedShape& shape, std::vector<std::uint64_t>& sums) const {
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      shape.sums.push_back({line, places_.at(pairs[i].get<std::size_t>())});
      sums.push_back(pairs[i + 1]);
    }
  }

  void start(const json& text) {
    if (text.at("weft_record") != kVersion) throw std::runtime_error("a record of another version");
    started_ = true;
    const std::vector<std::string> known = device::counters::names_of_sums();
    for (const std::string name : text.at("sums")) {
      const auto found = std::find(known.begin(), known.end(), name);
      places_.push_back(found == known.end() ? kNone : static_cast<std::size_t>(found - known.begin()));
    }
    process_ = run_.processes.size();
    run_.processes.push_back({text.at("process"), text.value("label", ""), text.at("command_line")});
    run_.capability = device::counters::parse_capability(text.at("capability").get<std::string>()).value_or(run_.capability);
    run_.gpu = device::counters::find_gpu(text.value("gpu", ""));
    run_.processor = text.value("device", "");
    run_.workers = text.value("workers", 0);
    run_.time = text.value("time", std::int64_t{0});
  }

  void program(const json& text) {
    Program program{text.at("source"), text.value("options", ""), text.value("has_source", true), {}};
    for (const json& file : text.value("files", json::array())) program.files.push_back({file.at("name"), file.at("text")});
    const auto same = std::find_if(run_.programs.begin(), run_.programs.end(), [&](const Program& one) {
      return one.source == program.source && one.options == program.options &&
             std::equal(one.files.begin(), one.files.end(), program.files.begin(), program.files.end(),
                        [](const SourceFile& a, const SourceFile& b) { return a.name == b.name && a.text == b.text; });
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

  void access(const json& text) {
    Access access;
    access.file = text.at("file");
    access.line = text.at("line");
    access.space = text.at("space");
    access.kind = text.at("kind");
    access.width = text.at("width");
    access.mask = text.at("mask");
    access.address = text.at("addresses");
    read_cost(text.at("cost"), access.cost);
    accesses_[text.at("access")] = run_.accesses.size();
    run_.accesses.push_back(std::move(access));
  }

  void counts(const json& text) {
    CountedShape shape;
    Counted counted{run_.shapes.size(), {}, {}};
    shape.kernel = kernels_.at(text.at("kernel"));
    shape.traced = text.value("traced", false);
    const json& resources = text.at("resources");
    shape.resources = {resources.at("group_items"), resources.at("item_registers"), resources.at("local_bytes"),
                       resources.at("argument_bytes")};
    read_sums(text.at("total"), kNone, shape, counted.sums);
    for (const json& line : text.at("lines")) {
      shape.lines.push_back({line.at("file"), line.at("line")});
      read_sums(line.at("counts"), shape.lines.size() - 1, shape, counted.sums);
    }
    for (const json& number : text.at("accesses")) counted.accesses.push_back(accesses_.at(number));
    counts_[text.at("counts")] = run_.counted.size();
    run_.counted.push_back(std::move(counted));
    run_.shapes.push_back(std::move(shape));
  }

  /// 0, their number, that of the counts that they are like, how many accesses, these, and pairs of what differs.
  void like(const std::vector<std::uint64_t>& numbers) {
    Counted counted = run_.counted.at(counts_.at(numbers.at(2)));
    counted.accesses.clear();
    std::size_t at = 4;
    for (const std::size_t end = at + numbers.at(3); at < end; ++at) counted.accesses.push_back(accesses_.at(numbers.at(at)));
    for (; at + 1 < numbers.size(); at += 2) counted.sums.at(numbers[at]) = numbers[at + 1];
    counts_[numbers[1]] = run_.counted.size();
    run_.counted.push_back(std::move(counted));
  }

  void command(const json& text) {
    Command command;
    command.kind = text.at("command");
    command.queue = queues_.at(text.at("queue"));
    command.bytes = text.value("bytes", std::uint64_t{0});
    command.pinned = text.value("pinned", false);
    command.blocking = text.value("blocking", false);
    command.status = text.value("status", 0);
    command.memory_bytes = text.value("memory_bytes", std::uint64_t{0});
    if (const auto kernel = text.find("kernel"); kernel != text.end()) {
      command.kernel = kernels_.at(*kernel);
      command.global_size = text.at("global_size").get<std::vector<std::uint64_t>>();
      command.local_size = text.at("local_size").get<std::vector<std::uint64_t>>();
    }
    commands_[text.at("number")] = std::move(command);
  }

  Run& run_;
  bool started_ = false;
  std::size_t process_ = 0;
  std::vector<std::size_t> places_;  ///< in names_of_sums, of the record's sums; kNone: one that is not known here
  std::unordered_map<std::uint64_t, std::size_t> queues_, programs_, kernels_, accesses_, counts_;
  std::unordered_map<std::uint64_t, Command> commands_;  ///< without times
};

}  // namespace

const std::string* Program::text_of(const std::string& file) const {
  if (has_source && is_program_source(file)) return &source;
  const std::string* text = nullptr;
  for (const SourceFile& one : files) {
    if (one.name != file) continue;
    if (text && *text != one.text) return nullptr;  // two headers of one name: whose line it is cannot be told
    text = &one.text;
  }
  return text;
}

void read_record(const std::filesystem::path& file, Run& run) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot be read");
  Reader reader(run);
  std::vector<std::uint64_t> numbers;
  for (std::string text; std::getline(in, text);) {
    if (text.empty()) continue;  // a process that was killed leaves such at the end
    try {
      if (read_list(text, numbers)) {
        reader.line(numbers);
        continue;
      }
      if (const json parsed = json::parse(text, nullptr, false); parsed.is_object()) {
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
  const auto earlier = [](const Command& a, const Command& b) { return a.times_ns[2] < b.times_ns[2]; };
  if (!std::is_sorted(run.commands.begin(), run.commands.end(), earlier)) std::stable_sort(run.commands.begin(), run.commands.end(), earlier);
}

}  // namespace weft::profiler
