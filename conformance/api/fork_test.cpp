// The child of a fork, in which a context of the parent's goes on. The OpenCL specification says nothing of it; programs
// that fork workers after a look at the devices do it all the same.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

// A child has none of its parent's threads, all of which may have been at work when it was made.
TEST(Fork, AChildRunsItsCommandsItself) {
  WEFT_ONLY("forks with a context");
  const Session session(test_device()), other(test_device());
  const char* const source =
      "kernel void count_up(global int *a, int times) {"
      "  size_t i = get_global_id(0); int v = a[i]; for (int k = 0; k < times; ++k) v += v * 3 + 1 >> 31 | 1; a[i] = v; }";
  constexpr std::size_t kItems = 1 << 20;
  struct Side {
    Program program;
    Kernel kernel;
    Mem buffer;
  };
  const auto make = [&](const Session& on, cl_int times) {
    Side side{on.build(source), {}, on.upload(std::vector<cl_int>(kItems, 0))};
    side.kernel = on.kernel(side.program, "count_up");
    set_arg(side.kernel, 0, side.buffer);
    set_arg(side.kernel, 1, times);
    return side;
  };
  const Side slow = make(other, 6'000), quick = make(session, 10);
  const auto run = [&] { session.finish(session.enqueue(quick.kernel, {{kItems}, {}, {}})); };
  run();
  for (int round = 0; round < 4; ++round) {
    const Event at_work = other.enqueue(slow.kernel, {{kItems}, {}, {}});
    ASSERT_EQ(clFlush(other.queue()), CL_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    run();  // a worker is perhaps still about it when the child is made
    EXPECT_EQ(in_processes(1, [&](int) {
      run();
      const std::vector<cl_int> result = session.download<cl_int>(quick.buffer, kItems);
      return result == std::vector<cl_int>(kItems, result[0]) && result[0] != 0;
    }), 0);
    other.finish(at_work);
  }
}

TEST(Fork, AChildBuildsAndIsCalledBack) {
  WEFT_ONLY("forks with a context");
  const Session session(test_device());
  const Program program = session.build("kernel void one(global int *a) { a[get_global_id(0)] = 1; }");
  const Mem buffer = session.buffer(64 * sizeof(cl_int));
  const Kernel kernel = session.kernel(program, "one");
  set_args(kernel, buffer);
  const auto call_back = [&](const Kernel& of) {
    static std::atomic<int> calls;
    calls = 0;
    const Event event = session.enqueue(of, {{64}, {}, {}});
    EXPECT_EQ(clSetEventCallback(
                  event, CL_COMPLETE, [](cl_event, cl_int, void*) { ++calls; }, nullptr),
              CL_SUCCESS);
    session.finish(event);
    for (int i = 0; i < 5'000 && calls == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return calls == 1;
  };
  ASSERT_TRUE(call_back(kernel));
  EXPECT_EQ(in_processes(1, [&](int) {
    const Program its_own = session.build("kernel void two(global int *a) { a[get_global_id(0)] = 2; }");
    const Kernel two = session.kernel(its_own, "two");
    set_args(two, buffer);
    return call_back(kernel) && call_back(two) && session.download<cl_int>(buffer, 64) == std::vector<cl_int>(64, 2);
  }), 0);
}

}  // namespace
}  // namespace weft::conformance
