// The symbols that a loader looks up in the library; icd/exports.map keeps all others inside.
#pragma once

#include "runtime/opencl.h"

extern "C" {
cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms);
}
