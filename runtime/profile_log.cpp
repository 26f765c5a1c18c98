// The form is that of version 2.0's logs: a heading of comments, the names of the columns, then "name=[ value ]" by launch, or
// values with commas. Times are microseconds, of the counted launch on this machine; time stamps nanoseconds in hexadecimal.
#include "runtime/profile_log.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "device/counters/counter_list.h"
#include "device/engine.h"
#include "runtime/options.h"

namespace weft::runtime {

using device::counters::Capability;
using device::counters::Counter;
using device::counters::LaunchReport;

namespace {

std::string decimal(const char* form, double value) {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string microseconds(std::uint64_t from, std::uint64_t to) {
  return decimal("%.3f", to > from ? static_cast<double>(to - from) / 1000 : 0);
}

std::string hexadecimal(std::uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

using Size = std::array<std::uint64_t, 3>;

Size groups_of(const LaunchReport& report) {
  Size groups;
  for (unsigned d = 0; d < 3; ++d) groups[d] = (report.global_size[d] + report.local_size[d] - 1) / report.local_size[d];
  return groups;
}

/// A column, or three side by side with commas.
struct Column {
  std::string name;
  std::vector<std::string> csv_names;
  std::string (*text)(const LaunchReport&) = nullptr;
  const Counter* counter = nullptr;

  std::string value(const LaunchReport& report) const {
    if (!counter) return text(report);
    if (counter->is_ratio()) return decimal("%.3f", counter->ratio(report.counts.total(), report));
    return std::to_string(counter->sum(report.counts.total(), report));
  }
};

std::string spelled(const Size& size) {
  return std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " + std::to_string(size[2]);
}

/// Those that every log has, after the time stamps.
const Column kMethod = {"method", {}, [](const LaunchReport& r) { return r.kernel; }, nullptr};
const Column kGpuTime = {"gputime", {}, [](const LaunchReport& r) { return microseconds(r.started_ns, r.ended_ns); }, nullptr};
const Column kCpuTime = {"cputime", {}, [](const LaunchReport& r) { return microseconds(r.enqueued_ns, r.started_ns); }, nullptr};
const Column kOccupancy = {
    "occupancy", {}, [](const LaunchReport& r) { return decimal("%.3f", occupancy(r.capability, r.resources).ratio()); }, nullptr};

/// What a configuration may name beside counters, by the words of OpenCL and of CUDA.
const Column kStamps[] = {
    {"timestamp", {}, [](const LaunchReport& r) { return microseconds(0, r.started_ns); }, nullptr},
    {"gpustarttimestamp", {}, [](const LaunchReport& r) { return hexadecimal(r.started_ns); }, nullptr},
    {"gpuendtimestamp", {}, [](const LaunchReport& r) { return hexadecimal(r.ended_ns); }, nullptr},
};
std::string groups_text(const LaunchReport& r) { return spelled(groups_of(r)); }
std::string local_text(const LaunchReport& r) { return spelled(r.local_size); }
std::string local_bytes_text(const LaunchReport& r) { return std::to_string(r.resources.local_bytes); }
std::string registers_text(const LaunchReport& r) { return std::to_string(r.resources.item_registers); }
const Column kOptions[] = {
    {"ndrangesize", {"ndrangesizeX", "ndrangesizeY", "ndrangesizeZ"}, groups_text, nullptr},
    {"gridsize", {"gridsizeX", "gridsizeY", "gridsizeZ"}, groups_text, nullptr},
    {"workgroupsize", {"workgroupsizeX", "workgroupsizeY", "workgroupsizeZ"}, local_text, nullptr},
    {"threadblocksize", {"threadblocksizeX", "threadblocksizeY", "threadblocksizeZ"}, local_text, nullptr},
    {"stapmemperworkgroup", {}, local_bytes_text, nullptr},
    {"stasmemperblock", {}, local_bytes_text, nullptr},
    {"regperworkitem", {}, registers_text, nullptr},
    {"regperthread", {}, registers_text, nullptr},
    {"streamid", {}, [](const LaunchReport&) { return std::string("0"); }, nullptr},
};

struct Log {
  std::vector<Column> columns;
  bool is_csv = false;

  std::string heading() const {
    std::string text = "# OPENCL_PROFILE_LOG_VERSION 2.0\n# OPENCL_DEVICE 0 Weft\n# OPENCL_CONTEXT 1\n";
    if (is_csv) text += "# OPENCL_PROFILE_CSV 1\n";
    text += "# TIMESTAMPFACTOR ";
    text += hexadecimal(device::now_ns());
    text += '\n';
    const char* separator = "";
    for (const Column& column : columns) {
      const std::vector<std::string> one = {column.name};
      for (const std::string& name : is_csv && !column.csv_names.empty() ? column.csv_names : one) {
        text += separator + name;
        separator = ",";
      }
    }
    return text + "\n";
  }

  std::string row(const LaunchReport& report) const {
    std::string text;
    for (const Column& column : columns) {
      std::string value = column.value(report);
      if (!text.empty()) text += is_csv ? ',' : ' ';
      if (is_csv) {
        std::erase(value, ' ');
        text += value;
      } else {
        text += column.name + "=[ " + value + " ]";
      }
    }
    return text + "\n";
  }
};

const Column* find(std::span<const Column> columns, const std::string& name) {
  for (const Column& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

/// Adds what the configuration's file asks for: time stamps to `before`, all else to `after`.
void read_configuration(const std::string& file, const Capability& capability, Log& log, std::vector<Column>& before,
                        std::vector<Column>& after) {
  std::ifstream in(file);
  if (!in) {
    std::fprintf(stderr, "weft: OPENCL_PROFILE_CONFIG: %s: %s\n", file.c_str(), std::strerror(errno));
    return;
  }
  const auto all = device::counters::counters_of(capability);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, value;
    if (!(words >> name) || name == kOccupancy.name) continue;  // which is there already
    words >> value;
    if (name == "profilelogformat") {
      log.is_csv = value == "CSV";
    } else if (const Column* const stamp = find(kStamps, name)) {
      before.push_back(*stamp);
    } else if (const Column* const option = find(kOptions, name)) {
      after.push_back(*option);
    } else {
      const Counter* counter = nullptr;
      for (const Counter* const one : all) {
        if (one->name == name) counter = one;
      }
      if (counter) {
        after.push_back({name, {}, nullptr, counter});
      } else {
        std::fprintf(stderr, "weft: OPENCL_PROFILE_CONFIG: no option and no counter of %u.%u: %s\n", capability.major,
                     capability.minor, name.c_str());
      }
    }
  }
}

/// A name, or the one that it had later.
const std::string& either(const std::string& first, const std::string& later) { return first.empty() ? later : first; }

}  // namespace

std::optional<ProfileLog> profile_log(const Capability& capability) {
  const Options& asked = options();
  if (!asked.opencl_profile && !asked.compute_profile) return std::nullopt;
  auto log = std::make_shared<Log>();
  log->is_csv = asked.opencl_profile_csv || asked.compute_profile_csv;
  std::vector<Column> before, after;
  const std::string& configuration = either(asked.opencl_profile_config, asked.compute_profile_config);
  if (!configuration.empty()) read_configuration(configuration, capability, *log, before, after);
  log->columns = before;
  log->columns.insert(log->columns.end(), {kMethod, kGpuTime, kCpuTime, kOccupancy});
  log->columns.insert(log->columns.end(), after.begin(), after.end());

  const std::string& name = either(asked.opencl_profile_log, asked.compute_profile_log);
  ProfileLog result{name.empty() ? "opencl_profile_%d.log" : name,
                    {log->heading(), "", [log](const LaunchReport& report, std::uint64_t) { return log->row(report); }},
                    std::ranges::any_of(log->columns, [](const Column& one) { return one.counter && one.counter->is_traced; })};
  const std::size_t device = result.name.find("%d");  // of contexts; there is one file
  if (device != std::string::npos) result.name.replace(device, 2, 1, '0');
  return result;
}

}  // namespace weft::runtime
