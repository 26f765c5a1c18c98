// cl_weft_performance_counters (docs/cl_weft_performance_counters.md).
#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <thread>

#include "CL/cl_ext_weft.hpp"
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr char kSource[] =
    "kernel void copy(global float* out, global const float* in, int offset) {\n"
    "  const int i = get_global_id(0);\n"
    "  out[i] = in[i + offset];\n"
    "}\n"
    "kernel void part(global int* a) {\n"
    "  const int i = get_global_id(0);\n"
    "  if (i % 4 == 0)\n"
    "    atomic_inc(a + i % 64);\n"
    "}\n";
constexpr std::size_t kItems = 65536;

class Counters : public ApiTest {
 protected:
  void SetUp() override {
    if (cl_weft::counters(device).empty()) GTEST_SKIP() << "no cl_weft_performance_counters";
  }

  cl_uint id(const std::string& name) const {
    for (const auto& one : cl_weft::counters(device)) {
      if (name == one.name) return one.id;
    }
    throw std::runtime_error("no counter " + name);
  }
  cl_int create(const cl_queue_properties* properties) const {
    cl_int error = CL_SUCCESS;
    const Queue made(clCreateCommandQueueWithProperties(context, device, properties, &error));
    EXPECT_EQ(made.get() != nullptr, error == CL_SUCCESS);
    return error;
  }
  cl_int create(const cl_performance_counter_config_weft* config) const {
    const cl_queue_properties list[] = {CL_QUEUE_PERFORMANCE_COUNTERS_WEFT, reinterpret_cast<cl_queue_properties>(config), 0};
    return create(list);
  }
  template <typename... Args>
  Event launch(cl_command_queue to, cl_kernel kernel, const Args&... args) const {
    set_args(kernel, args...);
    Event event;
    const std::size_t local = 256;
    check(clEnqueueNDRangeKernel(to, kernel, 1, nullptr, &kItems, &local, 0, nullptr, event.out()), "clEnqueueNDRangeKernel");
    return event;
  }

  Program program = session.build(kSource);
  Kernel copy = session.kernel(program, "copy"), part = session.kernel(program, "part");
  Mem out = session.buffer(4 * kItems + 256), in = session.buffer(4 * kItems + 256);
};

TEST_F(Counters, TheDeviceListsThem) {
  std::size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), CL_SUCCESS);
  std::string extensions(size, 0);
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions.data(), nullptr), CL_SUCCESS);
  EXPECT_NE(extensions.find(CL_WEFT_PERFORMANCE_COUNTERS_EXTENSION_NAME), std::string::npos);
  cl_version capability = 0;
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_COUNTED_COMPUTE_CAPABILITY_WEFT, sizeof capability, &capability, nullptr), CL_SUCCESS);
  EXPECT_EQ(capability, cl_version{CL_MAKE_VERSION(9, 0, 0)});
  std::set<std::string> names;
  std::set<cl_uint> ids;
  for (const auto& one : cl_weft::counters(device)) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_TRUE(ids.insert(one.id).second) << one.name;
    EXPECT_LT(std::strlen(one.name), sizeof one.name - 1);
    EXPECT_LT(std::strlen(one.description), sizeof one.description - 1) << one.name;
    EXPECT_LE(one.unit, cl_uint{CL_PERFORMANCE_COUNTER_UNIT_PERCENT_WEFT});
    EXPECT_LE(one.scope, cl_uint{CL_PERFORMANCE_COUNTER_SCOPE_LINE_WEFT});
    EXPECT_LE(one.storage, cl_uint{CL_PERFORMANCE_COUNTER_STORAGE_FLOAT64_WEFT});
  }
  EXPECT_TRUE(names.count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
  EXPECT_FALSE(names.count("gld_128b")) << "of 1.2 and 1.3";
}

TEST_F(Counters, RegistersOfAKernel) {
  cl_uint registers = 0;
  ASSERT_EQ(clGetKernelWorkGroupInfo(copy, device, CL_KERNEL_REGISTERS_WEFT, sizeof registers, &registers, nullptr), CL_SUCCESS);
  EXPECT_GT(registers, 1u);
  EXPECT_LT(registers, 64u);
  EXPECT_EQ(clGetKernelWorkGroupInfo(copy, device, CL_KERNEL_REGISTERS_WEFT, 1, &registers, nullptr), CL_INVALID_VALUE);
  // A queue that counts them says the same.
  const cl_weft::CountingQueue counting(context, device, {"launch__registers_per_thread"});
  const Event event = launch(counting.get(), copy, out, in, 0);
  ASSERT_EQ(clFinish(counting.get()), CL_SUCCESS);
  EXPECT_EQ(counting.read(event).at("launch__registers_per_thread"), registers);
}

TEST_F(Counters, MalformedQueueProperties) {
  const cl_uint good = id("gld_request"), twice[] = {good, good}, none[] = {good, 0xffffffff};
  const cl_performance_counter_config_weft one = {1, &good}, empty = {0, &good}, no_array = {1, nullptr}, repeated = {2, twice},
                                           unknown = {2, none};
  EXPECT_EQ(create(&one), CL_SUCCESS);
  EXPECT_EQ(create(static_cast<const cl_performance_counter_config_weft*>(nullptr)), CL_INVALID_VALUE);
  EXPECT_EQ(create(&empty), CL_INVALID_VALUE);
  EXPECT_EQ(create(&no_array), CL_INVALID_VALUE);
  EXPECT_EQ(create(&repeated), CL_INVALID_VALUE);
  EXPECT_EQ(create(&unknown), CL_INVALID_QUEUE_PROPERTIES);
  const auto value = reinterpret_cast<cl_queue_properties>(&one);
  const cl_queue_properties again[] = {CL_QUEUE_PERFORMANCE_COUNTERS_WEFT, value, CL_QUEUE_PERFORMANCE_COUNTERS_WEFT, value, 0};
  EXPECT_EQ(create(again), CL_INVALID_VALUE);
  EXPECT_THROW(cl_weft::CountingQueue(context, device, {"no_such_counter"}), std::invalid_argument);
}

// A warp's 128 bytes are 4 sectors, or 5 where they start within one (conformance/silicon/h200.tsv, offset_copy).
TEST_F(Counters, ValuesOfLaunches) {
  const cl_weft::CountingQueue counting(context, device, {"gst_transactions", "gld_request", "gld_efficiency", "warps_launched",
                                                          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"});
  for (const cl_int offset : {0, 2, 8}) {
    const Event event = launch(counting.get(), copy, out, in, offset);
    ASSERT_EQ(clFinish(counting.get()), CL_SUCCESS);
    const cl_weft::Values values = counting.read(event);
    ASSERT_EQ(values.size(), 5u);
    EXPECT_EQ(values.at("gld_request"), 2048);
    EXPECT_EQ(values.at("warps_launched"), 2048);
    EXPECT_EQ(values.at("gst_transactions"), 8192);
    EXPECT_EQ(values.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), offset % 8 ? 10240 : 8192);
    EXPECT_EQ(values.at("gld_efficiency"), offset % 8 ? 80 : 100);
  }
}

// Groups of three sizes and of one work-item are counted as one launch.
TEST_F(Counters, PartsOfALaunch) {
  const cl_weft::CountingQueue counting(context, device, {"gld_request", "warps_launched", "weft_gld_requested_bytes"});
  const Program program = session.build(
      "kernel void copy(global float* out, global const float* in) {\n"
      "  const int i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
      "  out[i] = in[i];\n"
      "}\n",
      "-cl-std=CL3.0");
  const Kernel ragged = session.kernel(program, "copy");
  set_args(ragged, out, in);
  const std::size_t global[] = {97, 33}, local[] = {32, 4};
  Event event;
  check(clEnqueueNDRangeKernel(counting.get(), ragged, 2, nullptr, global, local, 0, nullptr, event.out()), "clEnqueueNDRangeKernel");
  ASSERT_EQ(clFinish(counting.get()), CL_SUCCESS);
  const cl_weft::Values values = counting.read(event);
  // 3 * 8 groups of 4 warps, 3 of one row, 8 of one column, and one.
  EXPECT_EQ(values.at("warps_launched"), 3 * 8 * 4 + 3 + 8 + 1);
  EXPECT_EQ(values.at("gld_request"), 3 * 8 * 4 + 3 + 8 + 1);
  EXPECT_EQ(values.at("weft_gld_requested_bytes"), 97 * 33 * 4);
}

TEST_F(Counters, ValuesOfLines) {
  const cl_weft::CountingQueue counting(context, device, {"branch", "divergent_branch", "weft_red_request", "warps_launched",
                                                          "weft_red_transactions_ideal", "inst_executed"});
  const Event event = launch(counting.get(), part, out);
  ASSERT_EQ(clFinish(counting.get()), CL_SUCCESS);
  double branches = 0, instructions = 0;
  bool has_atomic = false;
  for (const cl_weft::Line& line : counting.lines(event)) {
    EXPECT_GE(line.line, 5u) << "of the other kernel";
    EXPECT_LE(line.line, 9u);
    EXPECT_EQ(line.counters.at("warps_launched"), 0) << "of launches alone";
    branches += line.counters.at("branch");
    instructions += line.counters.at("inst_executed");
    if (line.counters.at("weft_red_request") == 0) continue;
    has_atomic = true;
    EXPECT_EQ(line.line, 8u);
    EXPECT_EQ(line.counters.at("weft_red_request"), 2048);
    EXPECT_EQ(line.counters.at("weft_red_transactions_ideal"), 2048) << "8 words";
  }
  EXPECT_TRUE(has_atomic);
  const cl_weft::Values values = counting.read(event);
  EXPECT_EQ(values.at("branch"), branches);
  EXPECT_EQ(values.at("inst_executed"), instructions);
  EXPECT_EQ(values.at("divergent_branch"), values.at("branch"));
}

TEST_F(Counters, NotAvailable) {
  const cl_weft::CountingQueue counting(context, device);
  cl_performance_counter_result_weft results[512];
  const auto ask = [&](cl_event event, std::size_t size = sizeof results) {
    return clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_WEFT, size, results, nullptr);
  };
  const Event uncounted = launch(queue, copy, out, in, cl_int{0});
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(ask(uncounted), CL_PROFILING_INFO_NOT_AVAILABLE);

  Event no_kernel;
  const cl_int zero = 0;
  ASSERT_EQ(clEnqueueWriteBuffer(counting.get(), out, CL_TRUE, 0, 4, &zero, 0, nullptr, no_kernel.out()), CL_SUCCESS);
  EXPECT_EQ(ask(no_kernel), CL_PROFILING_INFO_NOT_AVAILABLE);

  cl_int error = CL_SUCCESS;
  const Event user(clCreateUserEvent(context, &error));
  EXPECT_EQ(ask(user), CL_PROFILING_INFO_NOT_AVAILABLE);
  const cl_event wait = user;
  ASSERT_EQ(clEnqueueBarrierWithWaitList(counting.get(), 1, &wait, nullptr), CL_SUCCESS);
  const Event waits = launch(counting.get(), copy, out, in, cl_int{0});
  EXPECT_EQ(ask(waits), CL_PROFILING_INFO_NOT_AVAILABLE) << "not complete";
  ASSERT_EQ(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(counting.get()), CL_SUCCESS);
  EXPECT_EQ(ask(waits), CL_SUCCESS);
  EXPECT_EQ(ask(waits, 8), CL_INVALID_VALUE) << "too small";
  cl_ulong time = 0;
  EXPECT_EQ(clGetEventProfilingInfo(waits, CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr), CL_PROFILING_INFO_NOT_AVAILABLE)
      << "the queue was not created with CL_QUEUE_PROFILING_ENABLE";
}

// Counted and uncounted launches of one kernel, from several threads, with queues of their own.
TEST_F(Counters, EqualFromRunToRun) {
  const cl_weft::CountingQueue first(context, device);
  const Event event = launch(first.get(), part, out);
  ASSERT_EQ(clFinish(first.get()), CL_SUCCESS);
  const cl_weft::Values wanted = first.read(event);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Kernel kernel = session.kernel(program, "part");
      const cl_weft::CountingQueue own(context, device);
      std::vector<Event> events;
      for (int i = 0; i < 20; ++i) events.push_back(launch(own.get(), kernel, out));
      if (t % 2) launch(queue, kernel, out);
      clFinish(own.get());
      for (const Event& one : events) wrong += own.read(one) != wanted;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Counters, ThePropertyIsTheQueues) {
  const cl_uint ids[] = {id("gld_request")};
  const cl_performance_counter_config_weft config = {1, ids};
  const cl_queue_properties list[] = {CL_QUEUE_PERFORMANCE_COUNTERS_WEFT, reinterpret_cast<cl_queue_properties>(&config), 0};
  cl_int error = CL_SUCCESS;
  const Queue made(clCreateCommandQueueWithProperties(context, device, list, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_queue_properties answer[3] = {};
  std::size_t size = 0;
  ASSERT_EQ(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof answer, answer, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof list);
  EXPECT_TRUE(std::equal(list, list + 3, answer));
}

}  // namespace
}  // namespace weft::conformance
