// The library that pyopencl's bundled loader finds in pyopencl/.libs, the one folder beside the vendors' that it looks in: a way to
// libweft.so, which lies in Weft's own folder. Entry points that it does not have loaders find there, as dlsym looks in what a library
// needs, too.
//
// That loader looks here even if OCL_ICD_VENDORS names another folder. Where that has Weft, as weftprof's has, it is not listed twice.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#define WEFT_EXPORT extern "C" [[gnu::visibility("default")]]

namespace {

constexpr int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR

bool is_in_vendors() {
  const char* const folder = std::getenv("OCL_ICD_VENDORS");
  return folder && access((std::string(folder) + "/weft.icd").c_str(), R_OK) == 0;
}

/// libweft.so's.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// cl_khr_icd: what loaders call first. Handles and sizes only pass through.
WEFT_EXPORT int clIcdGetPlatformIDsKHR(unsigned size, void** platforms, unsigned* count) {
  auto* const platform_ids = next<int(unsigned, void**, unsigned*)>("clIcdGetPlatformIDsKHR");
  return !platform_ids || is_in_vendors() ? kNoPlatform : platform_ids(size, platforms, count);
}

WEFT_EXPORT void* clGetExtensionFunctionAddress(const char* name) {
  if (name && std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return reinterpret_cast<void*>(&clIcdGetPlatformIDsKHR);
  auto* const address = next<void*(const char*)>("clGetExtensionFunctionAddress");
  return address ? address(name) : nullptr;
}
