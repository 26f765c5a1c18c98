// What programs for NVIDIA's GPUs ask a device (cl_nv_device_attribute_query).
#pragma once

#include "runtime/info.h"

namespace weft::runtime {

/// Answers the extension's queries as the GPU would whose rules launches are counted by: warps of 32, which is true here too, and its
/// registers. Memory is the host's, nothing times out, and copies run beside kernels. The compute capability is 0.0 but for a GPU that the
/// environment names (WEFT_DEVICE): by it, programs decide whether they write PTX into their kernels. False for other names.
bool nvidia_attribute(cl_device_info name, const InfoWriter& out);

}  // namespace weft::runtime
