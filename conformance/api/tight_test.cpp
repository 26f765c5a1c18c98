// Programs in tight places: small stacks, little address space, sizes that do not fit in 32 bits or in anything.
#include <pthread.h>
#include <sys/resource.h>

#include <cstdint>
#include <fstream>
#include <limits>

#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

class Tight : public ApiTest {
 protected:
  /// On a thread with a stack of so many bytes; whether `work` said true.
  template <typename F>
  static bool on_stack_of(std::size_t bytes, F work) {
    struct Call {
      F* work;
      bool ok;
    } call{&work, false};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_t thread;
    const int status = pthread_create(
        &thread, &attributes,
        [](void* data) -> void* {
          auto& call = *static_cast<Call*>(data);
          try {
            call.ok = (*call.work)();
          } catch (...) {
          }
          return nullptr;
        },
        &call);
    pthread_attr_destroy(&attributes);
    if (status != 0) return false;
    pthread_join(thread, nullptr);
    return call.ok;
  }
  cl_int enqueue(const Kernel& kernel, std::size_t global, std::size_t local) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
  }
};

// Whoever waits for a kernel may run it, but not on a stack that is too small for its private arrays.
TEST_F(Tight, ThreadsWithSmallStacksWait) {
  const Program program = session.build(
      "kernel void k(global int* a) { int t[512]; int i = get_global_id(0); for (int j = 0; j < 512; ++j) t[j] = a[i] * j;"
      " int sum = 0; for (int j = 0; j < 512; ++j) sum += t[(t[j] * 7 + j) & 511]; a[i] = sum; }");
  const Kernel kernel = session.kernel(program, "k");
  std::vector<cl_int> expected(1024);
  for (cl_int i = 0; i < 1024; ++i) {
    std::vector<std::uint32_t> t(512);
    for (std::uint32_t j = 0; j < 512; ++j) t[j] = static_cast<std::uint32_t>(i % 7) * j;
    std::uint32_t sum = 0;
    for (std::uint32_t j = 0; j < 512; ++j) sum += t[(t[j] * 7 + j) & 511];
    expected[i] = static_cast<cl_int>(sum);
  }
  std::vector<cl_int> start(1024);
  for (cl_int i = 0; i < 1024; ++i) start[i] = i % 7;
  for (const std::size_t kib : {128, 256, 512}) {
    for (const std::size_t local : {256, 32, 1}) {
      EXPECT_TRUE(on_stack_of(kib << 10, [&] {
        for (int round = 0; round < 5; ++round) {
          const Mem data = session.upload(start);
          session.launch(kernel, {{1024}, {local}, {}}, data);
          if (session.download<cl_int>(data, 1024) != expected) return false;
        }
        return true;
      })) << kib << " KiB, " << local;
    }
  }
}

TEST_F(Tight, BuildsOnASmallStack) {
  EXPECT_TRUE(on_stack_of(128 << 10, [&] {
    const Mem out = session.upload(std::vector<cl_int>(64, 0));
    session.run("kernel void built_on_a_small_stack(global int* a) { a[get_global_id(0)] = 3; }", "built_on_a_small_stack", {{64}, {32}, {}}, out);
    return session.download<cl_int>(out, 64)[63] == 3;
  }));
}

// ulimit -v 2097152. A process of its own, which has used no OpenCL yet.
TEST(TightProcess, TwoGibibytesOfAddressSpace) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  if (pages * 4096 > std::size_t{1} << 30) GTEST_SKIP() << "this process has taken more already";
  EXPECT_EQ(in_processes(1, [](int) {
    const rlimit limit = {std::size_t{2} << 30, std::size_t{2} << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
    const Session session(test_device());
    const Mem out = session.upload(std::vector<cl_int>(1 << 20, 0));
    session.run("kernel void in_two_gibibytes(global int* a) { a[get_global_id(0)] = 3; }", "in_two_gibibytes", {{1 << 20}, {256}, {}}, out);
    return session.download<cl_int>(out, 1 << 20)[(1 << 20) - 1] == 3;
  }), 0);
}

TEST_F(Tight, LocalArraysOfMoreThan4GiB) {
  WEFT_ONLY("when a program's own locals are refused is open");
  const Program program = session.create_program(
      "kernel void k(global int* a) { local char t[(1ul << 32) + 64]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE);"
      " *a = t[3]; }");
  cl_int error = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  if (error == CL_SUCCESS) {
    const Kernel kernel = session.kernel(program, "k");
    const Mem out = session.buffer(64);
    set_args(kernel, out);
    cl_ulong bytes = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, nullptr), CL_SUCCESS);
    EXPECT_GE(bytes, (cl_ulong{1} << 32) + 64);
    error = enqueue(kernel, 64, 64);
    EXPECT_EQ(error, CL_OUT_OF_RESOURCES);
  } else {
    EXPECT_EQ(error, CL_BUILD_PROGRAM_FAILURE);
  }
}

TEST_F(Tight, LocalArgumentsOfEverySize) {
  NOT_ON_POCL("runs with more than it reports");
  const Program program = session.build("kernel void k(local int* t, local int* u, global int* a) { t[0] = u[0] = 1; *a = t[0]; }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.buffer(64);
  set_arg(kernel, 2, out);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {kMost, kMost - 100, kMost / 2 + 1, std::size_t{1} << 32, (std::size_t{1} << 32) + 64}) {
    cl_int error = clSetKernelArg(kernel, 0, size, nullptr);
    if (error == CL_SUCCESS) error = clSetKernelArg(kernel, 1, size, nullptr);
    if (error == CL_SUCCESS) error = enqueue(kernel, 32, 32);
    EXPECT_TRUE(error == CL_OUT_OF_RESOURCES || error == CL_INVALID_ARG_SIZE) << size << ": " << error;
  }
}

// A group of the size that the kernel says it takes runs, and one is chosen that does.
TEST_F(Tight, WorkGroupSizeOfAKernelWithMuchPrivateMemory) {
  NOT_ON_POCL("says 4096 and overflows its stack");
  const Program program = session.build(
      "kernel void k(global int* a) { int t[1 << 20]; int i = get_global_id(0); t[a[i] & 0xfffff] = i; barrier(CLK_LOCAL_MEM_FENCE);"
      " a[i] = t[a[i] & 0xfffff]; }");
  const Kernel kernel = session.kernel(program, "k");
  std::size_t most = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr), CL_SUCCESS);
  ASSERT_GE(most, 1u);
  EXPECT_LT(most, 1024u);
  const Mem data = session.upload(std::vector<cl_int>(most, 5));
  session.launch(kernel, {{most}, {most}, {}}, data);
  EXPECT_EQ(session.download<cl_int>(data, most)[most - 1], static_cast<cl_int>(most - 1));
  const Mem more = session.upload(std::vector<cl_int>(1024, 5));
  session.launch(kernel, {{1024}, {}, {}}, more);
  EXPECT_EQ(session.download<cl_int>(more, 1024)[1023], 1023);
}

// A launch that fails after its enqueue has returned: a blocking read behind it must not hand out what it did not write.
TEST_F(Tight, BlockingCallsTellOfFailedCommands) {
  WEFT_ONLY("undefined by the specification; others hang or answer wrongly");
  const Program program = session.build(
      "kernel void k(global int* a, int n) { local int t[64]; int l = get_local_id(0); t[l] = l;"
      " if (l < n) barrier(CLK_LOCAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[0]; }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.upload(std::vector<cl_int>(64, 7));
  set_args(kernel, out, cl_int{5});
  cl_int value = 0;
  const auto read = [&] { return clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr); };
  EXPECT_EQ(enqueue(kernel, 64, 64), CL_SUCCESS);
  EXPECT_EQ(read(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read(), CL_SUCCESS);  // it has been told
  EXPECT_EQ(enqueue(kernel, 64, 64), CL_SUCCESS);
  EXPECT_NE(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  // Who has asked the event knows.
  Event event = session.enqueue(kernel, {{64}, {64}, {}});
  const cl_event raw = event;
  EXPECT_EQ(clWaitForEvents(1, &raw), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(read(), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::conformance
