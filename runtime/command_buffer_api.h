// cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5 (provisional): names and shapes, since the
// headers of distributions have other versions of them.
#pragma once

#include "runtime/opencl.h"

struct _cl_command_buffer_khr;
struct _cl_mutable_command_khr;

namespace weft::command_buffer_api {

inline constexpr cl_version kCommandBufferVersion = CL_MAKE_VERSION(0, 9, 8);
inline constexpr cl_version kMutableDispatchVersion = CL_MAKE_VERSION(0, 9, 5);

using Handle = ::_cl_command_buffer_khr*;          ///< cl_command_buffer_khr
using MutableHandle = ::_cl_mutable_command_khr*;  ///< cl_mutable_command_khr
using SyncPoint = cl_uint;                         ///< cl_sync_point_khr

enum DeviceInfo : cl_device_info {
  kSupportedQueueProperties = 0x129A,
  kCapabilities = 0x12A9,
  kRequiredQueueProperties = 0x12AA,
  kMutableDispatchCapabilities = 0x12B0,
};

/// cl_device_command_buffer_capabilities_khr
enum Capability : cl_bitfield { kKernelPrintf = 1 << 0, kDeviceSideEnqueue = 1 << 1, kCanBeUsedAtOnce = 1 << 2 };

/// cl_command_buffer_properties_khr
enum Property : cl_properties { kFlags = 0x1293, kMutableDispatchAsserts = 0x12B7 };

/// cl_command_buffer_flags_khr
enum Flag : cl_bitfield { kSimultaneousUse = 1 << 0, kMutable = 1 << 1 };

/// cl_command_properties_khr
enum CommandProperty : cl_properties { kUpdatableFields = 0x12B1, kDispatchAsserts = 0x12B8 };

/// cl_mutable_dispatch_fields_khr
enum Field : cl_bitfield {
  kGlobalOffset = 1 << 0,
  kGlobalSize = 1 << 1,
  kLocalSize = 1 << 2,
  kArguments = 1 << 3,
  kExecInfo = 1 << 4,
  kAllFields = (1 << 5) - 1,
};

/// cl_mutable_dispatch_asserts_khr
enum Assert : cl_bitfield { kNoAdditionalWorkGroups = 1 << 0 };

/// cl_command_buffer_info_khr
enum Info : cl_uint {
  kQueues = 0x1294,
  kNumQueues = 0x1295,
  kReferenceCount = 0x1296,
  kState = 0x1297,
  kPropertiesArray = 0x1298,
  kContext = 0x1299,
};

/// cl_command_buffer_state_khr
enum class State : cl_uint { kRecording = 0, kExecutable = 1, kFinalized = 2 };

/// cl_mutable_command_info_khr
enum MutableInfo : cl_uint {
  kCommandQueue = 0x12A0,
  kCommandBuffer = 0x12A1,
  kCommandPropertiesArray = 0x12A2,
  kDispatchKernel = 0x12A3,
  kDispatchDimensions = 0x12A4,
  kDispatchGlobalOffset = 0x12A5,
  kDispatchGlobalSize = 0x12A6,
  kDispatchLocalSize = 0x12A7,
  kCommandType = 0x12AD,
};

inline constexpr cl_command_type kCommandBufferCommand = 0x12A8;  ///< CL_COMMAND_COMMAND_BUFFER_KHR
inline constexpr cl_uint kDispatchConfigType = 0;                 ///< CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR

inline constexpr cl_int kInvalidCommandBuffer = -1138;
inline constexpr cl_int kInvalidSyncPointWaitList = -1139;
inline constexpr cl_int kIncompatibleCommandQueue = -1140;
inline constexpr cl_int kInvalidMutableCommand = -1141;

/// cl_mutable_dispatch_arg_khr; of arg_svm_list, `value` is the pointer itself.
struct DispatchArgument {
  cl_uint index;
  std::size_t size;
  const void* value;
};

/// cl_mutable_dispatch_exec_info_khr
struct DispatchExecInfo {
  cl_uint name;
  std::size_t size;
  const void* value;
};

/// cl_mutable_dispatch_config_khr
struct DispatchConfig {
  MutableHandle command;
  cl_uint num_args;
  cl_uint num_svm_args;
  cl_uint num_exec_infos;
  cl_uint work_dim;
  const DispatchArgument* arg_list;
  const DispatchArgument* arg_svm_list;
  const DispatchExecInfo* exec_info_list;
  const std::size_t* global_work_offset;
  const std::size_t* global_work_size;
  const std::size_t* local_work_size;
};

}  // namespace weft::command_buffer_api
