// Devices: this machine's CPU, its workers as multiprocessors, and the sub-devices that it is cut into.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device_partition.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/opencl.h"

namespace weft::device {
class Engine;
}
namespace weft::runtime {
struct DeviceEngine;
}

/// The root device is never created nor destroyed (clRetainDevice of a root device does nothing). Constant
/// initialized; its answers are computed when asked for, so that listing devices starts nothing. Sub-devices are as the other objects.
/// All run the same code on the same memory; each has workers of its own, which its first command makes.
struct _cl_device_id : public weft::runtime::Object<_cl_device_id> {
 public:
  constexpr _cl_device_id() = default;
  /// One of the sub-devices of `parent`; `how`: CL_DEVICE_PARTITION_TYPE, with its 0.
  _cl_device_id(_cl_device_id& parent, weft::runtime::DeviceShare share, std::vector<cl_device_partition_property> how);
  ~_cl_device_id();

  bool is_root() const { return !sub_; }
  /// The workers and processors that it has.
  weft::runtime::DeviceShare share() const;

  /// What runs its commands. Throws std::bad_alloc.
  weft::device::Engine& engine() {
    weft::device::Engine* const made = engine_.load(std::memory_order_acquire);
    return made ? *made : make_engine();
  }

  /// clGetDeviceInfo. Throws Error.
  void info(cl_device_info name, const weft::runtime::InfoWriter& out) const;

  /// The device's type bits, as the option `device_type` says.
  cl_device_type type() const;
  /// Whether clGetDeviceIDs with these bits lists the device. CL_INVALID_DEVICE_TYPE if they are no type.
  bool matches(cl_device_type wanted) const;

  /// Workers of the root device, honest about affinity and cgroup limits. Code is made for as many, whatever device it runs on.
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

  // Pipes. Of reservations there may be as many as packets.
  static constexpr std::uint32_t kMaxPipeArgs = 16;
  static constexpr std::uint32_t kMaxPipeReservations = 1024;  ///< of a work-item
  static constexpr std::uint32_t kMaxPipePacketSize = 64 * 1024;  ///< bytes

  static constexpr std::uint32_t kLocalMemSize = 64 * 1024;  ///< bytes
  /// Bytes. Constant memory is memory as any other here; programs that ask whether their tables fit need not hear a GPU's 64 KiB.
  static constexpr std::uint64_t kConstantSize = 1024 * 1024;
  static constexpr std::uint32_t kMaxConstantArgs = 8;
  static constexpr std::size_t kMaxParameterSize = 4096;     ///< bytes
  static constexpr std::uint32_t kBaseAddressAlign = 128;    ///< bytes; the largest type's size
  static constexpr std::size_t kPrintfBufferSize = 1 << 20;  ///< bytes

 private:
  /// Of a sub-device.
  struct Sub {
    weft::runtime::Ref<_cl_device_id> parent;
    weft::runtime::DeviceShare share;
    std::vector<cl_device_partition_property> how;
  };

  weft::device::Engine& make_engine();

  const Sub* sub_ = nullptr;  ///< owned; null: the root
  std::atomic<weft::device::Engine*> engine_{nullptr};
  std::atomic<weft::runtime::DeviceEngine*> device_engine_{nullptr};  ///< the same, once made
};

namespace weft::runtime {

using Device = ::_cl_device_id;

extern Device& the_device;  ///< the root

inline Device* from_handle(Device* handle) noexcept {
  return handle == &the_device || pool<Device>.is_live(handle) ? handle : nullptr;
}

inline std::vector<cl_device_id> handles_of(const std::vector<Ref<Device>>& devices) {
  std::vector<cl_device_id> handles;
  for (const Ref<Device>& each : devices) handles.push_back(each.get());
  return handles;
}

/// Nanoseconds of the monotonic clock that events, device and host timers share.
std::uint64_t now_ns();

}  // namespace weft::runtime
