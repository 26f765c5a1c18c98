// Platform and device queries (OpenCL 3.0 API §4.1, §4.2).
#include <algorithm>

#include "api/version.h"

namespace weft::conformance {
namespace {

bool has_word(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

TEST(Platform, Strings) {
  const cl_platform_id platform = test_platform();
  for (cl_platform_info what : {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NAME,
                                CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS}) {
    EXPECT_FALSE(platform_string(platform, what).empty()) << what;
  }
  EXPECT_EQ(platform_string(platform, CL_PLATFORM_PROFILE), "FULL_PROFILE");
  EXPECT_EQ(platform_string(platform, CL_PLATFORM_VERSION).rfind("OpenCL 3.", 0), 0u);
  EXPECT_TRUE(has_word(platform_string(platform, CL_PLATFORM_EXTENSIONS), "cl_khr_icd"));
}

TEST(Platform, NumericVersionMatchesString) {
  cl_version version = 0;
  check(clGetPlatformInfo(test_platform(), CL_PLATFORM_NUMERIC_VERSION, sizeof version, &version, nullptr),
        "version");
  const std::string text = std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version));
  EXPECT_EQ(platform_string(test_platform(), CL_PLATFORM_VERSION).rfind("OpenCL " + text + " ", 0), 0u);
  EXPECT_EQ(device_string(test_device(), CL_DEVICE_VERSION).rfind("OpenCL " + text + " ", 0), 0u);
  EXPECT_EQ(device_value<cl_version>(test_device(), CL_DEVICE_NUMERIC_VERSION), version);
}

TEST(Platform, TooSmallBufferIsAnError) {
  char one = 0;
  EXPECT_EQ(clGetPlatformInfo(test_platform(), CL_PLATFORM_NAME, 1, &one, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformInfo(test_platform(), 0x1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Platform, DeviceTypes) {
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceIDs(test_platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_GE(count, 1u);
  EXPECT_EQ(clGetDeviceIDs(test_platform(), CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &count), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
  cl_device_id device = nullptr;
  EXPECT_EQ(clGetDeviceIDs(test_platform(), CL_DEVICE_TYPE_ALL, 0, &device, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(test_platform(), CL_DEVICE_TYPE_CUSTOM, 0, nullptr, &count), CL_DEVICE_NOT_FOUND);
}

TEST(Platform, BadDeviceType) {
  NOT_ON_POCL("answers CL_DEVICE_NOT_FOUND");
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceIDs(test_platform(), 0, 0, nullptr, &count), CL_INVALID_DEVICE_TYPE);
}

TEST(Device, Strings) {
  for (cl_device_info what : {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_PROFILE,
                              CL_DEVICE_VERSION, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_EXTENSIONS}) {
    EXPECT_FALSE(device_string(test_device(), what).empty()) << what;
  }
  EXPECT_EQ(device_string(test_device(), CL_DEVICE_VERSION).rfind("OpenCL 3.", 0), 0u);
  EXPECT_EQ(device_string(test_device(), CL_DEVICE_OPENCL_C_VERSION).rfind("OpenCL C 1.2 ", 0), 0u);
}

TEST(Device, ExtensionsThatEveryProgramExpects) {
  const std::string extensions = device_string(test_device(), CL_DEVICE_EXTENSIONS);
  for (const char* name : {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
                           "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
                           "cl_khr_local_int32_extended_atomics", "cl_khr_fp64"}) {
    EXPECT_TRUE(has_word(extensions, name)) << name;
  }
}

// OpenCL 3.1 API §2 "Versioning", §4.2 and "Required Extensions".
TEST(Device, WhatOpenCL31AsksFor) {
  const cl_device_id d = test_device();
  if (!has_opencl_3_1(d)) GTEST_SKIP() << "of OpenCL 3.0";
  EXPECT_GE(device_value<cl_uint>(d, CL_DEVICE_MAX_NUM_SUB_GROUPS), 1u);
  for (const char* version : {"SPIR-V_1.0", "SPIR-V_1.1", "SPIR-V_1.2", "SPIR-V_1.3", "SPIR-V_1.4"})
    EXPECT_TRUE(has_word(device_string(d, CL_DEVICE_IL_VERSION), version)) << version;
  const std::string extensions = device_string(d, CL_DEVICE_EXTENSIONS);
  for (const char* name : {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "cl_khr_spirv_queries",
                           "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle",
                           "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"})
    EXPECT_TRUE(has_word(extensions, name)) << name;
  std::size_t size = 0;
  check(clGetDeviceInfo(d, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &size), "size");
  std::vector<cl_name_version> languages(size / sizeof(cl_name_version));
  check(clGetDeviceInfo(d, CL_DEVICE_OPENCL_C_ALL_VERSIONS, size, languages.data(), nullptr), "list");
  EXPECT_TRUE(std::any_of(languages.begin(), languages.end(), [](const auto& each) { return each.version == CL_MAKE_VERSION(3, 1, 0); }));
}

TEST(Device, MinimaOfTheFullProfile) {
  const cl_device_id d = test_device();
  EXPECT_GE(device_value<cl_uint>(d, CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_EQ(device_value<cl_uint>(d, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3u);
  EXPECT_GE(device_value<std::size_t>(d, CL_DEVICE_MAX_WORK_GROUP_SIZE), 512u);
  EXPECT_GE(device_value<cl_ulong>(d, CL_DEVICE_LOCAL_MEM_SIZE), 32u * 1024);
  EXPECT_GE(device_value<cl_ulong>(d, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 64u * 1024);
  EXPECT_GE(device_value<cl_uint>(d, CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(device_value<std::size_t>(d, CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(device_value<std::size_t>(d, CL_DEVICE_PRINTF_BUFFER_SIZE), 1024u * 1024);
  EXPECT_GE(device_value<cl_uint>(d, CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_EQ(device_value<cl_bool>(d, CL_DEVICE_COMPILER_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(device_value<cl_bool>(d, CL_DEVICE_LINKER_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(device_value<cl_uint>(d, CL_DEVICE_ADDRESS_BITS), 64u);
  EXPECT_EQ(device_value<cl_bool>(d, CL_DEVICE_ENDIAN_LITTLE), cl_bool{CL_TRUE});
  const auto memory = device_value<cl_ulong>(d, CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto largest = device_value<cl_ulong>(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_GE(largest, memory / 4);
  EXPECT_LE(largest, memory);
  EXPECT_EQ(device_value<cl_platform_id>(d, CL_DEVICE_PLATFORM), test_platform());
  const auto queues = device_value<cl_command_queue_properties>(d, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  EXPECT_TRUE(queues & CL_QUEUE_PROFILING_ENABLE);
}

TEST(Device, WarpsShow) {
  WEFT_ONLY("warps of 32 lanes, a GPU's limits");
  const cl_device_id d = test_device();
  EXPECT_EQ(device_value<std::size_t>(d, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1024u);
  EXPECT_EQ(device_value<std::size_t>(d, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), 32u);
  EXPECT_LE(device_value<cl_ulong>(d, CL_DEVICE_LOCAL_MEM_SIZE), 64u * 1024);
  EXPECT_TRUE(device_value<cl_command_queue_properties>(d, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

TEST(Device, ExtensionsWithVersionMatchTheString) {
  std::size_t size = 0;
  check(clGetDeviceInfo(test_device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size), "size");
  std::vector<cl_name_version> list(size / sizeof(cl_name_version));
  check(clGetDeviceInfo(test_device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, size, list.data(), nullptr),
        "list");
  const std::string words = device_string(test_device(), CL_DEVICE_EXTENSIONS);
  for (const auto& entry : list) EXPECT_TRUE(has_word(words, entry.name)) << entry.name;
}

// Every query that OpenCL 3.0 lists in Table 4.2 answers, with a size that it states itself.
TEST(Device, EveryQueryAnswers) {
  NOT_ON_POCL("some of the queries of optional features are missing");
  for (cl_device_info what = 0x1000; what <= 0x1072; ++what) {
    // Numbers that OpenCL left out or gave to extensions.
    if (what == 0x102d || what == 0x1033 || what == 0x105f || (what > 0x1069 && what < 0x106f)) continue;
    std::size_t size = 0;
    const cl_int error = clGetDeviceInfo(test_device(), what, 0, nullptr, &size);
    EXPECT_EQ(error, CL_SUCCESS) << "query 0x" << std::hex << what;
    if (error != CL_SUCCESS) continue;
    std::vector<char> value(size);
    EXPECT_EQ(clGetDeviceInfo(test_device(), what, size, value.data(), nullptr), CL_SUCCESS)
        << std::hex << what;
    if (size > 0) {
      EXPECT_EQ(clGetDeviceInfo(test_device(), what, size - 1, value.data(), nullptr), CL_INVALID_VALUE)
          << std::hex << what;
    }
  }
}

TEST(Device, BadQueries) {
  std::size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(test_device(), 0x9999, 0, nullptr, &size), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, &size), CL_INVALID_DEVICE);
}

TEST(Device, RootDevicesAreNotCounted) {
  EXPECT_EQ(clRetainDevice(test_device()), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(test_device()), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_device_id>(test_device(), CL_DEVICE_PARENT_DEVICE), nullptr);
}

TEST(Device, Timer) {
  NOT_ON_POCL("reports no timer of the host");
  cl_ulong device_time = 0;
  cl_ulong host_time = 0;
  ASSERT_EQ(clGetDeviceAndHostTimer(test_device(), &device_time, &host_time), CL_SUCCESS);
  cl_ulong later = 0;
  ASSERT_EQ(clGetHostTimer(test_device(), &later), CL_SUCCESS);
  EXPECT_GE(later, host_time);
}

/// cl_nv_device_attribute_query: warps are of 32, and memory is the host's. Of a compute capability programs infer that there is PTX.
TEST(Device, NvidiaAttributes) {
  if (!has_word(device_string(test_device(), CL_DEVICE_EXTENSIONS), "cl_nv_device_attribute_query")) GTEST_SKIP() << "no such queries";
  const auto attribute = [&](cl_device_info name) { return device_value<cl_uint>(test_device(), name); };
  EXPECT_EQ(attribute(0x4000), 0u);
  EXPECT_EQ(attribute(0x4001), 0u);
  EXPECT_EQ(attribute(0x4002), 65536u);
  EXPECT_EQ(attribute(0x4003), 32u);
  EXPECT_EQ(attribute(0x4004), cl_uint{CL_TRUE});
  EXPECT_EQ(attribute(0x4005), cl_uint{CL_FALSE});
  EXPECT_EQ(attribute(0x4006), cl_uint{CL_TRUE});
}

}  // namespace
}  // namespace weft::conformance
