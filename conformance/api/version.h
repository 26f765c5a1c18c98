// The version of OpenCL that the device under test has.
#pragma once

#include "api/fixture.h"

namespace weft::conformance {

/// Whether it is 3.1 or newer.
inline bool has_opencl_3_1(cl_device_id device) {
  return device_value<cl_version>(device, CL_DEVICE_NUMERIC_VERSION) >= CL_MAKE_VERSION(3, 1, 0);
}

}  // namespace weft::conformance
