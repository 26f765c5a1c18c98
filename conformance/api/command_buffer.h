// cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5 for tests: functions, names and shapes, since the
// headers of distributions have other versions.
#pragma once

#include "api/fixture.h"

struct _cl_command_buffer_khr;
struct _cl_mutable_command_khr;

namespace weft::conformance::command_buffer {

using Buffer = ::_cl_command_buffer_khr*;
using Mutable = ::_cl_mutable_command_khr*;
using Point = cl_uint;
using Properties = cl_properties;

inline constexpr cl_device_info kSupportedQueueProperties = 0x129A, kCapabilities = 0x12A9, kRequiredQueueProperties = 0x12AA,
                                kMutableCapabilities = 0x12B0;
inline constexpr cl_bitfield kDeviceSideEnqueue = 1 << 1;  // of kCapabilities
inline constexpr Properties kFlags = 0x1293, kUpdatableFields = 0x12B1, kAsserts = 0x12B8;
inline constexpr Properties kSimultaneousUse = 1, kMutable = 2;
inline constexpr Properties kFieldGlobalSize = 2, kFieldLocalSize = 4, kFieldArguments = 8;
inline constexpr cl_uint kQueues = 0x1294, kNumQueues = 0x1295, kReferenceCount = 0x1296, kState = 0x1297, kPropertiesArray = 0x1298,
                         kContext = 0x1299;
inline constexpr cl_uint kRecording = 0, kExecutable = 1, kFinalized = 2;
inline constexpr cl_uint kGlobalSize = 0x12A6, kLocalSize = 0x12A7, kKernel = 0x12A3, kOwner = 0x12A1;
inline constexpr cl_command_type kCommandType = 0x12A8;
inline constexpr cl_int kInvalidCommandBuffer = -1138, kInvalidSyncPoints = -1139, kIncompatibleQueue = -1140, kInvalidMutable = -1141;

struct Argument {
  cl_uint index;
  std::size_t size;
  const void* value;
};

struct Config {
  Mutable command = nullptr;
  cl_uint num_args = 0, num_svm_args = 0, num_exec_infos = 0, work_dim = 0;
  const Argument* args = nullptr;
  const Argument* svm_args = nullptr;
  const void* exec_infos = nullptr;
  const std::size_t* offset = nullptr;
  const std::size_t* global = nullptr;
  const std::size_t* local = nullptr;
};

/// The functions that the tests call.
struct Functions {
  explicit Functions(cl_platform_id platform) {
    const auto find = [platform](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(clGetExtensionFunctionAddressForPlatform(platform, name));
    };
    find(create, "clCreateCommandBufferKHR");
    find(finalize, "clFinalizeCommandBufferKHR");
    find(retain, "clRetainCommandBufferKHR");
    find(release, "clReleaseCommandBufferKHR");
    find(enqueue, "clEnqueueCommandBufferKHR");
    find(info, "clGetCommandBufferInfoKHR");
    find(barrier, "clCommandBarrierWithWaitListKHR");
    find(copy, "clCommandCopyBufferKHR");
    find(fill, "clCommandFillBufferKHR");
    find(launch, "clCommandNDRangeKernelKHR");
    find(svm_copy, "clCommandSVMMemcpyKHR");
    find(svm_fill, "clCommandSVMMemFillKHR");
    find(update, "clUpdateMutableCommandsKHR");
    find(mutable_info, "clGetMutableCommandInfoKHR");
  }
  Buffer (*create)(cl_uint, const cl_command_queue*, const Properties*, cl_int*);
  cl_int (*finalize)(Buffer);
  cl_int (*retain)(Buffer);
  cl_int (*release)(Buffer);
  cl_int (*enqueue)(cl_uint, cl_command_queue*, Buffer, cl_uint, const cl_event*, cl_event*);
  cl_int (*info)(Buffer, cl_uint, std::size_t, void*, std::size_t*);
  cl_int (*barrier)(Buffer, cl_command_queue, const Properties*, cl_uint, const Point*, Point*, Mutable*);
  cl_int (*copy)(Buffer, cl_command_queue, const Properties*, cl_mem, cl_mem, std::size_t, std::size_t, std::size_t, cl_uint,
                 const Point*, Point*, Mutable*);
  cl_int (*fill)(Buffer, cl_command_queue, const Properties*, cl_mem, const void*, std::size_t, std::size_t, std::size_t, cl_uint,
                 const Point*, Point*, Mutable*);
  cl_int (*launch)(Buffer, cl_command_queue, const Properties*, cl_kernel, cl_uint, const std::size_t*, const std::size_t*,
                   const std::size_t*, cl_uint, const Point*, Point*, Mutable*);
  cl_int (*svm_copy)(Buffer, cl_command_queue, const Properties*, void*, const void*, std::size_t, cl_uint, const Point*, Point*,
                     Mutable*);
  cl_int (*svm_fill)(Buffer, cl_command_queue, const Properties*, void*, const void*, std::size_t, std::size_t, cl_uint,
                     const Point*, Point*, Mutable*);
  cl_int (*update)(Buffer, cl_uint, const cl_uint*, const void**);
  cl_int (*mutable_info)(Mutable, cl_uint, std::size_t, void*, std::size_t*);
};

}  // namespace weft::conformance::command_buffer
