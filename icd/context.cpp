// Contexts (OpenCL 3.0 API §4.4).
#include "runtime/context.h"

#include <algorithm>
#include <vector>

#include "icd/entry.h"

namespace weft::icd {
namespace {

using runtime::Context;
using runtime::the_device;

/// The list with its 0, or empty for null.
std::vector<cl_context_properties> checked_properties(const cl_context_properties* list) {
  std::vector<cl_context_properties> copy;
  if (!list) return copy;
  bool has_platform = false;
  bool has_sync = false;
  for (; *list; list += 2) {
    switch (list[0]) {
      case CL_CONTEXT_PLATFORM:
        require(!has_platform, CL_INVALID_PROPERTY);
        has_platform = true;
        checked(reinterpret_cast<cl_platform_id>(list[1]), CL_INVALID_PLATFORM);
        break;
      case CL_CONTEXT_INTEROP_USER_SYNC:
        require(!has_sync && (list[1] == CL_TRUE || list[1] == CL_FALSE), CL_INVALID_PROPERTY);
        has_sync = true;
        break;
      default:
        throw Error{CL_INVALID_PROPERTY};
    }
    copy.insert(copy.end(), list, list + 2);
  }
  copy.push_back(0);
  return copy;
}

}  // namespace

cl_context clCreateContext(const cl_context_properties* properties, cl_uint num_devices,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* pfn_notify)(const char*, const void*, size_t, void*),
                           void* user_data, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    auto list = checked_properties(properties);
    require(devices && num_devices > 0, CL_INVALID_VALUE);
    require(pfn_notify || !user_data, CL_INVALID_VALUE);
    Context::DeviceList own;
    for (cl_uint i = 0; i < num_devices; ++i) {
      runtime::Ref device(&checked(devices[i], CL_INVALID_DEVICE));
      if (std::ranges::find(own, device) == own.end()) own.push_back(std::move(device));
    }
    return publish(runtime::make<Context>(std::move(own), std::move(list), pfn_notify, user_data));
  });
}

cl_context clCreateContextFromType(const cl_context_properties* properties, cl_device_type device_type,
                                   void(CL_CALLBACK* pfn_notify)(const char*, const void*, size_t, void*),
                                   void* user_data, cl_int* errcode_ret) {
  return guarded_create(errcode_ret, [&] {
    auto list = checked_properties(properties);
    require(pfn_notify || !user_data, CL_INVALID_VALUE);
    require(the_device.matches(device_type), CL_DEVICE_NOT_FOUND);
    Context::DeviceList own = {runtime::Ref(&the_device)};
    return publish(runtime::make<Context>(std::move(own), std::move(list), pfn_notify, user_data));
  });
}

cl_int clRetainContext(cl_context context) {
  return guarded([&] { runtime::retain(&checked(context, CL_INVALID_CONTEXT)); });
}

cl_int clReleaseContext(cl_context context) {
  return guarded([&] { release_own(checked(context, CL_INVALID_CONTEXT), CL_INVALID_CONTEXT); });
}

cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                        void* param_value, size_t* param_value_size_ret) {
  return guarded([&] {
    checked(context, CL_INVALID_CONTEXT)
        .info(param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int clSetContextDestructorCallback(cl_context context, void(CL_CALLBACK* pfn_notify)(cl_context, void*),
                                      void* user_data) {
  return guarded([&] {
    Context& object = checked(context, CL_INVALID_CONTEXT);
    require(pfn_notify, CL_INVALID_VALUE);
    object.on_destroy(pfn_notify, user_data);
  });
}

}  // namespace weft::icd
