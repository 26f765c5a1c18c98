// Shared virtual memory (OpenCL 3.0 API §5.6, §5.9.2).
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Svm : public ApiTest {
 protected:
  const cl_device_svm_capabilities capabilities =
      device_value<cl_device_svm_capabilities>(device, CL_DEVICE_SVM_CAPABILITIES);

  void SetUp() override {
    if (!capabilities) GTEST_SKIP() << "no shared virtual memory";
  }

  template <class T>
  T* allocate(std::size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE, cl_uint alignment = 0) {
    void* const memory = clSVMAlloc(context, flags, count * sizeof(T), alignment);
    EXPECT_NE(memory, nullptr);
    return static_cast<T*>(memory);
  }
  void free(void* memory) { clSVMFree(context, memory); }

  cl_int map(void* memory, std::size_t size) {
    return clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, size, 0, nullptr, nullptr);
  }
  cl_int unmap(void* memory) { return clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr); }

  Kernel kernel(const std::string& source, const std::string& options = "") {
    program_ = std::make_unique<Program>(session.build(source, options));
    return session.kernel(*program_, "k");
  }

  void run(cl_kernel kernel, std::size_t size) { session.finish(session.enqueue(kernel, {{size}, {}, {}})); }

 private:
  std::unique_ptr<Program> program_;
};

TEST_F(Svm, EveryDeviceHasCoarseBuffersAtLeast) {
  EXPECT_TRUE(capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  if (capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) EXPECT_TRUE(capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}

TEST_F(Svm, AllocationsThatAreRefused) {
  const auto largest = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(clSVMAlloc(nullptr, CL_MEM_READ_WRITE, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, largest + 1, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0), nullptr);
  clSVMFree(context, nullptr);
}

TEST_F(Svm, HostPointerFlagsAreNoneOfAnAllocation) {
  NOT_ON_POCL("takes any flags");
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_HOST_READ_ONLY, 64, 0), nullptr);
}

TEST_F(Svm, AllocationsAreAligned) {
  for (cl_uint alignment : {0, 1, 2, 16, 64, 128}) {
    void* const memory = allocate<char>(100, CL_MEM_READ_WRITE, alignment);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (alignment ? alignment : 128), 0u) << alignment;
    free(memory);
  }
}

TEST_F(Svm, KernelsTakePointers) {
  auto* const from = allocate<cl_int>(64);
  auto* const to = allocate<cl_int>(64);
  ASSERT_EQ(map(from, 256), CL_SUCCESS);
  for (int i = 0; i < 64; ++i) from[i] = i * i;
  ASSERT_EQ(unmap(from), CL_SUCCESS);
  const Kernel k = kernel("kernel void k(global const int* a, global int* b) { b[get_global_id(0)] = a[get_global_id(0)] + 1; }");
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, from), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 1, to + 4), CL_SUCCESS);  // inside of an allocation, too
  run(k, 60);
  ASSERT_EQ(map(to, 256), CL_SUCCESS);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(to[i + 4], i * i + 1);
  ASSERT_EQ(unmap(to), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  free(from), free(to);
}

TEST_F(Svm, PointersInMemory) {
  struct Node {
    Node* next;
    cl_int value;
  };
  auto* const nodes = allocate<Node>(100);
  auto* const sums = allocate<cl_int>(32);
  ASSERT_EQ(map(nodes, 100 * sizeof(Node)), CL_SUCCESS);
  for (int i = 0; i < 100; ++i) nodes[i] = {i < 99 ? &nodes[i + 1] : nullptr, i};
  ASSERT_EQ(unmap(nodes), CL_SUCCESS);
  const Kernel k = kernel(
      "typedef struct Node { global struct Node* next; int value; } Node;"
      "kernel void k(global Node* nodes, global int* sums) {"
      "  int sum = 0;"
      "  for (global Node* n = nodes + get_global_id(0); n; n = n->next) sum += n->value;"
      "  sums[get_global_id(0)] = sum; }");
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, nodes), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 1, sums), CL_SUCCESS);
  void* indirect[] = {nodes};
  ASSERT_EQ(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof indirect, indirect), CL_SUCCESS);
  run(k, 32);
  ASSERT_EQ(map(sums, 128), CL_SUCCESS);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(sums[i], 4950 - i * (i - 1) / 2);
  ASSERT_EQ(unmap(sums), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  free(nodes), free(sums);
}

TEST_F(Svm, PointersAndBuffersReplaceEachOther) {
  auto* const memory = allocate<cl_int>(32);
  const Mem buffer = session.upload(std::vector<cl_int>(32, 7));
  const Kernel k = kernel("kernel void k(global int* a) { if (a) a[get_global_id(0)] = 1; }");
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, memory), CL_SUCCESS);
  set_arg(k, 0, buffer);
  run(k, 32);
  EXPECT_EQ(session.download<cl_int>(buffer, 32), std::vector<cl_int>(32, 1));
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, memory), CL_SUCCESS);
  run(k, 32);
  ASSERT_EQ(map(memory, 128), CL_SUCCESS);
  EXPECT_EQ(memory[31], 1);
  ASSERT_EQ(unmap(memory), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, nullptr), CL_SUCCESS);
  run(k, 32);
  free(memory);
}

TEST_F(Svm, ArgumentErrors) {
  auto* const memory = allocate<cl_int>(32);
  const Kernel k = kernel("kernel void k(global int* a, local int* b, int c, constant int* d) { a[0] = c + d[0]; }");
  EXPECT_EQ(clSetKernelArgSVMPointer(nullptr, 0, memory), CL_INVALID_KERNEL);
  EXPECT_EQ(clSetKernelArgSVMPointer(k, 4, memory), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArgSVMPointer(k, 3, memory), CL_SUCCESS);
  if (!testing_pocl()) {  // takes them
    EXPECT_EQ(clSetKernelArgSVMPointer(k, 1, memory), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArgSVMPointer(k, 2, memory), CL_INVALID_ARG_VALUE);
  }
  free(memory);
}

TEST_F(Svm, ExecInfoErrors) {
  const Kernel k = kernel("kernel void k(global int* a) { a[0] = 1; }");
  void* pointers[2] = {nullptr, nullptr};
  EXPECT_EQ(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers), CL_INVALID_KERNEL);
  if (!testing_pocl()) {  // takes anything
    EXPECT_EQ(clSetKernelExecInfo(k, 0, sizeof pointers, pointers), CL_INVALID_VALUE);
    EXPECT_EQ(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, pointers), CL_INVALID_VALUE);
    EXPECT_EQ(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr), CL_INVALID_VALUE);
  }
  const cl_bool yes = CL_TRUE;
  if (capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
    EXPECT_EQ(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes), CL_SUCCESS);
}

TEST_F(Svm, CopyAndFill) {
  auto* const a = allocate<cl_int>(1000);
  auto* const b = allocate<cl_int>(1000);
  const cl_int pattern[4] = {1, 2, 3, 4};
  ASSERT_EQ(clEnqueueSVMMemFill(queue, a, pattern, sizeof pattern, 4000, 0, nullptr, nullptr), CL_SUCCESS);
  cl_event raw = nullptr;
  ASSERT_EQ(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, 4000, 0, nullptr, &raw), CL_SUCCESS);
  const Event event(raw);
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, static_cast<cl_command_type>(CL_COMMAND_SVM_MEMCPY));
  std::vector<cl_int> host(1000);  // host memory on one side is no error
  ASSERT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, host.data(), b, 4000, 0, nullptr, nullptr), CL_SUCCESS);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(host[i], i % 4 + 1);
  free(a), free(b);
}

TEST_F(Svm, CopyErrors) {
  auto* const a = allocate<cl_int>(64);
  EXPECT_EQ(clEnqueueSVMMemcpy(nullptr, CL_TRUE, a, a + 32, 128, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, nullptr, a, 128, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, nullptr, 128, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 16, 128, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 32, 128, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 32, 128, 0, nullptr, nullptr), CL_SUCCESS);
  free(a);
}

TEST_F(Svm, FillErrors) {
  auto* const a = allocate<cl_int>(64);
  const cl_int pattern[64] = {};
  EXPECT_EQ(clEnqueueSVMMemFill(queue, nullptr, pattern, 4, 128, 0, nullptr, nullptr), CL_INVALID_VALUE);
  if (!testing_pocl()) EXPECT_EQ(clEnqueueSVMMemFill(queue, a, nullptr, 4, 128, 0, nullptr, nullptr), CL_INVALID_VALUE);  // crashes
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, pattern, 0, 128, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, pattern, 12, 144, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, pattern, 256, 256, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, pattern, 8, 12, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a + 1, pattern, 8, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, pattern, 128, 256, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  free(a);
}

TEST_F(Svm, MapErrors) {
  auto* const a = allocate<cl_int>(64);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, nullptr, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, a, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  if (!testing_pocl()) EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, 1u << 9, a, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  free(a);
}

TEST_F(Svm, Migration) {
  auto* const a = allocate<char>(64);
  const void* pointers[] = {a, a + 8};
  const std::size_t sizes[] = {0, 16}, beyond[] = {0, 100};
  cl_event raw = nullptr;
  ASSERT_EQ(clEnqueueSVMMigrateMem(queue, 2, pointers, sizes, 0, 0, nullptr, &raw), CL_SUCCESS);
  const Event event(raw);
  ASSERT_EQ(clEnqueueSVMMigrateMem(queue, 2, pointers, nullptr, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 0, pointers, sizes, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 2, nullptr, sizes, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 2, pointers, sizes, 1u << 9, 0, nullptr, nullptr), CL_INVALID_VALUE);
  if (!testing_pocl())  // does not look
    EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 2, pointers, beyond, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  free(a);
}

TEST_F(Svm, FreeIsACommand) {
  void* memory[] = {allocate<cl_int>(64), allocate<cl_int>(64)};
  ASSERT_EQ(clEnqueueSVMFree(queue, 2, memory, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMFree(queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue, 0, memory, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(nullptr, 2, memory, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Svm, FreeByACallback) {
  struct Seen {
    std::atomic<int> calls{0};
    cl_uint count = 0;
    std::vector<void*> pointers;
    cl_context context;
  } seen;
  seen.context = context;
  void* memory[] = {allocate<cl_int>(64), allocate<cl_int>(64), allocate<cl_int>(1)};
  const auto callback = [](cl_command_queue from, cl_uint count, void** pointers, void* data) {
    auto& seen = *static_cast<Seen*>(data);
    cl_context context = nullptr;
    clGetCommandQueueInfo(from, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    seen.count = count;
    seen.pointers.assign(pointers, pointers + count);
    for (cl_uint i = 0; i < count; ++i) clSVMFree(context, pointers[i]);
    ++seen.calls;
  };
  std::vector<void*> given(memory, memory + 3);
  ASSERT_EQ(clEnqueueSVMFree(queue, 3, given.data(), callback, &seen, 0, nullptr, nullptr), CL_SUCCESS);
  given.assign(3, nullptr);  // they were copied
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.pointers, std::vector<void*>(memory, memory + 3));
}

TEST_F(Svm, BuffersOnAllocations) {
  auto* const memory = allocate<cl_int>(64);
  const Mem buffer = session.buffer(256, CL_MEM_USE_HOST_PTR, memory);
  const auto uses = [](cl_mem object) {
    cl_bool answer = 2;
    clGetMemObjectInfo(object, CL_MEM_USES_SVM_POINTER, sizeof answer, &answer, nullptr);
    return answer;
  };
  EXPECT_EQ(uses(buffer), CL_TRUE);
  const cl_buffer_region region{128, 64};
  cl_int error = CL_SUCCESS;
  const Mem part(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  if (!testing_pocl()) EXPECT_EQ(uses(part), CL_TRUE);  // says no
  EXPECT_EQ(uses(session.buffer(64)), CL_FALSE);
  if (!testing_pocl()) {
    EXPECT_EQ(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 512, memory, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  }
  const Kernel k = kernel("kernel void k(global int* a, global int* b) { a[get_global_id(0)] = b[0] + 5; }");
  ASSERT_EQ(map(memory, 256), CL_SUCCESS);
  memory[63] = 37;
  ASSERT_EQ(unmap(memory), CL_SUCCESS);
  set_arg(k, 0, buffer);
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 1, memory + 63), CL_SUCCESS);
  run(k, 32);
  EXPECT_EQ(session.download<cl_int>(buffer, 64)[31], 42);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
}

// What the application never freed goes with the context; the address sanitizer would tell.
TEST_F(Svm, WhatIsLeftGoesWithTheContext) {
  Session other(device);
  ASSERT_NE(clSVMAlloc(other.context(), CL_MEM_READ_WRITE, 1000, 0), nullptr);
  ASSERT_NE(clSVMAlloc(other.context(), CL_MEM_READ_WRITE, 1 << 20, 0), nullptr);
}

TEST_F(Svm, TheHostsOwnMemory) {
  if (!(capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)) GTEST_SKIP() << "not fine-grained system";
  std::vector<cl_int> values = iota<cl_int>(100);
  const Kernel k = kernel("kernel void k(global int* a) { a[get_global_id(0)] *= 3; }");
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, values.data() + 1), CL_SUCCESS);
  run(k, 99);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(values[i], 3 * i);
}

// The kernel answers while it runs: the device's atomics are the host's.
TEST_F(Svm, HostAndKernelTalk) {
  NOT_ON_POCL("reports memory_scope_all_svm_devices, which its OpenCL C does not have");
  const auto atomics = device_value<cl_device_atomic_capabilities>(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  if (!(capabilities & CL_DEVICE_SVM_ATOMICS) || !(atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)) GTEST_SKIP() << "no atomics";
  auto* const words = allocate<std::atomic<cl_int>>(2, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
  words[0] = words[1] = 0;
  const Kernel k = kernel(
      "kernel void k(global atomic_int* words) {"
      "  atomic_store_explicit(words, 1, memory_order_release, memory_scope_all_svm_devices);"
      "  while (atomic_load_explicit(words + 1, memory_order_acquire, memory_scope_all_svm_devices) != 5) ;"
      "  atomic_fetch_add_explicit(words, 1, memory_order_seq_cst, memory_scope_all_svm_devices); }",
      "-cl-std=CL3.0");
  ASSERT_EQ(clSetKernelArgSVMPointer(k, 0, words), CL_SUCCESS);
  const Event event = session.enqueue(k, {{1}, {1}, {}});
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (words[0] != 1 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_EQ(words[0], 1);
  words[1] = 5;
  session.finish(event);
  EXPECT_EQ(words[0], 2);
  free(words);
}

}  // namespace
}  // namespace weft::conformance
