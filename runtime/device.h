// The one device: this machine's CPU, its workers as multiprocessors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/info.h"
#include "runtime/opencl.h"

/// A root device, never created nor destroyed (clRetainDevice of a root device does nothing). Constant
/// initialized; its answers are computed when asked for, so that listing devices starts nothing.
struct _cl_device_id {
 public:
  constexpr explicit _cl_device_id(const cl_icd_dispatch* dispatch) : dispatch_(dispatch) {}
  _cl_device_id(const _cl_device_id&) = delete;
  _cl_device_id& operator=(const _cl_device_id&) = delete;

  /// clGetDeviceInfo. Throws Error.
  void info(cl_device_info name, const weft::runtime::InfoWriter& out) const;

  /// The device's type bits, as the option `device_type` says.
  cl_device_type type() const;
  /// Whether clGetDeviceIDs with these bits lists the device. CL_INVALID_DEVICE_TYPE if they are no type.
  bool matches(cl_device_type wanted) const;

  /// CL_DEVICE_MAX_COMPUTE_UNITS: workers, honest about affinity and cgroup limits.
  static std::uint32_t num_workers();
  /// Bytes: what the machine, or the cgroup, has.
  static std::uint64_t global_mem_size();
  /// Bytes: half of the global memory.
  static std::uint64_t max_alloc_size();

  /// Whether OpenCL C has the extension, or the optional feature (compiler/device_features.h).
  static bool has_extension(std::string_view name);
  static bool has_feature(std::string_view name);

  // Images: sizes of a current GPU's, in texels.
  static constexpr std::size_t kMaxImage2DSize = 16384;
  static constexpr std::size_t kMaxImage3DSize = 16384;
  static constexpr std::size_t kMaxImageArraySize = 2048;
  static constexpr std::size_t kMaxImageBufferSize = std::size_t{1} << 28;
  static constexpr std::uint32_t kMaxReadImageArgs = 128;
  static constexpr std::uint32_t kMaxWriteImageArgs = 64;
  static constexpr std::uint32_t kMaxSamplers = 32;
  /// Of 2-D images on buffers: rows and memory need no more than whole texels.
  static constexpr std::uint32_t kImagePitchAlign = 1;
  static constexpr std::uint32_t kImageBaseAlign = 1;

  /// Every address of the process is the device's, and kernels' atomics are the processor's.
  static constexpr cl_device_svm_capabilities kSvmCapabilities =
      CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;

  static constexpr std::uint32_t kLocalMemSize = 64 * 1024;  ///< bytes
  static constexpr std::uint64_t kConstantSize = 64 * 1024;  ///< bytes
  static constexpr std::uint32_t kMaxConstantArgs = 8;
  static constexpr std::size_t kMaxParameterSize = 4096;     ///< bytes
  static constexpr std::uint32_t kBaseAddressAlign = 128;    ///< bytes; the largest type's size
  static constexpr std::size_t kPrintfBufferSize = 1 << 20;  ///< bytes

 private:
  const cl_icd_dispatch* dispatch_;
};

namespace weft::runtime {

using Device = ::_cl_device_id;

extern constinit Device the_device;

inline Device* from_handle(Device* handle) { return handle == &the_device ? handle : nullptr; }

/// Nanoseconds of the monotonic clock that events, device and host timers share.
std::uint64_t now_ns();

}  // namespace weft::runtime
