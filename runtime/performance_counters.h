// cl_weft_performance_counters: the counters that the device lists, those that a queue asks for, and their values.
#pragma once

#include <memory>
#include <vector>

#include "device/counters/counter_list.h"
#include "include/CL/cl_ext_weft.h"
#include "runtime/info.h"

namespace weft::runtime {

/// Whether the device lists counters, and so has the extension.
bool has_performance_counters();

/// CL_DEVICE_PERFORMANCE_COUNTERS_WEFT, CL_DEVICE_COUNTED_COMPUTE_CAPABILITY_WEFT. Throws Error{CL_INVALID_VALUE} for other names,
/// and for the latter without counters.
void performance_counter_info(cl_device_info name, const InfoWriter& out);

/// What a queue counts; none: nothing.
class QueueCounters {
 public:
  QueueCounters() = default;
  /// Of CL_QUEUE_PERFORMANCE_COUNTERS_WEFT. Throws Error: CL_INVALID_VALUE if there is none, no counter, no array, or one twice;
  /// CL_INVALID_QUEUE_PROPERTIES for a counter that the device does not have.
  explicit QueueCounters(const cl_performance_counter_config_weft* config);

  bool any() const { return !counters_.empty(); }
  /// Whether launches must be traced for them.
  bool any_traced() const { return any_traced_; }

  /// Whether `name` is one of the extension's queries of events.
  static bool is_query(cl_profiling_info name);
  /// Its answer. Throws Error.
  void write(cl_profiling_info name, const device::counters::LaunchReport& report, const InfoWriter& out) const;

 private:
  void add_values(const device::counters::Counts& counts, const device::counters::LaunchReport& report, bool of_line,
                  std::vector<cl_performance_counter_result_weft>& values) const;

  std::vector<const device::counters::Counter*> counters_;
  bool any_traced_ = false;
};

}  // namespace weft::runtime
