// Devices (OpenCL 3.0 API §4.2, §4.3).
#include <utility>
#include <vector>

#include "icd/entry.h"
#include "runtime/modelled_gpu.h"

namespace weft::icd {

using runtime::Device;
using runtime::the_device;

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                      cl_device_id* devices, cl_uint* num_devices) {
  return guarded([&] {
    if (platform) checked(platform, CL_INVALID_PLATFORM);
    const bool found = the_device.matches(device_type);
    require(devices || num_devices, CL_INVALID_VALUE);
    require(!devices || num_entries > 0, CL_INVALID_VALUE);
    if (num_devices) *num_devices = found ? 1 : 0;
    require(found, CL_DEVICE_NOT_FOUND);
    if (devices) devices[0] = &the_device;
  });
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                       void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked(device, CL_INVALID_DEVICE)
        .info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property* properties, cl_uint num_devices,
                          cl_device_id* out_devices, cl_uint* num_devices_ret) {
  return guarded([&] {
    Device& parent = checked(in_device, CL_INVALID_DEVICE);
    require(!runtime::modelled_gpu(), CL_INVALID_VALUE);  // its multiprocessors are no workers
    runtime::Partition partition = runtime::partition(parent.share(), properties);
    require(!out_devices || num_devices >= partition.shares.size(), CL_INVALID_VALUE);
    if (out_devices) {
      std::vector<runtime::Ref<Device>> made;
      for (auto& share : partition.shares) made.push_back(runtime::make<Device>(parent, std::move(share), partition.how));
      for (auto& device : made) *out_devices++ = publish(std::move(device));
    }
    if (num_devices_ret) *num_devices_ret = static_cast<cl_uint>(partition.shares.size());
  });
}

// The count of a root device does not move (§4.3).
cl_int clRetainDevice(cl_device_id device) {
  return guarded([&] {
    Device& object = checked(device, CL_INVALID_DEVICE);
    if (!object.is_root()) runtime::retain(&object);
  });
}

cl_int clReleaseDevice(cl_device_id device) {
  return guarded([&] {
    Device& object = checked(device, CL_INVALID_DEVICE);
    if (!object.is_root()) runtime::release(&object);
  });
}

cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp, cl_ulong* host_timestamp) {
  return guarded([&] {
    checked(device, CL_INVALID_DEVICE);
    require(device_timestamp && host_timestamp, CL_INVALID_VALUE);
    *device_timestamp = *host_timestamp = runtime::now_ns();
  });
}

cl_int clGetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
  return guarded([&] {
    checked(device, CL_INVALID_DEVICE);
    require(host_timestamp, CL_INVALID_VALUE);
    *host_timestamp = runtime::now_ns();
  });
}

}  // namespace weft::icd
