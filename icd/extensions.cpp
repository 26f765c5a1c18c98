#include "icd/extensions.h"

#include "icd/entry_points.h"
#include "icd/exports.h"

namespace weft::icd {
namespace {

struct Function {
  std::string_view name;
  void* address;
};

#define WEFT_FUNCTION(name) {#name, reinterpret_cast<void*>(&icd::name)}

const Function functions[] = {
    // cl_khr_icd, cl_khr_subgroups, cl_khr_suggested_local_work_size
    {"clIcdGetPlatformIDsKHR", reinterpret_cast<void*>(&::clIcdGetPlatformIDsKHR)},
    {"clGetKernelSubGroupInfoKHR", reinterpret_cast<void*>(&clGetKernelSubGroupInfo)},
    WEFT_FUNCTION(clGetKernelSuggestedLocalWorkSizeKHR),
};

#undef WEFT_FUNCTION

}  // namespace

void* extension_function(std::string_view name) noexcept {
  for (const Function& function : functions) {
    if (function.name == name) return function.address;
  }
  return nullptr;
}

}  // namespace weft::icd
