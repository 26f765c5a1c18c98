// What programs for NVIDIA's GPUs ask a device (cl_nv_device_attribute_query).
#pragma once

#include "runtime/info.h"

namespace weft::runtime {

/// Answers the extension's queries as the GPU would whose rules launches are counted by: warps of 32, which is true here too, and its
/// compute capability and registers. Memory is the host's, nothing times out, and copies run beside kernels. False for other names.
bool nvidia_attribute(cl_device_info name, const InfoWriter& out);

}  // namespace weft::runtime
