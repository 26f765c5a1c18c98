// The GPU that the device is to be like (WEFT_DEVICE): its limits hold for launches, and its rules for counters.
#pragma once

#include "device/counters/gpus.h"
#include "runtime/kernel.h"
#include "runtime/ndrange.h"

namespace weft::runtime {

/// Null: none was asked for, or one that is not known, which stderr says once.
const device::counters::Gpu* modelled_gpu();

/// Throws CL_INVALID_WORK_GROUP_SIZE or CL_OUT_OF_RESOURCES for a launch that would fail on that GPU; the context's callback and stderr
/// are told why.
void require_fits_gpu(const Kernel& kernel, const NDRange& range, std::uint64_t local_bytes);

}  // namespace weft::runtime
