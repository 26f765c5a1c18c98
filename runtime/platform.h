// The platform: one in the process, never destroyed.
#pragma once

#include <string>
#include <vector>

#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/opencl.h"

struct _cl_platform_id {
 public:
  constexpr _cl_platform_id() = default;
  _cl_platform_id(const _cl_platform_id&) = delete;
  _cl_platform_id& operator=(const _cl_platform_id&) = delete;

  /// clGetPlatformInfo. Throws Error.
  void info(cl_platform_info name, const weft::runtime::InfoWriter& out) const;

  /// clIcdSetPlatformDispatchDataKHR: of the platform, its device and all that is made from now on.
  void set_loader_data(void* data) noexcept;

 private:
  weft::runtime::LoaderWords loader_words_;
};

namespace weft::runtime {

using Platform = ::_cl_platform_id;

extern constinit Platform the_platform;

inline Platform* from_handle(Platform* handle) { return handle == &the_platform ? handle : nullptr; }

/// Whether platform and device are of OpenCL 3.1, where SPIR-V is mandatory, or of 3.0.
bool has_opencl_3_1();

/// The space-separated names and the versions of what platform and device support.
const std::string& extension_string();
const std::vector<cl_name_version>& extensions_with_version();

}  // namespace weft::runtime
