#include "runtime/nvidia_attributes.h"

#include "device/counters/occupancy.h"
#include "device/kernel_abi.h"
#include "runtime/counting.h"
#include "runtime/modelled_gpu.h"

namespace weft::runtime {
namespace {

/// cl_nv_device_attribute_query 2.0; not all headers have it.
enum Attribute : cl_device_info {
  kCapabilityMajor = 0x4000,
  kCapabilityMinor = 0x4001,
  kRegistersPerBlock = 0x4002,
  kWarpSize = 0x4003,
  kCopiesBesideKernels = 0x4004,
  kKernelTimeout = 0x4005,
  kIntegratedMemory = 0x4006,
};

device::counters::Capability capability() {
  const device::counters::Model* const model = counting_model();
  return model ? model->capability : device::counters::Capability();
}

}  // namespace

bool nvidia_attribute(cl_device_info name, const InfoWriter& out) {
  switch (name) {
    case kCapabilityMajor:
      out.value<cl_uint>(modelled_gpu() ? capability().major : 0);
      return true;
    case kCapabilityMinor:
      out.value<cl_uint>(modelled_gpu() ? capability().minor : 0);
      return true;
    case kRegistersPerBlock:
      out.value<cl_uint>(device::counters::multiprocessor_limits(capability()).registers);
      return true;
    case kWarpSize:
      out.value<cl_uint>(abi::kWarpSize);
      return true;
    case kCopiesBesideKernels:
    case kIntegratedMemory:
      out.value<cl_bool>(CL_TRUE);
      return true;
    case kKernelTimeout:
      out.value<cl_bool>(CL_FALSE);
      return true;
    default:
      return false;
  }
}

}  // namespace weft::runtime
