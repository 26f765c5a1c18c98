// The platform and the addresses of extensions' functions (OpenCL 3.0 API §4.1, cl_khr_icd).
#include <cstdio>

#include "icd/entry.h"
#include "icd/extensions.h"
#include "runtime/options.h"

namespace weft::icd {

using runtime::the_platform;

cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
  return guarded([&] {
    static const bool told = [] {
      if (runtime::options().help) std::fputs(runtime::describe_options(false).c_str(), stderr);
      return true;
    }();
    (void)told;
    require(platforms || num_platforms, CL_INVALID_VALUE);
    require(!platforms || num_entries > 0, CL_INVALID_VALUE);
    if (platforms) platforms[0] = &the_platform;
    if (num_platforms) *num_platforms = 1;
  });
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name, size_t param_value_size,
                         void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    // Null means the platform that the implementation chooses (§4.1).
    const auto& object = platform ? checked(platform, CL_INVALID_PLATFORM) : the_platform;
    object.info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

void* clGetExtensionFunctionAddress(const char* function_name) {
  return function_name ? extension_function(function_name) : nullptr;
}

void* clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char* func_name) {
  if (!runtime::from_handle(platform) || !func_name) return nullptr;
  void* const address = entry_point(func_name);
  return address ? address : extension_function(func_name);
}

cl_int clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void* dispatch_data) {
  return guarded([&] { checked(platform, CL_INVALID_PLATFORM).set_loader_data(dispatch_data); });
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char* function_name) {
  return runtime::from_handle(platform) ? icd::clGetExtensionFunctionAddress(function_name) : nullptr;
}

}  // namespace weft::icd
