// First launches of kernels, whose machine code is made while the program goes on (OpenCL 3.0 API §5.10, §5.11, §5.14).
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// A line that no cache knows.
std::string unique_line() {
  static std::atomic<int> calls{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return "constant ulong unique = " + std::to_string(now) + "UL + " + std::to_string(++calls) + ";\n";
}

/// Kernels k0 to k(count - 1): each adds a number that differs from the others', the long way round.
std::string kernels_source(int count) {
  std::string source = unique_line();
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    source += "kernel void k" + n +
              "(global int* a, int c) { size_t i = get_global_id(0); float s = 0; for (int j = 0; j < c; ++j) s += "
              "sin(s + j) * pow(s + 1, (float)a[j]); a[i] += s == 1234567.f && unique ? 0 : " +
              std::to_string(i + 1) + "; }\n";
  }
  return source;
}

struct KernelSet {
  KernelSet(const Session& session, int count) : program(session.build(kernels_source(count))) {
    for (int i = 0; i < count; ++i) kernels.push_back(session.kernel(program, "k" + std::to_string(i)));
  }
  Program program;
  std::vector<Kernel> kernels;
};

constexpr std::size_t kItems = 128;

cl_int enqueue(cl_command_queue queue, cl_kernel kernel, std::vector<cl_event> waits = {}, cl_event* event = nullptr) {
  const std::size_t global = kItems, local = 64;
  return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, static_cast<cl_uint>(waits.size()),
                                waits.empty() ? nullptr : waits.data(), event);
}

cl_int status_of(cl_event event) {
  cl_int status = CL_QUEUED;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

class FirstLaunch : public ApiTest {
 protected:
  Mem zeros() const { return session.upload(std::vector<cl_int>(kItems, 0)); }
  void expect_all(const Mem& buffer, cl_int value) const {
    EXPECT_EQ(session.download<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, value));
  }
};

TEST_F(FirstLaunch, ManyKernelsInOrder) {
  KernelSet set(session, 25);
  const Mem out = zeros();
  std::vector<Event> events(set.kernels.size());
  for (std::size_t i = 0; i < set.kernels.size(); ++i) {
    set_args(set.kernels[i], out, cl_int{0});
    ASSERT_EQ(enqueue(queue, set.kernels[i], {}, events[i].out()), CL_SUCCESS);
  }
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  cl_ulong previous_end = 0;
  std::vector<cl_ulong> durations;
  for (const Event& event : events) {
    EXPECT_EQ(status_of(event), CL_COMPLETE);
    cl_ulong times[4];
    for (cl_uint i = 0; i < 4; ++i)
      ASSERT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof(cl_ulong), &times[i], nullptr),
                CL_SUCCESS);
    EXPECT_LE(times[0], times[1]);
    EXPECT_LE(times[1], times[2]);
    EXPECT_LE(times[2], times[3]);
    EXPECT_LE(previous_end, times[2]);
    durations.push_back(times[3] - times[2]);
    previous_end = times[3];
  }
  // The code is not made in the time of the command; a single one may lose its processor.
  if (testing_weft()) {
    std::nth_element(durations.begin(), durations.begin() + 12, durations.end());
    EXPECT_LT(durations[12], 5'000'000u);
  }
  expect_all(out, 25 * 26 / 2);
}

TEST_F(FirstLaunch, OfFourThreadsReleasedAtOnce) {
  constexpr int kThreads = 4;
  for (int round = 0; round < 3; ++round) {
    const Mem out = zeros();
    std::vector<Mem> buffers;
    for (int t = 0; t < kThreads; ++t) buffers.push_back(zeros());
    std::atomic<int> wrong{0};
    {
      KernelSet set(session, 25);
      std::barrier start(kThreads);
      std::vector<std::thread> threads;
      for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          const Queue own = session.queue(t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
          std::vector<Kernel> kernels;
          for (int i = 0; i < 25; ++i) {
            kernels.push_back(session.kernel(set.program, "k" + std::to_string(i)));
            set_args(kernels.back(), buffers[static_cast<std::size_t>(t)], cl_int{0});
          }
          start.arrive_and_wait();
          Event last;
          for (int i = 0; i < 25; ++i) {
            Event event;
            const std::vector<cl_event> waits = last ? std::vector<cl_event>{last.get()} : std::vector<cl_event>{};
            if (enqueue(own, kernels[static_cast<std::size_t>((i + 7 * t) % 25)], waits, event.out()) != CL_SUCCESS)
              ++wrong;
            last = std::move(event);
          }
          kernels.clear();
          clFlush(own);
          // The queue goes with its commands under way.
        });
      }
      for (auto& thread : threads) thread.join();
    }
    // Nothing holds the commands but their queues' graphs; a command after all of them is not to be had.
    for (const Mem& buffer : buffers) {
      std::vector<cl_int> got;
      for (int i = 0; i < 30'000; ++i) {
        got = session.download<cl_int>(buffer, kItems);
        if (got == std::vector<cl_int>(kItems, 25 * 26 / 2)) break;
        usleep(1000);
      }
      EXPECT_EQ(got, std::vector<cl_int>(kItems, 25 * 26 / 2));
    }
    EXPECT_EQ(wrong, 0);
  }
}

TEST_F(FirstLaunch, OneKernelOfManyThreads) {
  const Mem out = zeros();
  KernelSet set(session, 1);
  constexpr int kThreads = 4;
  std::barrier start(kThreads);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      const Kernel kernel = session.kernel(set.program, "k0");
      set_args(kernel, out, cl_int{0});
      start.arrive_and_wait();
      for (int i = 0; i < 10; ++i)
        if (enqueue(queue, kernel) != CL_SUCCESS) ++wrong;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  expect_all(out, 10 * kThreads);
}

TEST_F(FirstLaunch, AUserEventHoldsItBack) {
  KernelSet set(session, 2);
  const Mem out = zeros();
  for (const Kernel& kernel : set.kernels) set_args(kernel, out, cl_int{0});
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  Event first, second;
  ASSERT_EQ(enqueue(queue, set.kernels[0], {gate}, first.out()), CL_SUCCESS);
  ASSERT_EQ(enqueue(queue, set.kernels[1], {}, second.out()), CL_SUCCESS);
  clFlush(queue);
  usleep(200'000);
  EXPECT_GT(status_of(first), CL_RUNNING);
  EXPECT_GT(status_of(second), CL_RUNNING);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  expect_all(out, 3);
}

TEST_F(FirstLaunch, AFailedUserEventEndsIt) {
  KernelSet set(session, 1);
  const Mem out = zeros();
  set_args(set.kernels[0], out, cl_int{0});
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  Event launch;
  ASSERT_EQ(enqueue(queue, set.kernels[0], {gate}, launch.out()), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, -7), CL_SUCCESS);
  clFinish(queue);
  EXPECT_LT(status_of(launch), 0);
  expect_all(out, 0);
}

// More events than a command keeps places for, and a barrier.
TEST_F(FirstLaunch, AfterManyEventsAndABarrier) {
  const Queue own = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  KernelSet set(session, 8);
  std::vector<Mem> outs;
  std::vector<Event> events(6);
  std::vector<cl_event> waits;
  for (std::size_t i = 0; i < 6; ++i) {
    outs.push_back(zeros());
    set_args(set.kernels[i], outs.back(), cl_int{0});
    ASSERT_EQ(enqueue(own, set.kernels[i], {}, events[i].out()), CL_SUCCESS);
    waits.push_back(events[i]);
  }
  set_args(set.kernels[6], outs[0], cl_int{0});
  ASSERT_EQ(enqueue(own, set.kernels[6], waits), CL_SUCCESS);
  ASSERT_EQ(clEnqueueBarrierWithWaitList(own, 0, nullptr, nullptr), CL_SUCCESS);
  set_args(set.kernels[7], outs[0], cl_int{0});
  ASSERT_EQ(enqueue(own, set.kernels[7]), CL_SUCCESS);
  ASSERT_EQ(clFinish(own), CL_SUCCESS);
  expect_all(outs[0], 1 + 7 + 8);
}

TEST_F(FirstLaunch, WhatTheApplicationReleasesStaysAsLongAsItTakes) {
  for (int round = 0; round < 5; ++round) {
    const Session other(device);
    const Mem out = other.upload(std::vector<cl_int>(kItems, 0));
    {
      KernelSet set(other, 6);
      for (const Kernel& kernel : set.kernels) {
        set_args(kernel, out, cl_int{0});
        ASSERT_EQ(enqueue(other.queue(), kernel), CL_SUCCESS);
      }
    }
    if (round % 2) {
      const auto got = other.download<cl_int>(out, kItems);
      EXPECT_EQ(got, std::vector<cl_int>(kItems, 21));
    }
  }
}

TEST_F(FirstLaunch, AnEnqueueDoesNotWaitForTheCode) {
  WEFT_ONLY("an implementation may also make the code when it builds");
  // One kernel that takes its time to compile.
  std::string source = unique_line() + "kernel void k(global float* a) { float s = unique;\n";
  for (int i = 0; i < 60; ++i) source += "s += sin(a[" + std::to_string(i) + "]) * pow(s, a[1]) + lgamma(s);\n";
  const Program program = session.build(source + "a[get_global_id(0)] = s; }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.buffer(kItems * 4);
  set_args(kernel, out);
  const auto start = std::chrono::steady_clock::now();
  Event event;
  ASSERT_EQ(enqueue(queue, kernel, {}, event.out()), CL_SUCCESS);
  const auto enqueued = std::chrono::steady_clock::now();
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  const auto done = std::chrono::steady_clock::now();
  EXPECT_LT((enqueued - start) * 3, done - start);
  EXPECT_EQ(status_of(event), CL_COMPLETE);
}

TEST_F(FirstLaunch, ErrorsOfTheCallAreStillTheCalls) {
  NOT_ON_POCL("takes private arrays of any size");
  const Program program = session.build(
      unique_line() + "kernel void set(global int* a) { a[get_global_id(0)] = unique != 0; }\n"
      "kernel void large(global int* a, int n) { int t[1 << 19]; for (int i = 0; i < n; ++i) t[a[i] & 0x7ffff] = i; "
      "a[get_global_id(0)] = t[a[n] & 0x7ffff]; }\n"
      "kernel void locals(global int* a, local int* t) { t[0] = 1; a[get_global_id(0)] = t[0]; }\n");
  const Mem out = zeros();
  const Kernel unset = session.kernel(program, "set");
  EXPECT_EQ(enqueue(queue, unset), CL_INVALID_KERNEL_ARGS);
  const Kernel locals = session.kernel(program, "locals");
  set_args(locals, out, LocalBytes{device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) + 4});
  EXPECT_EQ(enqueue(queue, locals), CL_OUT_OF_RESOURCES);
  const Kernel large = session.kernel(program, "large");
  set_args(large, out, cl_int{16});
  const std::size_t size = 1024;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, large, 1, nullptr, &size, &size, 0, nullptr, nullptr), CL_OUT_OF_RESOURCES);
  clFinish(queue);
  set_args(unset, out);
  ASSERT_EQ(enqueue(queue, unset), CL_SUCCESS);
  expect_all(out, 1);
}

std::atomic<int> reports{0};
void CL_CALLBACK count_report(const char*, const void*, std::size_t, void*) { ++reports; }

/// Address space in use, bytes.
rlim_t address_space() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// Without address space for the compiler's stack there is no code.
void launch_without_address_space(cl_device_id device) {
  cl_int error = CL_SUCCESS;
  const Context own(clCreateContext(nullptr, 1, &device, count_report, nullptr, &error));
  const Queue in_order(clCreateCommandQueueWithProperties(own, device, nullptr, &error));
  const std::string source = kernels_source(1);
  const char* text = source.c_str();
  const Program program(clCreateProgramWithSource(own, 1, &text, nullptr, &error));
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) std::exit(10);
  const Kernel kernel(clCreateKernel(program, "k0", &error));
  std::vector<cl_int> values(kItems, 0);
  const Mem out(clCreateBuffer(own, CL_MEM_USE_HOST_PTR, kItems * 4, values.data(), &error));
  set_args(kernel, out, cl_int{0});
  // Workers and all are there.
  clEnqueueReadBuffer(in_order, out, CL_TRUE, 0, 4, values.data(), 0, nullptr, nullptr);
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  const struct rlimit little = {address_space() + (rlim_t{64} << 20), limit.rlim_max};
  setrlimit(RLIMIT_AS, &little);
  Event failed, next;
  if (enqueue(in_order, kernel, {}, failed.out()) != CL_SUCCESS) std::exit(11);
  const cl_event wait = failed;
  if (clWaitForEvents(1, &wait) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) std::exit(12);
  if (status_of(failed) != CL_OUT_OF_RESOURCES || reports != 1) std::exit(13);
  // Known to fail: the call says so.
  if (enqueue(in_order, kernel) != CL_OUT_OF_RESOURCES) std::exit(14);
  setrlimit(RLIMIT_AS, &limit);
  if (enqueue(in_order, kernel, {}, next.out()) != CL_SUCCESS) std::exit(15);
  clFinish(in_order);
  std::exit(status_of(next) == CL_COMPLETE && values[0] == 1 ? 0 : 16);
}

// With the compiler inside the program: what the program has no memory for, its own process may have.
TEST(FirstLaunchInside, ThatGetsNoCode) {
  setenv("WEFT_COMPILER_PROCESS", "0", 1);  // for the process below
  WEFT_ONLY("takes the memory that Weft's compiler needs");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "limits the address space";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, whose workers are there
  EXPECT_EXIT(launch_without_address_space(test_device()), testing::ExitedWithCode(0), "");
}

/// Waits for its commands when the program's static objects go.
struct WaitsAtExit {
  ~WaitsAtExit() {
    if (!queue) return;
    clFinish(queue);
    if (values[0] != 25 * 26 / 2) _exit(20);
    // And one more that was never launched.
    set_args(late, out, cl_int{0});
    if (enqueue(queue, late) != CL_SUCCESS) _exit(21);
    clFinish(queue);
    if (values[0] != 25 * 26 / 2 + 26) _exit(22);
  }
  cl_command_queue queue = nullptr;
  Kernel late;
  Mem out;
  std::vector<cl_int> values;
};

void exit_with_commands_under_way(const Session& session) {
  static WaitsAtExit waits;
  waits.values.assign(kItems, 0);
  waits.out = session.buffer(kItems * 4, CL_MEM_USE_HOST_PTR, waits.values.data());
  static KernelSet set(session, 26);
  for (int i = 0; i < 25; ++i) {
    const Kernel& kernel = set.kernels[static_cast<std::size_t>(i)];
    set_args(kernel, waits.out, cl_int{0});
    enqueue(session.queue(), kernel);
  }
  waits.late = std::move(set.kernels[25]);
  waits.queue = session.queue();
  std::exit(0);
}

/// Code of kernels that were made may be on its way already when they are launched, for these sizes or for others.
TEST_F(FirstLaunch, AmongKernelsOfOtherSizes) {
  for (int round = 0; round < 3; ++round) {
    KernelSet set(session, 8), other(session, 4), unused(session, 8);
    const Mem out = zeros();
    for (const Kernel& kernel : set.kernels) set_args(kernel, out, cl_int{0});
    for (const Kernel& kernel : other.kernels) set_args(kernel, out, cl_int{0});
    int sum = 0;
    for (std::size_t i = 0; i < set.kernels.size(); ++i) {
      const std::size_t global = kItems, local = i % 3 == 2 ? 1 : 32;
      ASSERT_EQ(clEnqueueNDRangeKernel(queue, set.kernels[i], 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
      sum += static_cast<int>(i) + 1;
      if (round == 1) clFinish(queue);
      if (i % 2 == 0) continue;
      ASSERT_EQ(enqueue(queue, other.kernels[i / 2]), CL_SUCCESS);
      sum += static_cast<int>(i / 2) + 1;
      if (round == 2) usleep(30'000);
    }
    unused.kernels.clear();
    expect_all(out, sum);
  }
}

/// Milliseconds until a launch over `global` work-items in groups of `local` is done.
double time_of(cl_command_queue queue, cl_kernel kernel, std::size_t global, std::size_t local) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
  clFinish(queue);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// A program that looks for the best local size does not wait for code of each, where work-items know nothing of their groups.
TEST_F(FirstLaunch, OtherSizesStartWithTheCodeThatIsThere) {
  WEFT_ONLY("measures how soon launches are done");
  if (const char* value = std::getenv("WEFT_REQUIRED_ONLY"); value && std::string(value) == "1")
    GTEST_SKIP() << "code of required passes alone runs launches as they are asked for";
  double least = 1e9;
  for (int round = 0; round < 8 && least > 0.5; ++round) {  // other programs may take the processor in some
    KernelSet set(session, 1);
    const Mem out = zeros();
    set_args(set.kernels[0], out, cl_int{0});
    const double first = time_of(queue, set.kernels[0], kItems, 32);
    least = std::min(least, std::max(time_of(queue, set.kernels[0], kItems, 64), time_of(queue, set.kernels[0], kItems, kItems)) / first);
    expect_all(out, 3);
  }
  EXPECT_LE(least, 0.5);
}

/// Whatever code such launches run, each work-item has its ids, its offset and, where it asks, its group.
TEST_F(FirstLaunch, ManySizesOfOneKernel) {
  const Program program = session.build(unique_line() + R"(
    kernel void ids(global uint* a, uint n) {
      const size_t i = get_global_id(0);
      a[i - get_global_offset(0)] += (uint)i * 3 + (uint)get_global_size(0) + (uint)get_work_dim() + (n == 77 && unique);
    }
    kernel void groups(global uint* a, uint n) {
      const size_t i = get_global_id(0);
      a[i - get_global_offset(0)] += (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)) * 3 + (uint)get_num_groups(0) + (n == 77 && unique);
    }
  )");
  constexpr cl_uint kMost = 2048;
  for (const char* name : {"ids", "groups"}) {
    const bool asks_for_groups = name[0] == 'g';
    const Kernel kernel = session.kernel(program, name);
    const Mem out = session.buffer(kMost * 4);
    std::vector<cl_uint> want(kMost, 0), got(kMost);
    ASSERT_EQ(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, kMost * 4, want.data(), 0, nullptr, nullptr), CL_SUCCESS);
    set_args(kernel, out, kMost);
    for (int round = 0; round < 3; ++round) {
      for (const std::size_t local : {16, 32, 64, 128, 256, 1, 96, 512, 48, 8}) {
        for (const std::size_t groups : {1, 2, 3, 4}) {
          const std::size_t global = local * groups, offset = groups == 3 ? 5 : 0;
          ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
          for (std::size_t i = 0; i < global; ++i)
            want[i] += static_cast<cl_uint>(asks_for_groups ? i * 3 + groups : (i + offset) * 3 + global + 1);
        }
      }
    }
    ASSERT_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, kMost * 4, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(got, want) << name;
  }
}

TEST_F(FirstLaunch, ExitMeanwhile) {
  WEFT_ONLY("ends the process while code is made");
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process of its own, whose workers are there
  EXPECT_EXIT(exit_with_commands_under_way(session), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::conformance
