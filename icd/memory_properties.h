// The properties of clCreateBufferWithProperties and clCreateImageWithProperties: none but those of extensions.
#pragma once

#include <optional>
#include <vector>

#include "runtime/context.h"
#include "runtime/opencl.h"

namespace weft::icd {

struct MemoryProperties {
  std::vector<cl_mem_properties> list;  ///< with its 0; empty if none were given
  std::optional<int> descriptor;        ///< cl_khr_external_memory: of the memory to be imported
};

/// `has_addresses`: CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT may be among them. Throws Error{CL_INVALID_PROPERTY} or CL_INVALID_DEVICE.
MemoryProperties checked_properties(const runtime::Context& context, const cl_mem_properties* properties, bool has_addresses);

/// What flags and pointer may not say of imported memory: CL_INVALID_VALUE, CL_INVALID_HOST_PTR.
void check_imported(cl_mem_flags flags, const void* host_ptr);

}  // namespace weft::icd
