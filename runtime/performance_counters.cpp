#include "runtime/performance_counters.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/counting.h"
#include "runtime/error.h"

namespace weft::runtime {

using device::counters::Counter;
using device::counters::Counts;
using device::counters::LaunchReport;
using device::counters::Scope;
using device::counters::Unit;

static_assert(static_cast<int>(Unit::kEvents) == CL_PERFORMANCE_COUNTER_UNIT_EVENTS_WEFT &&
              static_cast<int>(Unit::kBytes) == CL_PERFORMANCE_COUNTER_UNIT_BYTES_WEFT &&
              static_cast<int>(Unit::kPercent) == CL_PERFORMANCE_COUNTER_UNIT_PERCENT_WEFT &&
              static_cast<int>(Scope::kLaunch) == CL_PERFORMANCE_COUNTER_SCOPE_COMMAND_WEFT &&
              static_cast<int>(Scope::kLine) == CL_PERFORMANCE_COUNTER_SCOPE_LINE_WEFT);

namespace {

/// A counter's place in the list of all.
cl_uint id_of(const Counter& counter) { return static_cast<cl_uint>(&counter - device::counters::all_counters().data()); }

std::vector<const Counter*> counters_here() {
  const auto* const model = counting_model();
  return model ? device::counters::counters_of(model->capability) : std::vector<const Counter*>();
}

cl_performance_counter_weft described(const Counter& counter) {
  cl_performance_counter_weft result{};
  result.id = id_of(counter);
  result.unit = static_cast<cl_uint>(counter.unit);
  result.scope = static_cast<cl_uint>(counter.scope);
  result.storage = counter.is_ratio() ? CL_PERFORMANCE_COUNTER_STORAGE_FLOAT64_WEFT : CL_PERFORMANCE_COUNTER_STORAGE_UINT64_WEFT;
  std::strncpy(result.name, counter.name, sizeof result.name - 1);
  std::strncpy(result.description, counter.description, sizeof result.description - 1);
  return result;
}

}  // namespace

bool has_performance_counters() { return counting_model() != nullptr; }

void performance_counter_info(cl_device_info name, const InfoWriter& out) {
  switch (name) {
    case CL_DEVICE_PERFORMANCE_COUNTERS_WEFT: {
      std::vector<cl_performance_counter_weft> list;
      for (const Counter* const counter : counters_here()) list.push_back(described(*counter));
      return out.array(list);
    }
    case CL_DEVICE_COUNTED_COMPUTE_CAPABILITY_WEFT: {
      require(has_performance_counters(), CL_INVALID_VALUE);
      const auto& capability = counting_model()->capability;
      return out.value<cl_version>(CL_MAKE_VERSION(capability.major, capability.minor, 0));
    }
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

QueueCounters::QueueCounters(const cl_performance_counter_config_weft* config) {
  require(config && config->num_counters > 0 && config->ids, CL_INVALID_VALUE);
  const auto all = counters_here();
  for (cl_uint i = 0; i < config->num_counters; ++i) {
    const cl_uint id = config->ids[i];
    const auto found = std::find_if(all.begin(), all.end(), [&](const Counter* one) { return id_of(*one) == id; });
    require(found != all.end(), CL_INVALID_QUEUE_PROPERTIES);
    require(std::find(counters_.begin(), counters_.end(), *found) == counters_.end(), CL_INVALID_VALUE);
    counters_.push_back(*found);
    any_traced_ |= (*found)->is_traced;
  }
}

bool QueueCounters::is_query(cl_profiling_info name) {
  return name == CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_WEFT || name == CL_PROFILING_COMMAND_SOURCE_FILES_WEFT ||
         name == CL_PROFILING_COMMAND_SOURCE_LINES_WEFT || name == CL_PROFILING_COMMAND_LINE_COUNTERS_WEFT;
}

void QueueCounters::add_values(const Counts& counts, const LaunchReport& report, bool of_line,
                               std::vector<cl_performance_counter_result_weft>& values) const {
  for (const Counter* const counter : counters_) {
    cl_performance_counter_result_weft& value = values.emplace_back();
    value.uint64 = 0;  // of both storages
    if (of_line && counter->scope != Scope::kLine) continue;
    if (counter->is_ratio()) {
      value.float64 = counter->ratio(counts, report);
    } else {
      value.uint64 = counter->sum(counts, report);
    }
  }
}

void QueueCounters::write(cl_profiling_info name, const LaunchReport& report, const InfoWriter& out) const {
  using Line = device::counters::LaunchSums::Line;  // by file
  switch (name) {
    case CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_WEFT: {
      std::vector<cl_performance_counter_result_weft> values;
      add_values(report.counts.total(), report, false, values);
      return out.array(values);
    }
    case CL_PROFILING_COMMAND_LINE_COUNTERS_WEFT: {
      std::vector<cl_performance_counter_result_weft> values;
      report.counts.for_each_line([&](const Line& line) { add_values(line.counts(), report, true, values); });
      return out.array(values);
    }
    case CL_PROFILING_COMMAND_SOURCE_FILES_WEFT: {
      std::vector<char> names;
      const std::string* before = nullptr;
      report.counts.for_each_line([&](const Line& line) {
        const std::string& file = line.place.file;
        if (before && *before == file) return;
        before = &file;
        names.insert(names.end(), file.c_str(), file.c_str() + std::strlen(file.c_str()) + 1);
      });
      return out.array(names);
    }
    case CL_PROFILING_COMMAND_SOURCE_LINES_WEFT: {
      std::vector<cl_source_line_weft> places;
      const std::string* before = nullptr;
      cl_uint file = 0;
      report.counts.for_each_line([&](const Line& line) {
        file += before && *before != line.place.file;
        before = &line.place.file;
        places.push_back({file, line.place.line});
      });
      return out.array(places);
    }
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

}  // namespace weft::runtime
