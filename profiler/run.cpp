#include "profiler/run.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include "device/counters/counts_names.h"

namespace weft::profiler {

using nlohmann::json;

namespace {

constexpr int kVersion = 4;

/// "[1,20,300]", as the record has lists. False: it is something else.
bool read_list(std::string_view text, std::vector<std::uint64_t>& numbers) {
  constexpr std::ptrdiff_t kMostDigits = 19;  // that no number overflows with
  numbers.clear();
  if (!text.starts_with('[') || !text.ends_with(']')) return false;
  const char* at = text.data();
  const char* const end = at + text.size() - 1;
  while (at < end) {
    const char* const first = ++at;  // behind a bracket or a comma
    std::uint64_t number = 0;
    for (unsigned digit; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at) number = 10 * number + digit;
    if (at == first || (*at != ',' && at != end)) return false;
    if (at - first > kMostDigits && std::from_chars(first, at, number).ec != std::errc()) return false;
    numbers.push_back(number);
  }
  return true;
}

/// Where the run has what the record numbers: from 1, hardly one left out.
class Numbers {
 public:
  void set(std::uint64_t number, std::size_t place) {
    if (number >= places_.size()) {
      if (number > places_.size() + kGap) throw std::out_of_range("a number");
      places_.resize(number + 1, kNone);
    }
    places_[number] = place;
  }
  std::size_t at(std::uint64_t number) const {
    if (number >= places_.size() || places_[number] == kNone) throw std::out_of_range("a number");
    return places_[number];
  }

 private:
  static constexpr std::size_t kGap = 1 << 16;
  std::vector<std::size_t> places_;
};

/// Reads one process's record; its numbers become places in the run's lists.
class Reader {
 public:
  explicit Reader(Run& run) : run_(run) {}

  void line(const json& text) {
    if (text.contains("weft_record")) return start(text);
    if (!started_) throw std::runtime_error("no record of a run");
    if (text.contains("command")) return request(text);
    if (text.contains("shape")) return shape(text);
    if (text.contains("name")) return kernel(text);
    if (text.contains("source")) return program(text);
    if (text.contains("queue")) {
      queues_.set(text.at("queue"), run_.queues.size());
      run_.queues.push_back({process_, text.at("queue"), text.value("in_order", true)});
    }
  }
  /// Most lines are lists of numbers.
  void line(const std::vector<std::uint64_t>& numbers) {
    if (!started_) throw std::runtime_error("no record of a run");
    if (numbers.at(0) == 0) return numbers.at(1) == 0 ? access(numbers) : counts(numbers);
    Command command;
    command.request = requests_.at(numbers[0]);
    for (std::size_t i = 0; i < 4; ++i) command.times_ns[i] = numbers.at(i + 1) ? start_ns_ + numbers[i + 1] : 0;
    if (numbers.size() > 5) command.counted = counts_.at(numbers[5]);
    run_.commands.push_back(command);
  }
  bool started() const { return started_; }

 private:
  /// Of places in the first line's names those among the names here.
  void read_places(const json& places, CountedShape& shape) const {
    for (const json& place : places) shape.places.push_back(places_.at(place.get<std::size_t>()));
  }

  void start(const json& text) {
    if (text.at("weft_record") != kVersion) throw std::runtime_error("a record of another version");
    for (Numbers* const numbers : {&queues_, &programs_, &kernels_, &accesses_, &shapes_, &counts_, &requests_}) *numbers = {};
    places_.clear();
    started_ = true;
    const std::vector<std::string> known = device::counters::names_of_sums();
    for (const std::string name : text.at("sums")) {
      const auto found = std::find(known.begin(), known.end(), name);
      places_.push_back(found == known.end() ? kNone : static_cast<std::size_t>(found - known.begin()));
    }
    costs_ = text.at("costs").get<std::vector<std::string>>();
    start_ns_ = text.at("start_ns");
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
    programs_.set(text.at("program"), static_cast<std::size_t>(same - run_.programs.begin()));
    if (same == run_.programs.end()) run_.programs.push_back(std::move(program));
  }

  void kernel(const json& text) {
    Kernel kernel{text.at("name"), programs_.at(text.at("program")), text.value("registers", std::uint64_t{0}),
                  text.value("local_bytes", std::uint64_t{0}), text.value("private_bytes", std::uint64_t{0}),
                  text.value("argument_bytes", std::uint64_t{0}), text.value("arguments", std::uint64_t{0})};
    const auto same = std::find_if(run_.kernels.begin(), run_.kernels.end(), [&](const Kernel& one) {
      return one.name == kernel.name && one.program == kernel.program;
    });
    kernels_.set(text.at("kernel"), static_cast<std::size_t>(same - run_.kernels.begin()));
    if (same == run_.kernels.end()) run_.kernels.push_back(std::move(kernel));
  }

  /// 0, 0, its number, its shape's, its site there, the mask, the sums of its cost, and the lanes' addresses.
  void access(const std::vector<std::uint64_t>& numbers) {
    const CountedShape& shape = run_.shapes[shapes_.at(numbers.at(3))];
    const CountedShape::Site& site = shape.sites.at(numbers.at(4));
    Access access{shape.lines.at(site.line).file, shape.lines[site.line].line, site.space, site.kind, site.width,
                  static_cast<std::uint32_t>(numbers.at(5)), {}, {}};
    std::size_t at = 6;
    for (std::uint64_t* const sum : costs_of(access.cost)) {
      const std::uint64_t value = numbers.at(at++);
      if (sum) *sum = value;
    }
    for (std::uint64_t& address : access.address) address = numbers.at(at++);
    accesses_.set(numbers[2], run_.accesses.size());
    run_.accesses.push_back(std::move(access));
  }

  /// Where the sums go that the record names; null: nowhere.
  std::vector<std::uint64_t*> costs_of(device::counters::CostSums& cost) const {
    std::vector<std::uint64_t*> all;
    for (const std::string& name : costs_) {
      all.push_back(nullptr);
      device::counters::for_each_sum_of_cost(cost, [&](const char* known, std::uint64_t& sum) {
        if (name == known) all.back() = &sum;
      });
    }
    return all;
  }

  void shape(const json& text) {
    CountedShape shape;
    shape.kernel = kernels_.at(text.at("kernel"));
    shape.traced = text.value("traced", false);
    const json& resources = text.at("resources");
    shape.resources = {resources.at("group_items"), resources.at("item_registers"), resources.at("local_bytes"),
                       resources.at("argument_bytes")};
    read_places(text.at("total"), shape);
    shape.of_launch = shape.places.size();
    for (const json& line : text.at("lines")) {
      const std::size_t first = shape.places.size();
      read_places(line.at("sums"), shape);
      shape.lines.push_back({line.at("file"), line.at("line"), first, shape.places.size() - first});
    }
    for (const json& site : text.at("sites")) shape.sites.push_back({site.at("line"), site.at("space"), site.at("kind"), site.at("width")});
    shapes_.set(text.at("shape"), run_.shapes.size());
    run_.shapes.push_back(std::move(shape));
  }

  /// 0, their number, their shape's, that of the counts that they are like or 0, how many accesses, these, and pairs of a sum's place in the
  /// shape and its value.
  void counts(const std::vector<std::uint64_t>& numbers) {
    Counted counted{shapes_.at(numbers.at(2)), run_.sums.size(), run_.counted_accesses.size(), numbers.at(4)};
    const std::size_t num_sums = run_.shapes[counted.shape].places.size(), accesses_end = 5 + counted.num_accesses;
    const Counted* const like = numbers.at(3) ? &run_.counted[counts_.at(numbers[3])] : nullptr;
    if (counted.num_accesses > numbers.size() - 5 || (like && like->shape != counted.shape)) throw std::out_of_range("counts");
    for (std::size_t i = 5; i < accesses_end; ++i) accesses_.at(numbers[i]);
    for (std::size_t i = accesses_end; i + 1 < numbers.size(); i += 2) {
      if (numbers[i] >= num_sums) throw std::out_of_range("counts");
    }
    for (std::size_t i = 5; i < accesses_end; ++i) run_.counted_accesses.push_back(accesses_.at(numbers[i]));
    run_.sums.resize(counted.first_sum + num_sums);
    std::uint64_t* const sums = run_.sums.data() + counted.first_sum;
    if (like) std::copy_n(run_.sums.data() + like->first_sum, num_sums, sums);
    for (std::size_t i = accesses_end; i + 1 < numbers.size(); i += 2) sums[numbers[i]] = numbers[i + 1];
    counts_.set(numbers[1], run_.counted.size());
    run_.counted.push_back(counted);
  }

  void request(const json& text) {
    Request request;
    request.kind = text.at("command");
    request.queue = queues_.at(text.at("queue"));
    request.bytes = text.value("bytes", std::uint64_t{0});
    request.pinned = text.value("pinned", false);
    request.blocking = text.value("blocking", false);
    request.status = text.value("status", 0);
    request.memory_bytes = text.value("memory_bytes", std::uint64_t{0});
    if (const auto kernel = text.find("kernel"); kernel != text.end()) {
      request.kernel = kernels_.at(*kernel);
      request.global_size = text.at("global_size").get<std::vector<std::uint64_t>>();
      request.local_size = text.at("local_size").get<std::vector<std::uint64_t>>();
    }
    requests_.set(text.at("number"), run_.requests.size());
    run_.requests.push_back(std::move(request));
  }

  Run& run_;
  bool started_ = false;
  std::size_t process_ = 0;
  std::uint64_t start_ns_ = 0;  ///< of the monotonic clock
  std::vector<std::size_t> places_;  ///< in names_of_sums, of the record's sums; kNone: one that is not known here
  std::vector<std::string> costs_;
  Numbers queues_, programs_, kernels_, accesses_, shapes_, counts_, requests_;
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
  // Room for what is to come, about as much as there is text: what is not used is never touched, and nothing is moved.
  std::error_code unknown;
  const std::uintmax_t size = std::min<std::uintmax_t>(std::filesystem::file_size(file, unknown), std::size_t{1} << 24);
  if (!unknown) {
    run.commands.reserve(run.commands.size() + size / 32);
    run.counted.reserve(run.counted.size() + size / 64);
    run.sums.reserve(run.sums.size() + size / 2);
  }
  Reader reader(run);
  std::vector<std::uint64_t> numbers;
  const auto read_line = [&](std::string_view text) {
    if (text.empty()) return;  // a process that was killed leaves such at the end
    try {
      if (read_list(text, numbers)) return reader.line(numbers);
      if (const json parsed = json::parse(text, nullptr, false); parsed.is_object()) return reader.line(parsed);
    } catch (const json::exception&) {  // not as expected
    } catch (const std::out_of_range&) {
    }
    if (!reader.started()) throw std::runtime_error("no record of a run");
    ++run.broken_lines;
  };
  std::string text(std::size_t{1} << 16, '\0');  // a piece of the file, the beginning of its last line moved to the front for the next
  std::size_t kept = 0;
  for (;;) {
    if (kept == text.size()) text.resize(2 * text.size());
    in.read(text.data() + kept, static_cast<std::streamsize>(text.size() - kept));
    const std::size_t size = kept + static_cast<std::size_t>(in.gcount());
    std::string_view rest(text.data(), size);
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) read_line(rest.substr(0, end));
    if (in.eof()) {
      read_line(rest);
      break;
    }
    kept = rest.size();
    std::memmove(text.data(), rest.data(), kept);
    if (!in) break;
  }
  if (!reader.started()) throw std::runtime_error("no record of a run");
}

void finish_reading(Run& run) {
  const auto earlier = [](const Command& a, const Command& b) { return a.times_ns[2] < b.times_ns[2]; };
  if (!std::is_sorted(run.commands.begin(), run.commands.end(), earlier)) std::stable_sort(run.commands.begin(), run.commands.end(), earlier);
}

}  // namespace weft::profiler
