// Prototypes of every entry point, in the namespace that defines them.
//
// They carry the API's names without clashing with the loader's symbols: only icd/exports.cpp defines
// symbols that other objects see.
#pragma once

#include "runtime/opencl.h"

namespace weft::icd {

#define WEFT_ENTRY_POINT(name) decltype(::name) name;
#include "icd/entry_points.def"

// Of OpenCL 3.1, which the headers of many systems do not have.
decltype(::clGetKernelSuggestedLocalWorkSizeKHR) clGetKernelSuggestedLocalWorkSize;

// cl_khr_icd 2.0.0
CL_API_ENTRY void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* func_name);
CL_API_ENTRY cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data);

}  // namespace weft::icd
