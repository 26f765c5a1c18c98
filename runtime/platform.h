// The platform: one in the process, never destroyed.
#pragma once

#include <string>
#include <vector>

#include "runtime/info.h"
#include "runtime/opencl.h"

struct _cl_platform_id {
 public:
  constexpr explicit _cl_platform_id(const cl_icd_dispatch* dispatch) : dispatch_(dispatch) {}
  _cl_platform_id(const _cl_platform_id&) = delete;
  _cl_platform_id& operator=(const _cl_platform_id&) = delete;

  /// clGetPlatformInfo. Throws Error.
  void info(cl_platform_info name, const weft::runtime::InfoWriter& out) const;

 private:
  const cl_icd_dispatch* dispatch_;
};

namespace weft::runtime {

using Platform = ::_cl_platform_id;

extern constinit Platform the_platform;

inline Platform* from_handle(Platform* handle) { return handle == &the_platform ? handle : nullptr; }

/// The space-separated names and the versions of what platform and device support.
const std::string& extension_string();
const std::vector<cl_name_version>& extensions_with_version();

}  // namespace weft::runtime
