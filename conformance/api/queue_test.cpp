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
