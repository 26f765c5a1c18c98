// Devices (OpenCL 3.0 API §4.2, §4.3).
#include "icd/entry.h"

namespace weft::icd {

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

cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property*, cl_uint, cl_device_id*,
                          cl_uint*) {
  return guarded([&] {
    checked(in_device, CL_INVALID_DEVICE);
    throw Error{CL_INVALID_VALUE};  // no partition type is supported
  });
}

// The device is a root device: its count does not move (§4.3).
cl_int clRetainDevice(cl_device_id device) {
  return guarded([&] { checked(device, CL_INVALID_DEVICE); });
}

cl_int clReleaseDevice(cl_device_id device) {
  return guarded([&] { checked(device, CL_INVALID_DEVICE); });
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
