// How a device is cut into sub-devices (OpenCL 3.0 API §4.3).
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/opencl.h"

struct _cl_device_id;

namespace weft::runtime {

/// What a device has of the machine.
struct DeviceShare {
  std::uint32_t workers = 0;
  /// By their numbers, a worker each; empty where there are more or fewer workers than processors.
  std::vector<int> processors;
  bool is_bound = false;  ///< its threads stay on them: it was made for what they share
};

struct Partition {
  std::vector<DeviceShare> shares;                    ///< at least one
  std::vector<cl_device_partition_property> how;      ///< with its 0; CL_DEVICE_PARTITION_TYPE of each of them
};

/// Those that CL_DEVICE_PARTITION_PROPERTIES and CL_DEVICE_PARTITION_AFFINITY_DOMAIN report: that give two sub-devices at least.
std::vector<cl_device_partition_property> partition_kinds(const DeviceShare& share);
cl_device_affinity_domain affinity_domains(const DeviceShare& share);

/// clCreateSubDevices. Throws Error.
Partition partition(const DeviceShare& share, const cl_device_partition_property* properties);

}  // namespace weft::runtime
