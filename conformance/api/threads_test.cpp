// OpenCL calls of many threads (OpenCL 3.0 API §3.5: all but clSetKernelArg on one kernel is thread-safe).
#include <atomic>
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
