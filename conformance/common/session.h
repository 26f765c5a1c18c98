// A context with one queue on one device, and the few steps of an OpenCL program that every test
// and benchmark repeats: build, buffers, launch, read back.
#pragma once

#include <cstdint>
#include <span>

#include "common/cl.h"

namespace weft::conformance {

/// Sizes in work-items; an empty `local` leaves the choice to the implementation, an empty `offset` is 0.
struct Range {
  std::vector<std::size_t> global;
  std::vector<std::size_t> local;
  std::vector<std::size_t> offset;

  std::size_t items() const {
    std::size_t n = 1;
    for (std::size_t g : global) n *= g;
    return n;
  }
};

/// A `__local` pointer argument of so many bytes.
struct LocalBytes {
  std::size_t size;
};

inline void set_arg(cl_kernel kernel, cl_uint index, const Mem& buffer) {
  const cl_mem raw = buffer;
  check(clSetKernelArg(kernel, index, sizeof raw, &raw), "clSetKernelArg " + std::to_string(index));
}
inline void set_arg(cl_kernel kernel, cl_uint index, LocalBytes bytes) {
  check(clSetKernelArg(kernel, index, bytes.size, nullptr), "clSetKernelArg " + std::to_string(index));
}
template <typename T>
void set_arg(cl_kernel kernel, cl_uint index, const T& value) {
  check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg " + std::to_string(index));
}
template <typename... Args>
void set_args(cl_kernel kernel, const Args&... args) {
  cl_uint index = 0;
  (set_arg(kernel, index++, args), ...);
}

class Session {
 public:
  explicit Session(cl_device_id device, cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE);

  /// Builds `source`; a failure throws with the build log in the message.
  /// Of OpenCL C, or of a SPIR-V module, which its first word tells (little-endian).
  Program build(const std::string& source, const std::string& options = "") const;
  Program create_program(const std::string& source) const;
  std::string build_log(cl_program program) const;
  Kernel kernel(cl_program program, const std::string& name) const;
  Queue queue(cl_command_queue_properties properties) const;

  Mem buffer(std::size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) const;
  template <typename T>
  Mem upload(const std::vector<T>& values, cl_mem_flags flags = CL_MEM_READ_WRITE) const {
    return buffer(values.size() * sizeof(T), flags | CL_MEM_COPY_HOST_PTR, const_cast<T*>(values.data()));
  }
  template <typename T>
  std::vector<T> download(const Mem& from, std::size_t count) const {
    std::vector<T> values(count);
    check(
        clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return values;
  }

  Event enqueue(cl_kernel kernel, const Range& range) const;
  /// Sets the arguments, launches and waits; throws on any error, an abnormal end of the command included.
  template <typename... Args>
  void launch(cl_kernel kernel, const Range& range, const Args&... args) const {
    set_args(kernel, args...);
    finish(enqueue(kernel, range));
  }
  /// Builds `source`, runs its kernel `name` once and waits.
  template <typename... Args>
  void run(const std::string& source, const std::string& name, const Range& range,
           const Args&... args) const {
    const Program program = build(source);
    launch(kernel(program, name), range, args...);
  }
  void finish(const Event& event) const;

  cl_device_id device() const { return device_; }
  cl_context context() const { return context_; }
  cl_command_queue queue() const { return queue_; }

 private:
  cl_device_id device_;
  Context context_;
  Queue queue_;
};

}  // namespace weft::conformance
