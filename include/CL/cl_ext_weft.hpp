// cl_weft_performance_counters from C++: a queue whose launches are counted, and what they counted. Errors of OpenCL are
// std::runtime_error.
#ifndef CL_EXT_WEFT_HPP_
#define CL_EXT_WEFT_HPP_

#include <CL/cl_ext_weft.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace cl_weft {

inline void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(call) + ": error " + std::to_string(code));
}

/// The counters that a device has; none if it lacks the extension.
inline std::vector<cl_performance_counter_weft> counters(cl_device_id device) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_PERFORMANCE_COUNTERS_WEFT, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::vector<cl_performance_counter_weft> list(size / sizeof(cl_performance_counter_weft));
  if (!list.empty()) check(clGetDeviceInfo(device, CL_DEVICE_PERFORMANCE_COUNTERS_WEFT, size, list.data(), nullptr), "clGetDeviceInfo");
  return list;
}

using Values = std::map<std::string, double>;  ///< by name

struct Line {
  std::string file;
  cl_uint line = 0;
  Values counters;
};

/// A command queue that counts. Owns one reference of it.
class CountingQueue {
 public:
  /// Counts `names`; all that the device has if there are none. Throws std::invalid_argument for a name that it does not have.
  CountingQueue(cl_context context, cl_device_id device, const std::vector<std::string>& names = {},
                cl_command_queue_properties properties = 0) {
    const auto all = cl_weft::counters(device);
    if (names.empty()) counters_ = all;
    for (const std::string& name : names) {
      const std::size_t before = counters_.size();
      for (const auto& one : all) {
        if (name == one.name) counters_.push_back(one);
      }
      if (counters_.size() == before) throw std::invalid_argument("no performance counter " + name);
    }
    std::vector<cl_uint> ids;
    for (const auto& one : counters_) ids.push_back(one.id);
    const cl_performance_counter_config_weft config = {static_cast<cl_uint>(ids.size()), ids.data()};
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, CL_QUEUE_PERFORMANCE_COUNTERS_WEFT,
                                        reinterpret_cast<cl_queue_properties>(&config), 0};
    cl_int error = CL_SUCCESS;
    queue_ = clCreateCommandQueueWithProperties(context, device, list, &error);
    check(error, "clCreateCommandQueueWithProperties");
  }
  CountingQueue(const CountingQueue&) = delete;
  CountingQueue& operator=(const CountingQueue&) = delete;
  ~CountingQueue() { clReleaseCommandQueue(queue_); }

  cl_command_queue get() const { return queue_; }

  /// Of a launch in this queue that is complete.
  Values read(cl_event event) const {
    return values(query<cl_performance_counter_result_weft>(event, CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_WEFT).data());
  }
  std::vector<Line> lines(cl_event event) const {
    std::vector<std::string> files;
    const std::vector<char> names = query<char>(event, CL_PROFILING_COMMAND_SOURCE_FILES_WEFT);
    for (std::size_t at = 0; at < names.size(); at += files.back().size() + 1) files.emplace_back(&names[at]);
    const auto results = query<cl_performance_counter_result_weft>(event, CL_PROFILING_COMMAND_LINE_COUNTERS_WEFT);
    std::vector<Line> list;
    for (const auto& line : query<cl_source_line_weft>(event, CL_PROFILING_COMMAND_SOURCE_LINES_WEFT)) {
      list.push_back({files.at(line.file), line.line, values(&results[list.size() * counters_.size()])});
    }
    return list;
  }

 private:
  template <class T>
  static std::vector<T> query(cl_event event, cl_profiling_info name) {
    std::size_t size = 0;
    check(clGetEventProfilingInfo(event, name, 0, nullptr, &size), "clGetEventProfilingInfo");
    std::vector<T> result(size / sizeof(T));
    if (size != 0) check(clGetEventProfilingInfo(event, name, size, result.data(), nullptr), "clGetEventProfilingInfo");
    return result;
  }
  Values values(const cl_performance_counter_result_weft* results) const {
    Values by_name;
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      const bool is_float = counters_[i].storage == CL_PERFORMANCE_COUNTER_STORAGE_FLOAT64_WEFT;
      by_name[counters_[i].name] = is_float ? results[i].float64 : static_cast<double>(results[i].uint64);
    }
    return by_name;
  }

  cl_command_queue queue_ = nullptr;
  std::vector<cl_performance_counter_weft> counters_;
};

}  // namespace cl_weft

#endif
