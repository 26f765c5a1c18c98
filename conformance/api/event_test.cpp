// Events: state, profiling, user events, callbacks, errors in wait lists (OpenCL 3.0 API §5.11, §5.14).
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class EventTest : public ApiTest {
 protected:
  Program program = session.build("kernel void inc(global int* a) { a[get_global_id(0)]++; }");
  Kernel inc = session.kernel(program, "inc");
  Mem buffer = session.upload(std::vector<cl_int>(64, 0));

  Event user() {
    cl_int error = CL_SUCCESS;
    Event event(clCreateUserEvent(context, &error));
    check(error, "clCreateUserEvent");
    return event;
  }
  Event enqueue_after(const Event& before) {
    set_args(inc, buffer);
    const std::size_t global = 64;
    const cl_event raw = before;
    Event event;
    check(clEnqueueNDRangeKernel(queue, inc, 1, nullptr, &global, nullptr, 1, &raw, event.out()), "enqueue");
    return event;
  }
  cl_int status(const Event& event) {
    cl_int value = 0;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof value, &value, nullptr), "status");
    return value;
  }
};

// Waits up to two seconds, for what another thread is about to say.
template <typename F>
bool soon(F condition) {
  for (int i = 0; i < 2000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

TEST_F(EventTest, ProfilingTimesAreOrdered) {
  set_args(inc, buffer);
  const Event event = session.enqueue(inc, {{64}});
  session.finish(event);
  cl_ulong times[4] = {};
  int i = 0;
  for (cl_profiling_info what : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                 CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    ASSERT_EQ(clGetEventProfilingInfo(event, what, sizeof(cl_ulong), &times[i++], nullptr), CL_SUCCESS);
  }
  EXPECT_LE(times[0], times[1]);
  EXPECT_LE(times[1], times[2]);
  EXPECT_LE(times[2], times[3]);
  EXPECT_GT(times[0], 0u);
}

TEST_F(EventTest, ProfilingNeedsItsQueueProperty) {
  const Queue plain = session.queue(0);
  Event event;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(plain, 0, nullptr, event.out()), CL_SUCCESS);
  session.finish(event);
  cl_ulong time = 0;
  EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  const Event never = user();
  EXPECT_EQ(clGetEventProfilingInfo(never, CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
}

TEST_F(EventTest, ProfilingOfTransfersHasTimes) {
  std::vector<cl_int> host(64);
  Event event;
  ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 256, host.data(), 0, nullptr, event.out()),
            CL_SUCCESS);
  session.finish(event);
  cl_ulong start = 0;
  cl_ulong end = 0;
  ASSERT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), CL_SUCCESS);
  EXPECT_LE(start, end);
}

TEST_F(EventTest, Info) {
  set_args(inc, buffer);
  const Event event = session.enqueue(inc, {{64}});
  session.finish(event);
  cl_command_type type = 0;
  cl_command_queue of = nullptr;
  cl_context in = nullptr;
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof in, &in, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  EXPECT_EQ(of, queue);
  EXPECT_EQ(in, context);
  EXPECT_EQ(status(event), CL_COMPLETE);
}

TEST_F(EventTest, UserEventHoldsCommands) {
  const Event gate = user();
  EXPECT_EQ(status(gate), CL_SUBMITTED);
  const Event after = enqueue_after(gate);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_NE(status(after), CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  session.finish(after);
  EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 1);
}

TEST_F(EventTest, UserEventIsSetAfterItsRelease) {
  NOT_ON_POCL("the handle is invalid");
  cl_int error = 0;
  const cl_event gate = clCreateUserEvent(context, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const Mem buffer = session.upload(std::vector<cl_int>{1});
  const cl_int seven = 7;
  ASSERT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &seven, 1, &gate, nullptr), CL_SUCCESS);
  ASSERT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_INVALID_EVENT);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_EVENT);
  EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 7);
}

TEST_F(EventTest, UserEventStatusIsSetOnce) {
  const Event gate = user();
  EXPECT_EQ(clSetUserEventStatus(gate, CL_SUBMITTED), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
}

TEST_F(EventTest, ErrorsPassToWaitingCommands) {
  const Event gate = user();
  const Event after = enqueue_after(gate);
  ASSERT_EQ(clSetUserEventStatus(gate, -42), CL_SUCCESS);
  const cl_event raw = after;
  EXPECT_EQ(clWaitForEvents(1, &raw), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(status(after), 0);
}

// The queue goes on after a command that ended abnormally.
TEST_F(EventTest, QueueGoesOnAfterAnError) {
  NOT_ON_POCL("a failed event blocks its in-order queue");
  const Event gate = user();
  const Event after = enqueue_after(gate);
  ASSERT_EQ(clSetUserEventStatus(gate, -42), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  const Queue other = session.queue(0);
  std::vector<cl_int> got(1);
  EXPECT_EQ(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got[0], 0);
}

TEST_F(EventTest, BlockingCallReportsAnErrorInItsWaitList) {
  NOT_ON_POCL("blocking read after a failed event does not return the error");
  const Event gate = user();
  ASSERT_EQ(clSetUserEventStatus(gate, -42), CL_SUCCESS);
  const cl_event raw = gate;
  cl_int value = 0;
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 1, &raw, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

struct Seen {
  std::atomic<int> calls{0};
  std::atomic<cl_int> status{99};
};
void CL_CALLBACK on_event(cl_event, cl_int status, void* data) {
  auto* seen = static_cast<Seen*>(data);
  seen->status = status;
  ++seen->calls;
}

TEST_F(EventTest, CallbackOnCompletion) {
  const Event gate = user();
  const Event after = enqueue_after(gate);
  Seen seen;
  ASSERT_EQ(clSetEventCallback(after, CL_COMPLETE, on_event, &seen), CL_SUCCESS);
  EXPECT_EQ(seen.calls, 0);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  session.finish(after);
  EXPECT_TRUE(soon([&] { return seen.calls == 1; }));
  EXPECT_EQ(seen.status, CL_COMPLETE);
}

TEST_F(EventTest, CallbacksThatWaitForEachOther) {
  NOT_ON_POCL("calls back on one thread");
  // Each waits for the next one, which is called back later.
  constexpr int kCount = 4;
  struct Chain {
    std::atomic<int> called{0}, done{0};
  } chain;
  std::vector<Event> events;
  for (int i = 0; i < kCount; ++i) {
    cl_int error = CL_SUCCESS;
    events.emplace_back(clCreateUserEvent(context, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    ASSERT_EQ(clSetEventCallback(
                  events.back(), CL_COMPLETE,
                  [](cl_event, cl_int, void* data) {
                    auto& all = *static_cast<Chain*>(data);
                    const int turn = ++all.called;
                    for (int ms = 0; ms < 20'000 && turn < kCount && all.called < turn + 1; ++ms)
                      std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    if (turn == kCount || all.called > turn) ++all.done;
                  },
                  &chain),
              CL_SUCCESS);
  }
  for (const Event& event : events) ASSERT_EQ(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
  for (int ms = 0; ms < 30'000 && chain.done < kCount; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(chain.done, kCount);
}

TEST_F(EventTest, CallbackAfterTheFact) {
  set_args(inc, buffer);
  const Event event = session.enqueue(inc, {{64}});
  session.finish(event);
  Seen seen;
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, on_event, &seen), CL_SUCCESS);
  EXPECT_TRUE(soon([&] { return seen.calls == 1; }));
}

TEST_F(EventTest, CallbackOnError) {
  NOT_ON_POCL("callbacks do not fire on an error status");
  const Event gate = user();
  Seen seen;
  ASSERT_EQ(clSetEventCallback(gate, CL_COMPLETE, on_event, &seen), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
  EXPECT_TRUE(soon([&] { return seen.calls == 1; }));
  EXPECT_EQ(seen.status, -7);
}

TEST_F(EventTest, CallbackForEachState) {
  const Event gate = user();
  const Event after = enqueue_after(gate);
  Seen submitted, running, complete;
  ASSERT_EQ(clSetEventCallback(after, CL_SUBMITTED, on_event, &submitted), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(after, CL_RUNNING, on_event, &running), CL_SUCCESS);
  ASSERT_EQ(clSetEventCallback(after, CL_COMPLETE, on_event, &complete), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  session.finish(after);
  EXPECT_TRUE(soon([&] { return submitted.calls == 1 && running.calls == 1 && complete.calls == 1; }));
  EXPECT_EQ(clSetEventCallback(after, 17, on_event, &complete), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(after, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
}

// A callback may itself enqueue.
struct Chain {
  cl_command_queue queue;
  cl_kernel kernel;
  std::atomic<bool> done{false};
};
void CL_CALLBACK enqueue_more(cl_event, cl_int, void* data) {
  auto* chain = static_cast<Chain*>(data);
  const std::size_t global = 64;
  clEnqueueNDRangeKernel(chain->queue, chain->kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
  clFlush(chain->queue);
  chain->done = true;
}

TEST_F(EventTest, CallbackMayEnqueue) {
  set_args(inc, buffer);
  Chain chain{queue, inc};
  const Event event = session.enqueue(inc, {{64}});
  ASSERT_EQ(clSetEventCallback(event, CL_COMPLETE, enqueue_more, &chain), CL_SUCCESS);
  session.finish(event);
  ASSERT_TRUE(soon([&] { return chain.done.load(); }));
  EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 2);
}

TEST_F(EventTest, BadWaitLists) {
  const Event gate = user();
  const cl_event raw = gate;
  EXPECT_EQ(clWaitForEvents(0, &raw), CL_INVALID_VALUE);
  // clWaitForEvents(1, nullptr) is for the loader, which reads the first event: it never arrives here.
  set_args(inc, buffer);
  const std::size_t global = 64;
  if (!testing_pocl()) {  // PoCL reads the missing list, and ignores the one of length 0
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, inc, 1, nullptr, &global, nullptr, 1, nullptr, nullptr),
              CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, inc, 1, nullptr, &global, nullptr, 0, &raw, nullptr),
              CL_INVALID_EVENT_WAIT_LIST);
  }
  clSetUserEventStatus(gate, CL_COMPLETE);
}

TEST_F(EventTest, WaitListOfAnotherContext) {
  NOT_ON_POCL("events of another context are taken");
  const Session other(test_device());
  cl_int error = CL_SUCCESS;
  const Event foreign(clCreateUserEvent(other.context(), &error));
  const cl_event raw = foreign;
  set_args(inc, buffer);
  const std::size_t global = 64;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, inc, 1, nullptr, &global, nullptr, 1, &raw, nullptr),
            CL_INVALID_CONTEXT);
  clSetUserEventStatus(foreign, CL_COMPLETE);
}

TEST_F(EventTest, WideFanInAndOut) {
  const Queue loose = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Event gate = user();
  const cl_event first = gate;
  std::vector<Event> middle(200);
  std::vector<cl_event> raw;
  for (Event& event : middle) {
    ASSERT_EQ(clEnqueueMarkerWithWaitList(loose, 1, &first, event.out()), CL_SUCCESS);
    raw.push_back(event);
  }
  Event last;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(loose, cl_uint(raw.size()), raw.data(), last.out()), CL_SUCCESS);
  ASSERT_EQ(clFlush(loose), CL_SUCCESS);
  EXPECT_NE(status(last), CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  session.finish(last);
  for (const Event& event : middle) EXPECT_EQ(status(event), CL_COMPLETE);
}

}  // namespace
}  // namespace weft::conformance
