// Owned OpenCL handles, errors as exceptions, and the choice of the platform under test.
//
// The platform under test is the one whose name contains the environment variable
// WEFT_TEST_PLATFORM (default "Weft"), found through the system's ICD loader.
#pragma once

#include <CL/cl.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft::conformance {

/// An OpenCL call that failed; `code` is what it returned.
class ClError : public std::runtime_error {
 public:
  ClError(cl_int code, const std::string& what)
      : std::runtime_error(what + ": error " + std::to_string(code)), code(code) {}
  cl_int code;
};

inline void check(cl_int code, const std::string& what) {
  if (code != CL_SUCCESS) throw ClError(code, what);
}

inline void release(cl_context h) { clReleaseContext(h); }
inline void release(cl_command_queue h) { clReleaseCommandQueue(h); }
inline void release(cl_mem h) { clReleaseMemObject(h); }
inline void release(cl_program h) { clReleaseProgram(h); }
inline void release(cl_kernel h) { clReleaseKernel(h); }
inline void release(cl_event h) { clReleaseEvent(h); }

/// Owns one reference of an OpenCL object.
template <typename T>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T raw) : raw_(raw) {}
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Handle() { reset(); }

  operator T() const { return raw_; }
  T get() const { return raw_; }
  /// Where a creating call may put a new reference.
  T* out() {
    reset();
    return &raw_;
  }
  T take() { return std::exchange(raw_, nullptr); }
  void reset() {
    if (raw_) release(std::exchange(raw_, nullptr));
  }

 private:
  T raw_ = nullptr;
};

using Context = Handle<cl_context>;
using Queue = Handle<cl_command_queue>;
using Mem = Handle<cl_mem>;
using Program = Handle<cl_program>;
using Kernel = Handle<cl_kernel>;
using Event = Handle<cl_event>;

std::string platform_string(cl_platform_id platform, cl_platform_info what);
std::string device_string(cl_device_id device, cl_device_info what);

template <typename T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

/// All platforms that the loader knows, in its order.
std::vector<cl_platform_id> all_platforms();
std::vector<cl_device_id> all_devices(cl_platform_id platform);

/// The platform under test; throws with the names of those present when there is none.
cl_platform_id test_platform();
/// Whether anything of this process has asked for it yet: Weft has read its variables then.
bool platform_was_asked();
/// Its first device.
cl_device_id test_device();

/// Whether the platform under test is Weft: guards tests of what the specification leaves open.
bool testing_weft();
/// Whether it is PoCL: guards tests that PoCL 3.1 is known to fail.
bool testing_pocl();

/// The text of a file; throws when it cannot be read.
std::string read_text(const std::string& path);

}  // namespace weft::conformance
