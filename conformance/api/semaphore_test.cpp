// Semaphores (cl_khr_semaphore, cl_khr_external_semaphore_opaque_fd).
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "api/fixture.h"

struct _cl_semaphore_khr;

namespace weft::conformance {
namespace {

using Semaphore = ::_cl_semaphore_khr*;
// Of version 1.0.0; headers of distributions have provisional ones.
constexpr cl_properties kType = 0x203D, kBinary = 1, kDevices = 0x2053;
constexpr cl_properties kExports = 0x203F, kOpaqueFd = 0x2055;
constexpr cl_uint kContext = 0x2039, kCount = 0x203A, kProperties = 0x203B, kPayload = 0x203C;
constexpr cl_int kInvalidSemaphore = -1142;

class Semaphores : public ApiTest {
 protected:
  template <class F>
  F find(const char* name) {
    return reinterpret_cast<F>(
        clGetExtensionFunctionAddressForPlatform(device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM), name));
  }
  using Enqueue = cl_int (*)(cl_command_queue, cl_uint, const Semaphore*, const cl_ulong*, cl_uint, const cl_event*, cl_event*);
  Semaphore (*create)(cl_context, const cl_properties*, cl_int*) = nullptr;
  cl_int (*retain)(Semaphore) = nullptr;
  cl_int (*free)(Semaphore) = nullptr;
  cl_int (*info)(Semaphore, cl_uint, std::size_t, void*, std::size_t*) = nullptr;
  Enqueue wait = nullptr, signal = nullptr;

  void SetUp() override {
    if (!has_extension("cl_khr_semaphore")) GTEST_SKIP() << "no cl_khr_semaphore";
    create = find<decltype(create)>("clCreateSemaphoreWithPropertiesKHR");
    retain = find<decltype(retain)>("clRetainSemaphoreKHR");
    free = find<decltype(free)>("clReleaseSemaphoreKHR");
    info = find<decltype(info)>("clGetSemaphoreInfoKHR");
    wait = find<Enqueue>("clEnqueueWaitSemaphoresKHR");
    signal = find<Enqueue>("clEnqueueSignalSemaphoresKHR");
  }
  Semaphore make() {
    const cl_properties properties[] = {kType, kBinary, 0};
    cl_int error = CL_SUCCESS;
    const Semaphore made = create(context, properties, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  cl_ulong payload(Semaphore of) {
    cl_ulong value = 7;
    EXPECT_EQ(info(of, kPayload, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
};

TEST_F(Semaphores, SignalAndWait) {
  const Semaphore semaphore = make();
  EXPECT_EQ(payload(semaphore), 0u);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(signal(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(payload(semaphore), 1u);
    ASSERT_EQ(wait(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(payload(semaphore), 0u);
  }
  EXPECT_EQ(free(semaphore), CL_SUCCESS);
}

// One queue's commands go on once another's are there.
TEST_F(Semaphores, OrderQueues) {
  const Queue other = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Semaphore semaphores[] = {make(), make()};
  const Mem memory = session.upload(std::vector<cl_int>(64, 1)), result = session.buffer(256);
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  const Program program = session.build("kernel void k(global int* a) { a[get_global_id(0)] += 4; }");
  const Kernel kernel = session.kernel(program, "k");
  set_args(kernel, memory);
  // The waiting side first.
  cl_event copied = nullptr, waited = nullptr, first = gate, launched = nullptr;
  ASSERT_EQ(wait(other, 2, semaphores, nullptr, 0, nullptr, &waited), CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(other, memory, result, 0, 0, 256, 1, &waited, &copied), CL_SUCCESS);
  ASSERT_EQ(clFlush(other), CL_SUCCESS);
  const std::size_t size = 64;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 1, &first, &launched), CL_SUCCESS);
  ASSERT_EQ(signal(queue, 1, &semaphores[0], nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(signal(queue, 1, &semaphores[1], nullptr, 1, &launched, nullptr), CL_SUCCESS);
  cl_int status = 0;
  clGetEventInfo(copied, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  EXPECT_GT(status, CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &copied), CL_SUCCESS);
  EXPECT_EQ(session.download<cl_int>(result, 64), std::vector<cl_int>(64, 5));
  cl_command_type type = 0;
  clGetEventInfo(waited, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  EXPECT_EQ(type, 0x2042u);
  for (cl_event event : {copied, waited, launched}) clReleaseEvent(event);
  for (Semaphore semaphore : semaphores) EXPECT_EQ(free(semaphore), CL_SUCCESS);
}

TEST_F(Semaphores, Queries) {
  const cl_properties properties[] = {kType, kBinary, kDevices, reinterpret_cast<cl_properties>(device), 0, 0};
  cl_int error = CL_SUCCESS;
  const Semaphore semaphore = create(context, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  cl_properties list[6] = {};
  std::size_t size = 0;
  EXPECT_EQ(info(semaphore, kProperties, sizeof list, list, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof list);
  EXPECT_TRUE(std::equal(list, list + 6, properties));
  cl_uint number = 0;
  EXPECT_EQ(info(semaphore, static_cast<cl_uint>(kType), sizeof number, &number, nullptr), CL_SUCCESS);
  EXPECT_EQ(number, kBinary);
  cl_context of = nullptr;
  EXPECT_EQ(info(semaphore, kContext, sizeof of, &of, nullptr), CL_SUCCESS);
  EXPECT_EQ(of, context);
  ASSERT_EQ(retain(semaphore), CL_SUCCESS);
  EXPECT_EQ(info(semaphore, kCount, sizeof number, &number, nullptr), CL_SUCCESS);
  EXPECT_EQ(number, 2u);
  EXPECT_EQ(info(semaphore, 0, sizeof number, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(free(semaphore), CL_SUCCESS);
  EXPECT_EQ(free(semaphore), CL_SUCCESS);
  EXPECT_EQ(free(semaphore), kInvalidSemaphore);
}

TEST_F(Semaphores, Errors) {
  cl_int error = CL_SUCCESS;
  const cl_properties none[] = {0}, type[] = {kType, 9, 0}, twice[] = {kType, kBinary, kType, kBinary, 0}, unknown[] = {5, 5, 0};
  EXPECT_EQ(create(context, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(create(context, none, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  for (const cl_properties* bad : {type, twice, unknown}) {
    EXPECT_EQ(create(context, bad, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_PROPERTY);
  }
  const cl_properties good[] = {kType, kBinary, 0};
  EXPECT_EQ(create(nullptr, good, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  const Semaphore semaphore = make(), stale = nullptr;
  const Session other(device);
  for (Enqueue enqueue : {signal, wait}) {
    EXPECT_EQ(enqueue(nullptr, 1, &semaphore, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(enqueue(queue, 0, &semaphore, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(enqueue(queue, 1, nullptr, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(enqueue(queue, 1, &stale, nullptr, 0, nullptr, nullptr), kInvalidSemaphore);
    EXPECT_EQ(enqueue(other.queue(), 1, &semaphore, nullptr, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(enqueue(queue, 1, &semaphore, nullptr, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  }
  EXPECT_EQ(payload(semaphore), 0u);
  EXPECT_EQ(free(semaphore), CL_SUCCESS);
}

class ExternalSemaphores : public Semaphores {
 protected:
  cl_int (*handle)(Semaphore, cl_device_id, cl_uint, std::size_t, void*, std::size_t*) = nullptr;

  void SetUp() override {
    if (!has_extension("cl_khr_external_semaphore_opaque_fd")) GTEST_SKIP() << "no cl_khr_external_semaphore_opaque_fd";
    Semaphores::SetUp();
    handle = find<decltype(handle)>("clGetSemaphoreHandleForTypeKHR");
    ASSERT_TRUE(handle);
  }
  Semaphore exported() {
    const cl_properties properties[] = {kType, kBinary, kExports, kOpaqueFd, 0, 0};
    cl_int error = CL_SUCCESS;
    const Semaphore made = create(context, properties, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  int descriptor_of(Semaphore semaphore) {
    int descriptor = -1;
    std::size_t size = 0;
    EXPECT_EQ(handle(semaphore, device, kOpaqueFd, sizeof descriptor, &descriptor, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof descriptor);
    return descriptor;
  }
};

// A queue of another context waits for what this one signals, by a descriptor, which outlives the semaphore that was exported.
TEST_F(ExternalSemaphores, OrderContexts) {
  const Session other(device);
  const Semaphore here = exported();
  const cl_properties properties[] = {kType, kBinary, kOpaqueFd, static_cast<cl_properties>(descriptor_of(here)), 0};
  cl_int error = CL_SUCCESS;
  const Semaphore there = create(other.context(), properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    cl_event waited = nullptr, gate = clCreateUserEvent(context, &error);
    ASSERT_EQ(wait(other.queue(), 1, &there, nullptr, 0, nullptr, &waited), CL_SUCCESS);
    ASSERT_EQ(clFlush(other.queue()), CL_SUCCESS);
    ASSERT_EQ(signal(queue, 1, &here, nullptr, 1, &gate, nullptr), CL_SUCCESS);
    cl_int status = CL_COMPLETE;
    clGetEventInfo(waited, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    EXPECT_GT(status, CL_COMPLETE);
    ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &waited), CL_SUCCESS);
    EXPECT_EQ(payload(there), 0u);
    clReleaseEvent(waited);
    clReleaseEvent(gate);
  }
  // And the other way, with the signal first.
  ASSERT_EQ(signal(other.queue(), 1, &there, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(other.queue()), CL_SUCCESS);
  EXPECT_EQ(payload(here), 1u);
  ASSERT_EQ(wait(queue, 1, &here, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(payload(here), 0u);
  EXPECT_EQ(free(here), CL_SUCCESS);
  ASSERT_EQ(signal(other.queue(), 1, &there, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(other.queue()), CL_SUCCESS);
  EXPECT_EQ(payload(there), 1u);
  EXPECT_EQ(free(there), CL_SUCCESS);
}

// Each of many that wait takes one signal, the first the first, while others join them.
TEST_F(ExternalSemaphores, ManyWait) {
  const Queue many = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Semaphore semaphore = exported();
  const auto is_complete = [](cl_event event) {
    cl_int status = CL_QUEUED;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    return status == CL_COMPLETE;
  };
  constexpr std::size_t kSignals = 6000, kWaiting = 64;
  std::vector<cl_event> waited;
  const auto join = [&] {
    ASSERT_EQ(wait(many, 1, &semaphore, nullptr, 0, nullptr, &waited.emplace_back()), CL_SUCCESS);
    ASSERT_EQ(clFlush(many), CL_SUCCESS);
  };
  for (std::size_t i = 0; i < kWaiting; ++i) join();
  for (std::size_t i = 0; i < kSignals; ++i) {
    ASSERT_EQ(signal(queue, 1, &semaphore, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFlush(queue), CL_SUCCESS);
    if (i + kWaiting < kSignals) join();
    auto taker = waited.end();
    while ((taker = std::find_if(waited.begin() + static_cast<std::ptrdiff_t>(i), waited.end(), is_complete)) == waited.end()) std::this_thread::yield();
    ASSERT_EQ(taker - waited.begin(), static_cast<std::ptrdiff_t>(i));
  }
  for (cl_event event : waited) clReleaseEvent(event);
  EXPECT_EQ(free(semaphore), CL_SUCCESS);
}

TEST_F(ExternalSemaphores, QueriesAndErrors) {
  cl_uint type = 0, exportable = 7;
  EXPECT_EQ(clGetDeviceInfo(device, 0x204D, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, kOpaqueFd);
  EXPECT_EQ(clGetPlatformInfo(test_platform(), 0x2038, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, kOpaqueFd);
  const Semaphore here = exported(), inner = make();
  EXPECT_EQ(info(here, static_cast<cl_uint>(kExports), sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, kOpaqueFd);
  EXPECT_EQ(info(here, 0x2054, sizeof exportable, &exportable, nullptr), CL_SUCCESS);
  EXPECT_EQ(exportable, CL_TRUE);
  EXPECT_EQ(info(inner, 0x2054, sizeof exportable, &exportable, nullptr), CL_SUCCESS);
  EXPECT_EQ(exportable, CL_FALSE);
  int descriptor = -1;
  EXPECT_EQ(handle(inner, device, kOpaqueFd, sizeof descriptor, &descriptor, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(handle(here, device, 0x2058, sizeof descriptor, &descriptor, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(handle(here, device, kOpaqueFd, 1, &descriptor, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(handle(here, nullptr, kOpaqueFd, sizeof descriptor, &descriptor, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(descriptor, -1);
  descriptor = descriptor_of(here);
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  const auto property = [](int own) { return static_cast<cl_properties>(own); };
  const cl_properties both[] = {kType, kBinary, kOpaqueFd, property(descriptor), kExports, kOpaqueFd, 0, 0},
                      twice[] = {kType, kBinary, kExports, kOpaqueFd, kOpaqueFd, 0, 0},
                      foreign[] = {kType, kBinary, kOpaqueFd, property(ends[0]), 0}, none[] = {kType, kBinary, kOpaqueFd, property(-1), 0};
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(create(context, both, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  for (const cl_properties* bad : {twice, foreign, none}) {
    EXPECT_EQ(create(context, bad, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE);
  }
  // What was refused is still the application's.
  for (const int own : {descriptor, ends[0], ends[1]}) EXPECT_EQ(close(own), 0);
  EXPECT_EQ(free(here), CL_SUCCESS);
  EXPECT_EQ(free(inner), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::conformance
