#include "icd/exports.h"

#include "icd/entry_points.h"

#define WEFT_EXPORT extern "C" __attribute__((visibility("default")))

WEFT_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* platforms,
                                          cl_uint* num_platforms) {
  return weft::icd::clGetPlatformIDs(num_entries, platforms, num_platforms);
}

WEFT_EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void* param_value,
                                     size_t* param_value_size_ret) {
  return weft::icd::clGetPlatformInfo(platform, param_name, param_value_size, param_value,
                                      param_value_size_ret);
}

WEFT_EXPORT void* clGetExtensionFunctionAddress(const char* function_name) {
  return weft::icd::clGetExtensionFunctionAddress(function_name);
}
