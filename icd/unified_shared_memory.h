// The entry points of cl_intel_unified_shared_memory and cl_ext_buffer_device_address.
#pragma once

#include <type_traits>

#include "runtime/opencl.h"

namespace weft::icd {

#define WEFT_EXTENSION_POINT(name) std::remove_pointer_t<::name##_fn> name
WEFT_EXTENSION_POINT(clHostMemAllocINTEL);
WEFT_EXTENSION_POINT(clDeviceMemAllocINTEL);
WEFT_EXTENSION_POINT(clSharedMemAllocINTEL);
WEFT_EXTENSION_POINT(clMemFreeINTEL);
WEFT_EXTENSION_POINT(clMemBlockingFreeINTEL);
WEFT_EXTENSION_POINT(clGetMemAllocInfoINTEL);
WEFT_EXTENSION_POINT(clSetKernelArgMemPointerINTEL);
WEFT_EXTENSION_POINT(clEnqueueMemFillINTEL);
WEFT_EXTENSION_POINT(clEnqueueMemcpyINTEL);
WEFT_EXTENSION_POINT(clEnqueueMigrateMemINTEL);
WEFT_EXTENSION_POINT(clEnqueueMemAdviseINTEL);
#undef WEFT_EXTENSION_POINT

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_ulong arg_value);

}  // namespace weft::icd
