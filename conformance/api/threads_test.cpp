// OpenCL calls of many threads (OpenCL 3.0 API §3.5: all but clSetKernelArg on one kernel is thread-safe).
#include <atomic>
#include <cstdlib>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

template <typename F>
void in_threads(int count, F work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([=] { work(i); });
  for (auto& thread : threads) thread.join();
}

TEST(Threads, SessionsOfTheirOwn) {
  NOT_ON_POCL("first contexts made at once race: clCreateBuffer answers CL_INVALID_BUFFER_SIZE");
  std::atomic<int> wrong{0};
  in_threads(6, [&](int t) {
    for (int i = 0; i < 3; ++i) {
      const Session session(test_device());
      if (answer(session, 10 * t + i) != 10 * t + i + 1) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, OneContextManyQueues) {
  const Session session(test_device());
  const Program program = session.build("kernel void inc(global int* a) { a[get_global_id(0)] += 1; }");
  std::atomic<int> wrong{0};
  in_threads(6, [&](int) {
    const Queue queue = session.queue(0);
    const Kernel kernel = session.kernel(program, "inc");
    const Mem buffer = session.upload(std::vector<cl_int>(256, 0));
    set_args(kernel, buffer);
    const std::size_t global = 256;
    for (int i = 0; i < 300; ++i)
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
    std::vector<cl_int> got(256);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1024, got.data(), 0, nullptr, nullptr);
    if (got != std::vector<cl_int>(256, 300)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, OneQueue) {
  const Session session(test_device());
  const Program program = session.build("kernel void inc(global int* a) { a[get_global_id(0)] += 1; }");
  const Mem buffer = session.upload(std::vector<cl_int>(64, 0));
  in_threads(6, [&](int) {
    const Kernel kernel = session.kernel(program, "inc");
    set_args(kernel, buffer);
    for (int i = 0; i < 200; ++i) session.finish(session.enqueue(kernel, {{64}, {64}}));
  });
  EXPECT_EQ(session.download<cl_int>(buffer, 64), std::vector<cl_int>(64, 1200));
}

TEST(Threads, BuildsAtOnce) {
  const Session session(test_device());
  std::atomic<int> wrong{0};
  in_threads(6, [&](int t) {
    for (int i = 0; i < 4; ++i)
      if (answer(session, 1000 + t % 3 * 10 + i) != 1001 + t % 3 * 10 + i) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

/// Commands of all threads: WEFT_THREADS_COMMANDS, or what PoCL does in seconds.
int commands_of_all() {
  const char* const asked = std::getenv("WEFT_THREADS_COMMANDS");
  return asked ? std::atoi(asked) : 6'400;
}

// Half of the threads have a queue each; the others share one that is out of order, and each of their commands waits for the one before.
TEST(Threads, SixtyFourWithManyCommands) {
  constexpr int kThreads = 64, kItems = 64;
  const int count = commands_of_all() / kThreads;
  const Session session(test_device());
  const Program program = session.build("kernel void inc(global int* a) { a[get_global_id(0)] += 1; }");
  const Queue shared = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::atomic<int> wrong{0};
  in_threads(kThreads, [&](int t) {
    const bool chained = t % 2 != 0;
    const Queue own = session.queue(0);
    const cl_command_queue queue = chained ? shared : own;
    const Kernel kernel = session.kernel(program, "inc");
    const Mem buffer = session.upload(std::vector<cl_int>(kItems, 0)), copy = session.upload(std::vector<cl_int>(kItems, 0));
    constexpr std::size_t kBytes = kItems * sizeof(cl_int), kGlobal = kItems;
    set_args(kernel, buffer);
    Event last;
    std::vector<cl_int> expected(kItems, 0), got(kItems);
    for (int i = 0; i < count; ++i) {
      const cl_event before = last;
      const cl_uint waits = chained && before ? 1 : 0;
      const cl_event* const list = waits ? &before : nullptr;
      cl_event event = nullptr;
      cl_event* const made = chained || i % 3 == 0 ? &event : nullptr;
      cl_int status = CL_SUCCESS;
      if (i % 50 == 49) {
        const bool blocks = i % 100 == 99;
        status = clEnqueueReadBuffer(queue, copy, blocks, 0, kBytes, got.data(), waits, list, made);
        if (blocks && got != expected) ++wrong;
      } else if (i % 50 == 48) {
        status = clEnqueueCopyBuffer(queue, buffer, copy, 0, 0, kBytes, waits, list, made);
      } else if (i % 50 == 47) {
        status = clEnqueueMarkerWithWaitList(queue, waits, list, made);
      } else if (i % 50 == 0) {
        constexpr cl_int kZero = 0;
        status = clEnqueueFillBuffer(queue, buffer, &kZero, sizeof kZero, 0, kBytes, waits, list, made);
        expected.assign(kItems, 0);
      } else {
        status = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kGlobal, nullptr, waits, list, made);
        for (cl_int& value : expected) ++value;
      }
      if (status != CL_SUCCESS) ++wrong;
      last = Event(event);
    }
    const cl_event before = last;
    const cl_uint waits = chained && before ? 1 : 0;
    if (clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, got.data(), waits, waits ? &before : nullptr, nullptr) != CL_SUCCESS) ++wrong;
    if (got != expected) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, RetainAndReleaseAtOnce) {
  const Session session(test_device());
  const Mem buffer = session.buffer(64);
  in_threads(4, [&](int) {
    for (int i = 0; i < 5000; ++i) {
      clRetainMemObject(buffer);
      clReleaseMemObject(buffer);
    }
  });
  cl_uint count = 0;
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 1u);
}

}  // namespace
}  // namespace weft::conformance
