// cl_intel_unified_shared_memory and cl_ext_buffer_device_address.
#include <CL/cl_ext.h>

#include <cstring>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr cl_mem_properties kPrivateAddress = 0x5000;  // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
constexpr cl_mem_info kDeviceAddress = 0x5001;         // CL_MEM_DEVICE_ADDRESS_EXT
constexpr cl_kernel_exec_info kDevicePointers = 0x5002;

class UnifiedMemory : public ApiTest {
 protected:
  template <class F>
  F find(const char* name) {
    return reinterpret_cast<F>(
        clGetExtensionFunctionAddressForPlatform(device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM), name));
  }
  clHostMemAllocINTEL_fn host_alloc = find<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  clDeviceMemAllocINTEL_fn device_alloc = find<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  clSharedMemAllocINTEL_fn shared_alloc = find<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  clMemFreeINTEL_fn mem_free = find<clMemFreeINTEL_fn>("clMemFreeINTEL");
  clMemBlockingFreeINTEL_fn blocking_free = find<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  clGetMemAllocInfoINTEL_fn get_info = find<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
  clSetKernelArgMemPointerINTEL_fn set_pointer = find<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  clEnqueueMemFillINTEL_fn fill = find<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
  clEnqueueMemcpyINTEL_fn copy = find<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  clEnqueueMigrateMemINTEL_fn migrate = find<clEnqueueMigrateMemINTEL_fn>("clEnqueueMigrateMemINTEL");
  clEnqueueMemAdviseINTEL_fn advise = find<clEnqueueMemAdviseINTEL_fn>("clEnqueueMemAdviseINTEL");

  void SetUp() override {
    if (!has_extension("cl_intel_unified_shared_memory")) GTEST_SKIP() << "no cl_intel_unified_shared_memory";
  }

  template <class T>
  T info(const void* pointer, cl_mem_info_intel name) {
    T value{};
    EXPECT_EQ(get_info(context, pointer, name, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
};

TEST_F(UnifiedMemory, EveryKindTellsWhatItIs) {
  cl_int error = CL_SUCCESS;
  char* const of_host = static_cast<char*>(host_alloc(context, nullptr, 1000, 0, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  char* const of_device = static_cast<char*>(device_alloc(context, device, nullptr, 2000, 64, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
  char* const shared = static_cast<char*>(shared_alloc(context, nullptr, properties, 1 << 20, 0, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const struct {
    char* base;
    cl_unified_shared_memory_type_intel type;
    std::size_t size;
    cl_device_id of;
    cl_mem_alloc_flags_intel flags;
  } all[] = {{of_host, CL_MEM_TYPE_HOST_INTEL, 1000, nullptr, 0},
             {of_device, CL_MEM_TYPE_DEVICE_INTEL, 2000, device, 0},
             {shared, CL_MEM_TYPE_SHARED_INTEL, 1 << 20, nullptr, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL}};
  for (const auto& each : all) {
    for (std::size_t at : {std::size_t{0}, each.size - 1}) {
      EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(each.base + at, CL_MEM_ALLOC_TYPE_INTEL), each.type);
      EXPECT_EQ(info<void*>(each.base + at, CL_MEM_ALLOC_BASE_PTR_INTEL), each.base);
      EXPECT_EQ(info<std::size_t>(each.base + at, CL_MEM_ALLOC_SIZE_INTEL), each.size);
      EXPECT_EQ(info<cl_device_id>(each.base + at, CL_MEM_ALLOC_DEVICE_INTEL), each.of);
      EXPECT_EQ(info<cl_mem_alloc_flags_intel>(each.base + at, CL_MEM_ALLOC_FLAGS_INTEL), each.flags);
    }
    EXPECT_EQ(mem_free(context, each.base), CL_SUCCESS);
    EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(each.base, CL_MEM_ALLOC_TYPE_INTEL), cl_unified_shared_memory_type_intel{CL_MEM_TYPE_UNKNOWN_INTEL});
  }
  int mine = 0;
  EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(&mine, CL_MEM_ALLOC_TYPE_INTEL), cl_unified_shared_memory_type_intel{CL_MEM_TYPE_UNKNOWN_INTEL});
  EXPECT_EQ(info<void*>(&mine, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
  EXPECT_EQ(get_info(context, &mine, 0, 8, &mine, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(get_info(nullptr, &mine, CL_MEM_ALLOC_TYPE_INTEL, 8, &mine, nullptr), CL_INVALID_CONTEXT);
}

TEST_F(UnifiedMemory, AllocationErrors) {
  cl_int error = CL_SUCCESS;
  const auto largest = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const cl_mem_properties_intel unknown[] = {5, 1, 0}, placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, 2, 0}, both[] = {CL_MEM_ALLOC_FLAGS_INTEL, 6, 0},
                                twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
  const auto expect = [&](void* pointer, cl_int wanted) {
    EXPECT_EQ(pointer, nullptr);
    EXPECT_EQ(error, wanted);
  };
  expect(host_alloc(nullptr, nullptr, 64, 0, &error), CL_INVALID_CONTEXT);
  expect(host_alloc(context, nullptr, 0, 0, &error), CL_INVALID_BUFFER_SIZE);
  expect(host_alloc(context, nullptr, largest + 1, 0, &error), CL_INVALID_BUFFER_SIZE);
  expect(host_alloc(context, nullptr, 64, 3, &error), CL_INVALID_VALUE);
  expect(host_alloc(context, unknown, 64, 0, &error), CL_INVALID_PROPERTY);
  expect(host_alloc(context, placed, 64, 0, &error), CL_INVALID_PROPERTY);
  expect(shared_alloc(context, nullptr, both, 64, 0, &error), CL_INVALID_PROPERTY);
  expect(shared_alloc(context, nullptr, twice, 64, 0, &error), CL_INVALID_PROPERTY);
  expect(device_alloc(context, nullptr, nullptr, 64, 0, &error), CL_INVALID_DEVICE);
  int mine = 0;
  EXPECT_EQ(mem_free(context, &mine), CL_INVALID_VALUE);
  EXPECT_EQ(mem_free(nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(mem_free(context, nullptr), CL_SUCCESS);
  EXPECT_EQ(blocking_free(context, nullptr), CL_SUCCESS);
}

TEST_F(UnifiedMemory, KernelsAndCommands) {
  cl_int error = CL_SUCCESS;
  auto* const from = static_cast<cl_int*>(device_alloc(context, device, nullptr, 400, 0, &error));
  auto* const to = static_cast<cl_int*>(shared_alloc(context, device, nullptr, 400, 0, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const Program program = session.build("kernel void k(global const int* a, global int* b, int c) { b[get_global_id(0)] = a[get_global_id(0)] + c; }");
  const Kernel kernel = session.kernel(program, "k");
  ASSERT_EQ(set_pointer(kernel, 0, from), CL_SUCCESS);
  ASSERT_EQ(set_pointer(kernel, 1, to), CL_SUCCESS);
  set_arg(kernel, 2, cl_int{5});
  EXPECT_EQ(set_pointer(kernel, 3, to), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set_pointer(nullptr, 0, to), CL_INVALID_KERNEL);
  for (cl_kernel_exec_info name : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                   CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    const cl_bool yes = CL_TRUE;
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, sizeof yes, &yes), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, 1, &yes), CL_INVALID_VALUE);
  }
  const void* pointers[] = {from, to};
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof pointers, pointers), CL_SUCCESS);
  const cl_int nine = 9;
  ASSERT_EQ(fill(queue, from, &nine, 4, 400, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(migrate(queue, from, 400, 0, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(advise(queue, from, 400, 0, 0, nullptr, nullptr), CL_SUCCESS);
  session.finish(session.enqueue(kernel, {{100}, {}, {}}));
  EXPECT_EQ(to[99], 14);
  std::vector<cl_int> host(100);
  cl_event raw = nullptr;
  ASSERT_EQ(copy(queue, CL_TRUE, host.data(), to, 400, 0, nullptr, &raw), CL_SUCCESS);
  const Event event(raw);
  cl_command_type type = 0;
  clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_MEMCPY_INTEL});
  EXPECT_EQ(host, std::vector<cl_int>(100, 14));
  EXPECT_EQ(copy(queue, CL_TRUE, nullptr, to, 400, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(copy(queue, CL_TRUE, to + 1, to, 300, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(nullptr, CL_TRUE, to, from, 400, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(fill(queue, nullptr, &nine, 4, 400, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, to, &nine, 3, 300, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(queue, nullptr, 400, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(advise(queue, nullptr, 400, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(mem_free(context, from), CL_SUCCESS);
  EXPECT_EQ(mem_free(context, to), CL_SUCCESS);
}

// Waits for the commands of all queues of the context.
TEST_F(UnifiedMemory, BlockingFree) {
  cl_int error = CL_SUCCESS;
  auto* const memory = static_cast<cl_int*>(shared_alloc(context, device, nullptr, 1 << 20, 0, &error));
  std::vector<cl_int> host(1 << 18);
  const Queue others[] = {session.queue(0), session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  const cl_int seven = 7;
  cl_event filled = nullptr;
  ASSERT_EQ(fill(others[0], memory, &seven, 4, 1 << 20, 0, nullptr, &filled), CL_SUCCESS);
  const Event first(filled);
  ASSERT_EQ(copy(others[1], CL_FALSE, host.data(), memory, 1 << 20, 1, &filled, nullptr), CL_SUCCESS);
  ASSERT_EQ(blocking_free(context, memory), CL_SUCCESS);
  EXPECT_EQ(host, std::vector<cl_int>(1 << 18, 7));
}

TEST_F(UnifiedMemory, SvmIsNoneOfIt) {
  void* const memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(info<cl_unified_shared_memory_type_intel>(memory, CL_MEM_ALLOC_TYPE_INTEL), cl_unified_shared_memory_type_intel{CL_MEM_TYPE_UNKNOWN_INTEL});
  EXPECT_EQ(mem_free(context, memory), CL_INVALID_VALUE);
  clSVMFree(context, memory);
}

TEST_F(UnifiedMemory, CapabilitiesOfTheDevice) {
  for (cl_device_info name : {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
                              CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
                              CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    device_value<cl_device_unified_shared_memory_capabilities_intel>(device, name);
  EXPECT_TRUE(device_value<cl_device_unified_shared_memory_capabilities_intel>(device, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) &
              CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
}

class DeviceAddress : public ApiTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_ext_buffer_device_address")) GTEST_SKIP() << "no cl_ext_buffer_device_address";
  }
  Mem buffer(const cl_mem_properties* properties, cl_int wanted = CL_SUCCESS) {
    cl_int error = CL_SUCCESS;
    Mem made(clCreateBufferWithProperties(context, properties, CL_MEM_READ_WRITE, 1024, nullptr, &error));
    EXPECT_EQ(error, wanted);
    return made;
  }
  cl_int address(cl_mem of, cl_ulong& value) { return clGetMemObjectInfo(of, kDeviceAddress, sizeof value, &value, nullptr); }
};

TEST_F(DeviceAddress, KernelsTakeIt) {
  const auto set = reinterpret_cast<cl_int (*)(cl_kernel, cl_uint, cl_ulong)>(clGetExtensionFunctionAddressForPlatform(
      device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM), "clSetKernelArgDevicePointerEXT"));
  ASSERT_NE(set, nullptr);
  const cl_mem_properties properties[] = {kPrivateAddress, CL_TRUE, 0};
  const Mem memory = buffer(properties), plain = buffer(nullptr);
  cl_ulong at = 0, at_part = 0;
  ASSERT_EQ(address(memory, at), CL_SUCCESS);
  EXPECT_NE(at, 0u);
  EXPECT_EQ(address(plain, at_part), CL_INVALID_OPERATION);
  const cl_buffer_region region{512, 256};
  cl_int error = CL_SUCCESS;
  const Mem part(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(address(part, at_part), CL_SUCCESS);
  EXPECT_EQ(at_part, at + 512);

  const Program program = session.build("kernel void k(global int* a, local int* b, int c) { a[get_global_id(0)] = c; }");
  const Kernel kernel = session.kernel(program, "k");
  EXPECT_EQ(set(nullptr, 0, at), CL_INVALID_KERNEL);
  for (cl_uint index : {1, 2, 3}) EXPECT_EQ(set(kernel, index, at), CL_INVALID_ARG_INDEX);
  ASSERT_EQ(set(kernel, 0, at + 512), CL_SUCCESS);
  set_arg(kernel, 1, LocalBytes{16});
  set_arg(kernel, 2, cl_int{6});
  EXPECT_EQ(clSetKernelExecInfo(kernel, kDevicePointers, sizeof at, &at), CL_SUCCESS);
  session.finish(session.enqueue(kernel, {{32}, {}, {}}));
  const auto got = session.download<cl_int>(memory, 256);
  EXPECT_EQ(got[127], 0);
  EXPECT_EQ(got[128], 6);
}

TEST_F(DeviceAddress, Properties) {
  const cl_mem_properties off[] = {kPrivateAddress, CL_FALSE, 0}, twice[] = {kPrivateAddress, CL_TRUE, kPrivateAddress, CL_TRUE, 0},
                          wrong[] = {kPrivateAddress, 7, 0}, unknown[] = {7, 7, 0};
  cl_ulong at = 0;
  EXPECT_EQ(address(buffer(off), at), CL_INVALID_OPERATION);
  for (const cl_mem_properties* bad : {twice, wrong, unknown}) buffer(bad, CL_INVALID_PROPERTY);
}

}  // namespace
}  // namespace weft::conformance
