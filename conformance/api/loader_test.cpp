// What loaders find in the library and in objects (cl_khr_icd 2.0).
#include <CL/cl_icd.h>
#include <dlfcn.h>

#include <cstddef>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr std::intptr_t kTag = 0x4F50454E434C3331;  // CL_ICD2_TAG_KHR

/// The first words of an object.
struct Words {
  const void* const* table;
  void* data;
};
template <class Handle>
const Words& words_of(Handle handle) {
  return *reinterpret_cast<const Words*>(handle);
}

constexpr std::size_t kPlatformIds = offsetof(cl_icd_dispatch, clGetPlatformIDs) / sizeof(void*);
constexpr std::size_t kPlatformInfo = offsetof(cl_icd_dispatch, clGetPlatformInfo) / sizeof(void*);
constexpr std::size_t kUnloadCompiler = offsetof(cl_icd_dispatch, clUnloadCompiler) / sizeof(void*);

class LoaderTest : public ApiTest {
 protected:
  void SetUp() override {
    const void* const* table = words_of(platform).table;
    if (reinterpret_cast<std::intptr_t>(table[kPlatformIds]) != kTag) GTEST_SKIP() << "of cl_khr_icd 1.0";
    EXPECT_EQ(reinterpret_cast<std::intptr_t>(table[kUnloadCompiler]), kTag);
    // The library that the loader has loaded.
    Dl_info info{};
    ASSERT_NE(dladdr(table[kPlatformInfo], &info), 0);
    library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    const auto by_name = reinterpret_cast<void* (*)(const char*)>(dlsym(library, "clGetExtensionFunctionAddress"));
    ASSERT_NE(by_name, nullptr);
    address = reinterpret_cast<decltype(address)>(by_name("clIcdGetFunctionAddressForPlatformKHR"));
    set_data = reinterpret_cast<decltype(set_data)>(by_name("clIcdSetPlatformDispatchDataKHR"));
    ASSERT_TRUE(address && set_data);
  }

  void TearDown() override {
    if (library) dlclose(library);
  }

  cl_platform_id platform = test_platform();
  void* library = nullptr;
  void* (*address)(cl_platform_id, const char*) = nullptr;
  cl_int (*set_data)(cl_platform_id, void*) = nullptr;
};

TEST_F(LoaderTest, EveryEntryPointHasAnAddress) {
  const void* const* table = words_of(platform).table;
  EXPECT_EQ(address(platform, "clGetPlatformInfo"), table[kPlatformInfo]);
  EXPECT_EQ(address(platform, "clCreateContext"), table[offsetof(cl_icd_dispatch, clCreateContext) / sizeof(void*)]);
  EXPECT_EQ(address(platform, "clSetContextDestructorCallback"), table[offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void*)]);
  for (const char* name : {"clGetPlatformIDs", "clUnloadCompiler", "clGetKernelSuggestedLocalWorkSize", "clGetKernelSubGroupInfoKHR"})
    EXPECT_NE(address(platform, name), nullptr) << name;
  EXPECT_EQ(address(platform, "clCreateFromGLBuffer"), nullptr);
  EXPECT_EQ(address(platform, "clNoSuchFunction"), nullptr);
  EXPECT_EQ(address(platform, nullptr), nullptr);
  EXPECT_EQ(address(nullptr, "clCreateContext"), nullptr);
}

// A process may have two loaders: a binding's own, of cl_khr_icd 1.0, and the system's, of 2.0, through which a library calls with the
// binding's objects. The second takes what it did not give for a table.
TEST_F(LoaderTest, ObjectsThatNoLoaderGaveDataLeadToFunctions) {
  const auto name_of = [](const void* const* table, cl_device_id of) {
    char name[256] = "";
    const auto info = reinterpret_cast<decltype(&clGetDeviceInfo)>(table[offsetof(cl_icd_dispatch, clGetDeviceInfo) / sizeof(void*)]);
    EXPECT_EQ(info(of, CL_DEVICE_NAME, sizeof name, name, nullptr), CL_SUCCESS);
    return std::string(name);
  };
  ASSERT_NE(words_of(device).data, nullptr);
  EXPECT_EQ(name_of(static_cast<const void* const*>(words_of(device).data), device), name_of(words_of(device).table, device));
  ASSERT_NE(words_of(session.context()).data, nullptr);
}

TEST_F(LoaderTest, ObjectsHaveThePlatformsData) {
  // A loader that has its own tables goes on needing them.
  void* const before = words_of(platform).data;
  int any = 0;
  void* const data = before ? before : &any;
  EXPECT_EQ(set_data(nullptr, data), CL_INVALID_PLATFORM);
  EXPECT_EQ(set_data(reinterpret_cast<cl_platform_id>(device), data), CL_INVALID_PLATFORM);
  ASSERT_EQ(set_data(platform, data), CL_SUCCESS);
  EXPECT_EQ(words_of(platform).data, data);
  EXPECT_EQ(words_of(device).data, data);
  {
    const Session made(device);
    EXPECT_EQ(words_of(made.context()).data, data);
    EXPECT_EQ(words_of(made.queue()).data, data);
    const Mem buffer = made.buffer(64);
    EXPECT_EQ(words_of(static_cast<cl_mem>(buffer)).data, data);
    const Program program = made.build("kernel void k(global int* a) { a[0] = 1; }");
    EXPECT_EQ(words_of(static_cast<cl_program>(program)).data, data);
    const Kernel kernel = made.kernel(program, "k");
    EXPECT_EQ(words_of(static_cast<cl_kernel>(kernel)).data, data);
    cl_event event = nullptr;
    ASSERT_EQ(clEnqueueMarkerWithWaitList(made.queue(), 0, nullptr, &event), CL_SUCCESS);
    EXPECT_EQ(words_of(event).data, data);
    clReleaseEvent(event);
  }
  EXPECT_EQ(set_data(platform, before), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::conformance
