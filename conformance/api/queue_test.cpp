// Command queues, markers and barriers (OpenCL 3.0 API §5.1, §5.12, §5.13).
#include <unistd.h>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class QueueTest : public ApiTest {
 protected:
  Program program = session.build(
      "kernel void scale(global int* a, int by, int add) { size_t i = get_global_id(0); a[i] = a[i] * by + "
      "add; }");
  Kernel scale = session.kernel(program, "scale");

  void enqueue(cl_command_queue to, const Mem& buffer, cl_int by, cl_int add,
               const std::vector<cl_event>& waits = {}, cl_event* event = nullptr) {
    set_args(scale, buffer, by, add);
    const std::size_t global = 64;
    check(clEnqueueNDRangeKernel(to, scale, 1, nullptr, &global, nullptr, cl_uint(waits.size()),
                                 waits.empty() ? nullptr : waits.data(), event),
          "clEnqueueNDRangeKernel");
  }
};

TEST_F(QueueTest, Info) {
  cl_context in = nullptr;
  cl_device_id on = nullptr;
  cl_command_queue_properties properties = 0;
  ASSERT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof in, &in, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof on, &on, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(in, context);
  EXPECT_EQ(on, device);
  EXPECT_EQ(properties, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
}

TEST_F(QueueTest, BadProperties) {
  cl_int error = CL_SUCCESS;
  const cl_queue_properties unknown[] = {0x7777, 1, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, unknown, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(QueueTest, OldCreateCall) {
  cl_int error = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const Queue old(clCreateCommandQueue(context, device, 0, &error));
#pragma GCC diagnostic pop
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clFinish(old), CL_SUCCESS);
}

TEST_F(QueueTest, InOrderCommandsSeeTheOnesBefore) {
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  cl_uint want = 1;
  for (cl_int i = 0; i < 200; ++i) {
    enqueue(queue, buffer, 3, i);
    want = want * 3 + cl_uint(i);
  }
  EXPECT_EQ(session.download<cl_uint>(buffer, 64), std::vector<cl_uint>(64, want));
}

TEST_F(QueueTest, OutOfOrderFollowsWaitLists) {
  const Queue loose = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  Event last;
  cl_uint want = 1;
  for (cl_int i = 0; i < 100; ++i) {
    Event next;
    enqueue(loose, buffer, 5, i, last.get() ? std::vector<cl_event>{last} : std::vector<cl_event>{},
            next.out());
    last = std::move(next);
    want = want * 5 + cl_uint(i);
  }
  ASSERT_EQ(clFinish(loose), CL_SUCCESS);
  EXPECT_EQ(session.download<cl_uint>(buffer, 64), std::vector<cl_uint>(64, want));
}

TEST_F(QueueTest, OutOfOrderBarrierOrders) {
  const Queue loose = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  cl_uint want = 1;
  for (cl_int i = 0; i < 50; ++i) {
    enqueue(loose, buffer, 7, i);
    ASSERT_EQ(clEnqueueBarrierWithWaitList(loose, 0, nullptr, nullptr), CL_SUCCESS);
    want = want * 7 + cl_uint(i);
  }
  ASSERT_EQ(clFinish(loose), CL_SUCCESS);
  EXPECT_EQ(session.download<cl_uint>(buffer, 64), std::vector<cl_uint>(64, want));
}

TEST_F(QueueTest, MarkerWaitsForAllBefore) {
  const Queue loose = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::vector<Mem> buffers;
  for (int i = 0; i < 8; ++i) {
    buffers.push_back(session.upload(std::vector<cl_int>(64, i)));
    enqueue(loose, buffers.back(), 1, 100);
  }
  Event marker;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(loose, 0, nullptr, marker.out()), CL_SUCCESS);
  ASSERT_EQ(clFlush(loose), CL_SUCCESS);
  session.finish(marker);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(session.download<cl_int>(buffers[i], 1)[0], 100 + i);
}

TEST_F(QueueTest, EventsOrderQueues) {
  const Queue other = session.queue(0);
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  cl_uint want = 1;
  Event last;
  for (cl_int i = 0; i < 60; ++i) {
    const cl_command_queue to = i % 2 ? other.get() : queue;
    Event next;
    enqueue(to, buffer, 3, i, last.get() ? std::vector<cl_event>{last} : std::vector<cl_event>{}, next.out());
    ASSERT_EQ(clFlush(to), CL_SUCCESS);
    last = std::move(next);
    want = want * 3 + cl_uint(i);
  }
  session.finish(last);
  EXPECT_EQ(session.download<cl_uint>(buffer, 64), std::vector<cl_uint>(64, want));
}

TEST_F(QueueTest, ReleasedWithWorkInFlight) {
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  Queue other = session.queue(0);
  Event event;
  enqueue(other, buffer, 2, 1, {}, event.out());
  ASSERT_EQ(clFlush(other), CL_SUCCESS);
  other.reset();
  session.finish(event);
  EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 3);
}

// A kernel keeps the argument values of the moment of its enqueueing.
TEST_F(QueueTest, ArgumentsAreTakenAtEnqueue) {
  const Mem first = session.upload(std::vector<cl_int>(64, 1));
  const Mem second = session.upload(std::vector<cl_int>(64, 1));
  enqueue(queue, first, 10, 0);
  enqueue(queue, second, 20, 0);
  EXPECT_EQ(session.download<cl_int>(first, 1)[0], 10);
  EXPECT_EQ(session.download<cl_int>(second, 1)[0], 20);
}

TEST_F(QueueTest, NonBlockingReadKeepsOrder) {
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  std::vector<cl_int> before(64);
  std::vector<cl_int> after(64);
  ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 256, before.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  enqueue(queue, buffer, 9, 0);
  ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 256, after.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(before[63], 1);
  EXPECT_EQ(after[63], 9);
}

TEST_F(QueueTest, ManySmallCommands) {
  const Mem buffer = session.upload(std::vector<cl_int>(64, 0));
  for (int i = 0; i < 20000; ++i) enqueue(queue, buffer, 1, 1);
  EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 20000);
}

struct NativeArgs {
  int* counter;
};
void CL_CALLBACK native(void* data) { ++*static_cast<NativeArgs*>(data)->counter; }

TEST_F(QueueTest, NativeKernelOrItsAbsence) {
  int counter = 0;
  NativeArgs args{&counter};
  const auto can = device_value<cl_device_exec_capabilities>(device, CL_DEVICE_EXECUTION_CAPABILITIES);
  const cl_int error =
      clEnqueueNativeKernel(queue, native, &args, sizeof args, 0, nullptr, nullptr, 0, nullptr, nullptr);
  if (can & CL_EXEC_NATIVE_KERNEL) {
    EXPECT_EQ(error, CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(counter, 1);
  } else {
    EXPECT_EQ(error, CL_INVALID_OPERATION);
  }
}

struct NativeSum {
  const cl_int* from;
  cl_int* to;
  cl_int count;
};
void CL_CALLBACK native_sum(void* data) {
  const auto& args = *static_cast<NativeSum*>(data);
  for (int i = 0; i < args.count; ++i) *args.to += args.from[i];
}

// Its buffers' handles are replaced by addresses; the arguments are copied.
TEST_F(QueueTest, NativeKernelWithBuffers) {
  if (!(device_value<cl_device_exec_capabilities>(device, CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL))
    GTEST_SKIP() << "no native kernels";
  const Mem from = session.upload(iota<cl_int>(100)), to = session.upload(std::vector<cl_int>(1, 7));
  NativeSum args{nullptr, nullptr, 100};
  const cl_mem buffers[] = {from, to};
  const void* places[] = {&args.from, &args.to};
  ASSERT_EQ(clEnqueueNativeKernel(queue, native_sum, &args, sizeof args, 2, buffers, places, 0, nullptr, nullptr), CL_SUCCESS);
  args = {};
  EXPECT_EQ(session.download<cl_int>(to, 1)[0], 4957);
}

TEST_F(QueueTest, NativeKernelErrors) {
  if (!(device_value<cl_device_exec_capabilities>(device, CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL))
    GTEST_SKIP() << "no native kernels";
  NativeSum args{};
  const Mem buffer = session.buffer(64);
  const cl_mem buffers[] = {buffer}, wrong[] = {reinterpret_cast<cl_mem>(&args)};
  const void* places[] = {&args.from};
  const auto enqueue = [&](auto function, void* data, std::size_t size, cl_uint count, const cl_mem* list, const void** at) {
    return clEnqueueNativeKernel(queue, function, data, size, count, list, at, 0, nullptr, nullptr);
  };
  void(CL_CALLBACK* const none)(void*) = nullptr;
  EXPECT_EQ(clEnqueueNativeKernel(nullptr, native_sum, &args, sizeof args, 0, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(enqueue(none, &args, sizeof args, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(native_sum, nullptr, sizeof args, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(native_sum, &args, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(native_sum, nullptr, 0, 1, buffers, places), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(native_sum, &args, sizeof args, 1, nullptr, places), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(native_sum, &args, sizeof args, 1, buffers, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(enqueue(native_sum, &args, sizeof args, 0, buffers, nullptr), CL_INVALID_VALUE);
  if (testing_weft()) EXPECT_EQ(enqueue(native_sum, &args, sizeof args, 1, wrong, places), CL_INVALID_MEM_OBJECT);
}

TEST_F(QueueTest, PriorityAndThrottleHints) {
  if (!has_extension("cl_khr_priority_hints") || !has_extension("cl_khr_throttle_hints")) GTEST_SKIP() << "no hints";
  for (cl_queue_properties hint : {1, 2, 4}) {
    const cl_queue_properties properties[] = {0x1096, hint, 0x1097, hint, 0};  // CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR
    cl_int error = CL_SUCCESS;
    const Queue hinted(clCreateCommandQueueWithProperties(context, device, properties, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
    enqueue(hinted, buffer, 3, 0);
    ASSERT_EQ(clFinish(hinted), CL_SUCCESS);
    EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 3);
  }
  for (cl_queue_properties name : {0x1096, 0x1097}) {
    for (cl_queue_properties wrong : {0, 3, 8}) {
      const cl_queue_properties properties[] = {name, wrong, 0};
      cl_int error = CL_SUCCESS;
      EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, properties, &error), nullptr);
      EXPECT_EQ(error, CL_INVALID_VALUE);
    }
  }
}

TEST_F(QueueTest, CreationByTheExtensionsFunction) {
  if (!has_extension("cl_khr_create_command_queue")) GTEST_SKIP() << "no cl_khr_create_command_queue";
  const auto create = reinterpret_cast<decltype(&clCreateCommandQueueWithProperties)>(clGetExtensionFunctionAddressForPlatform(
      device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM), "clCreateCommandQueueWithPropertiesKHR"));
  ASSERT_NE(create, nullptr);
  cl_int error = CL_SUCCESS;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const Queue made(create(context, device, properties, &error));
  EXPECT_EQ(error, CL_SUCCESS);
}

TEST_F(QueueTest, Task) {
  const Mem buffer = session.upload(std::vector<cl_int>(64, 1));
  set_args(scale, buffer, cl_int{4}, cl_int{1});
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  ASSERT_EQ(clEnqueueTask(queue, scale, 0, nullptr, nullptr), CL_SUCCESS);
#pragma GCC diagnostic pop
  const auto got = session.download<cl_int>(buffer, 2);
  EXPECT_EQ(got[0], 5);
  EXPECT_EQ(got[1], 1);
}

}  // namespace
}  // namespace weft::conformance
