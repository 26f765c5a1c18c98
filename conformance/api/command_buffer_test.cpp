// Command buffers (cl_khr_command_buffer, cl_khr_command_buffer_mutable_dispatch).
#include "api/command_buffer.h"

namespace weft::conformance {
namespace {

using namespace command_buffer;
using Ints = std::vector<cl_int>;

class CommandBuffers : public ApiTest {
 protected:
  const Functions f{device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM)};
  std::vector<Buffer> made;
  std::vector<Program> programs;
  const std::size_t items = 256;

  void SetUp() override {
    if (!has_extension("cl_khr_command_buffer_mutable_dispatch") || !f.update)
      GTEST_SKIP() << "no cl_khr_command_buffer with mutable dispatch";
    if (!testing_weft()) GTEST_SKIP() << "another version of the provisional extension";
  }
  void TearDown() override {
    for (const Buffer buffer : made) EXPECT_EQ(f.release(buffer), CL_SUCCESS);
  }

  Buffer create(Properties flags = 0, cl_command_queue of = nullptr) {
    const Properties properties[] = {kFlags, flags, 0};
    cl_command_queue const used = of ? of : queue;
    cl_int error = CL_SUCCESS;
    const Buffer buffer = f.create(1, &used, properties, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    made.push_back(buffer);
    return buffer;
  }

  /// a[i] = a[i] * b + c
  Kernel scale(const Mem& memory, cl_int b, cl_int c) {
    programs.push_back(session.build("kernel void k(global int* a, int b, int c) { a[get_global_id(0)] = a[get_global_id(0)] * b + c; }"));
    Kernel kernel = session.kernel(programs.back(), "k");
    set_args(kernel, memory, b, c);
    return kernel;
  }

  cl_int record(Buffer buffer, cl_kernel kernel, Mutable* handle = nullptr, const Properties* properties = nullptr) {
    return f.launch(buffer, nullptr, properties, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, handle);
  }
  cl_int run(Buffer buffer) { return f.enqueue(0, nullptr, buffer, 0, nullptr, nullptr); }

  cl_int update(Buffer buffer, const Config& config) {
    const cl_uint type = 0;
    const void* configs[] = {&config};
    return f.update(buffer, 1, &type, configs);
  }
  cl_uint state(Buffer buffer) {
    cl_uint value = ~0u;
    EXPECT_EQ(f.info(buffer, kState, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  }
  Ints read(const Mem& memory) { return session.download<cl_int>(memory, items); }
};

TEST_F(CommandBuffers, RunsWhatWasRecordedAgainAndAgain) {
  const Mem memory = session.upload(Ints(items, 1)), copy = session.buffer(4 * items);
  const Kernel kernel = scale(memory, 2, 1);
  const Buffer buffer = create();
  ASSERT_EQ(record(buffer, kernel), CL_SUCCESS);
  set_args(kernel, memory, cl_int{100}, cl_int{100});  // later, so without effect
  ASSERT_EQ(f.copy(buffer, nullptr, nullptr, memory, copy, 0, 0, 4 * items, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(copy), Ints(items, 15));
}

// In order: each command sees what the one before has left, also in a queue that is not.
TEST_F(CommandBuffers, KeepsItsOrderInAnyQueue) {
  const Mem memory = session.buffer(4 * items);
  const Kernel add = scale(memory, 1, 3), twice = scale(memory, 2, 0);
  const Buffer buffer = create();
  const cl_int zero = 0;
  ASSERT_EQ(f.fill(buffer, nullptr, nullptr, memory, &zero, 4, 0, 4 * items, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(record(buffer, add), CL_SUCCESS);
    ASSERT_EQ(record(buffer, twice), CL_SUCCESS);
  }
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  const Queue any = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (cl_command_queue used : {queue, any.get()}) {
    cl_event raw = nullptr;
    ASSERT_EQ(f.enqueue(1, &used, buffer, 0, nullptr, &raw), CL_SUCCESS);
    const Event event(raw);
    ASSERT_EQ(clWaitForEvents(1, &raw), CL_SUCCESS);
    EXPECT_EQ(read(memory), Ints(items, 6 * 31));
  }
}

TEST_F(CommandBuffers, SyncPointsAndBarriersOrderCommands) {
  const Queue any = session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Mem a = session.upload(Ints(items, 1)), b = session.buffer(4 * items), c = session.buffer(4 * items);
  const Kernel on_a = scale(a, 3, 0), on_c = scale(c, 2, 1);
  const Buffer buffer = create(0, any);
  Point first = 0, second = 0;
  ASSERT_EQ(f.launch(buffer, nullptr, nullptr, on_a, 1, nullptr, &items, nullptr, 0, nullptr, &first, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.copy(buffer, nullptr, nullptr, a, b, 0, 0, 4 * items, 1, &first, &second, nullptr), CL_SUCCESS);
  EXPECT_NE(first, second);
  ASSERT_EQ(f.barrier(buffer, nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.copy(buffer, nullptr, nullptr, b, c, 0, 0, 4 * items, 0, nullptr, &second, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.launch(buffer, nullptr, nullptr, on_c, 1, nullptr, &items, nullptr, 1, &second, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  cl_event last = nullptr;
  for (int i = 0; i < 4; ++i) {  // each after the one before
    cl_event next = nullptr;
    ASSERT_EQ(f.enqueue(0, nullptr, buffer, last ? 1 : 0, last ? &last : nullptr, &next), CL_SUCCESS);
    if (last) clReleaseEvent(last);
    last = next;
  }
  ASSERT_EQ(clWaitForEvents(1, &last), CL_SUCCESS);
  clReleaseEvent(last);
  EXPECT_EQ(read(c), Ints(items, 2 * 81 + 1));
}

TEST_F(CommandBuffers, KeepsWhatItNames) {
  Mem memory = session.upload(Ints(items, 5));
  const Mem result = session.buffer(4 * items);
  const Buffer buffer = create();
  {
    const Kernel kernel = scale(memory, 2, 0);
    ASSERT_EQ(record(buffer, kernel), CL_SUCCESS);
  }
  ASSERT_EQ(f.copy(buffer, nullptr, nullptr, memory, result, 0, 0, 4 * items, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  memory.reset();
  programs.clear();
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(result), Ints(items, 10));
}

TEST_F(CommandBuffers, PipesAreKeptToo) {
  cl_bool has_pipes = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, nullptr);
  if (!has_pipes) GTEST_SKIP() << "the device has no pipes";
  const Program program = session.build(R"(
kernel void put(write_only pipe int p, global const int* in) { write_pipe(p, &in[get_global_id(0)]); }
kernel void get(read_only pipe int p, global int* out) { int x = 0; read_pipe(p, &x); atomic_add(out, x); }
)", "-cl-std=CL3.0");
  const Mem in = session.upload(Ints(items, 3)), out = session.upload(Ints(1));
  const Buffer buffer = create();
  {
    const Mem pipe(clCreatePipe(context, 0, sizeof(cl_int), static_cast<cl_uint>(items), nullptr, nullptr));
    const Kernel put = session.kernel(program, "put"), get = session.kernel(program, "get");
    set_args(put, pipe, in);
    set_args(get, pipe, out);
    ASSERT_EQ(record(buffer, put), CL_SUCCESS);
    ASSERT_EQ(record(buffer, get), CL_SUCCESS);
  }
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], static_cast<cl_int>(3 * 3 * items));
}
TEST_F(CommandBuffers, TheirProgramsMayBeBuiltAgain) {
  const Mem memory = session.upload(Ints(items, 5));
  const Buffer buffer = create();
  {
    const Kernel kernel = scale(memory, 2, 0);
    ASSERT_EQ(record(buffer, kernel), CL_SUCCESS);
  }
  EXPECT_EQ(clBuildProgram(programs.back(), 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(memory), Ints(items, 10));
}

// The next command in order waits for what a kernel enqueued, in every instance.
TEST_F(CommandBuffers, KernelsMayEnqueue) {
  if (!(device_value<cl_bitfield>(device, kCapabilities) & kDeviceSideEnqueue)) GTEST_SKIP() << "not from command buffers";
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  const Queue on_device{clCreateCommandQueueWithProperties(context, device, properties, nullptr)};
  const Mem memory = session.upload(Ints(items, 1)), copy = session.buffer(4 * items);
  const Program program = session.build(R"(
    kernel void k(global int* a, int add) {
      const int id = get_global_id(0);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ a[id] += add; });
    })", "-cl-std=CL3.0");
  const Kernel kernel = session.kernel(program, "k");
  set_args(kernel, memory, cl_int{5});
  const Buffer buffer = create();
  ASSERT_EQ(record(buffer, kernel), CL_SUCCESS);
  ASSERT_EQ(f.copy(buffer, nullptr, nullptr, memory, copy, 0, 0, 4 * items, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(run(buffer), CL_SUCCESS);
    EXPECT_EQ(read(copy), Ints(items, 1 + 5 * i));
  }
}

TEST_F(CommandBuffers, SharedVirtualMemory) {
  auto* const memory = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 1024, 0));
  ASSERT_NE(memory, nullptr);
  const Buffer buffer = create();
  const cl_int seven = 7;
  ASSERT_EQ(f.svm_fill(buffer, nullptr, nullptr, memory, &seven, 4, 512, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(f.svm_copy(buffer, nullptr, nullptr, memory + 128, memory, 512, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(f.svm_copy(buffer, nullptr, nullptr, memory + 1, memory, 512, 0, nullptr, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(f.svm_fill(buffer, nullptr, nullptr, nullptr, &seven, 4, 512, 0, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 256; ++i) EXPECT_EQ(memory[i], 7);
  clSVMFree(context, memory);
}

TEST_F(CommandBuffers, EventsOfInstances) {
  const Mem memory = session.upload(Ints(items, 1));
  const Kernel kernel = scale(memory, 2, 0);
  const Buffer buffer = create(), empty = create();
  ASSERT_EQ(record(buffer, kernel), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  ASSERT_EQ(f.finalize(empty), CL_SUCCESS);
  for (const Buffer each : {buffer, empty}) {
    cl_event raw = nullptr;
    ASSERT_EQ(f.enqueue(0, nullptr, each, 0, nullptr, &raw), CL_SUCCESS);
    const Event event(raw);
    ASSERT_EQ(clWaitForEvents(1, &raw), CL_SUCCESS);
    cl_command_type type = 0;
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
    EXPECT_EQ(type, kCommandType);
    cl_ulong times[4] = {};
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, 8, &times[i], nullptr), CL_SUCCESS);
    for (int i = 1; i < 4; ++i) EXPECT_LE(times[i - 1], times[i]) << i;
  }
}

// A command that fails ends its instance with an error, and those after it do not run.
TEST_F(CommandBuffers, FailuresEndTheInstance) {
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  const Mem memory = session.upload(Ints(items, 1));
  const Kernel kernel = scale(memory, 2, 0);
  const Buffer buffer = create();
  ASSERT_EQ(record(buffer, kernel), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  cl_event raw = nullptr, wait = gate;
  ASSERT_EQ(f.enqueue(0, nullptr, buffer, 1, &wait, &raw), CL_SUCCESS);
  const Event event(raw);
  ASSERT_EQ(clSetUserEventStatus(gate, -5), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &raw), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_int status = 0;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  EXPECT_LT(status, 0);
  clFinish(queue);
  EXPECT_EQ(read(memory), Ints(items, 1));
}

TEST_F(CommandBuffers, UpdatesOfArgumentsAndSizes) {
  const Mem memory = session.buffer(4 * items), other = session.upload(Ints(items, 1));
  const Kernel kernel = scale(memory, 1, 1);
  const Buffer buffer = create(kMutable);
  const cl_int zero = 0;
  Mutable command = nullptr;
  ASSERT_EQ(f.fill(buffer, nullptr, nullptr, memory, &zero, 4, 0, 4 * items, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(record(buffer, kernel, &command), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(memory), Ints(items, 1));

  const cl_int ten = 10;
  const Argument args[] = {{2, sizeof ten, &ten}};
  const std::size_t global = 64, local = 32;
  Config config;
  config.command = command;
  config.num_args = 1, config.args = args;
  config.global = &global, config.local = &local;
  ASSERT_EQ(update(buffer, config), CL_SUCCESS);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  const Ints got = read(memory);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(got[i], i < 64 ? 10 : 0);
  std::size_t size = 0;
  EXPECT_EQ(f.mutable_info(command, kGlobalSize, sizeof size, &size, nullptr), CL_SUCCESS);
  EXPECT_EQ(size, 64u);
  EXPECT_EQ(f.mutable_info(command, kLocalSize, sizeof size, &size, nullptr), CL_SUCCESS);
  EXPECT_EQ(size, 32u);

  // The kernel itself has what it had.
  session.finish(session.enqueue(kernel, {{items}, {}, {}}));
  EXPECT_EQ(read(memory)[0], 11);
}

// Instances that wait have what they were enqueued with.
TEST_F(CommandBuffers, UpdatesLeaveInstancesAlone) {
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  const Mem memory = session.upload(Ints(items, 0));
  const Kernel kernel = scale(memory, 10, 1);
  const Buffer buffer = create(kMutable | kSimultaneousUse);
  Mutable command = nullptr;
  ASSERT_EQ(record(buffer, kernel, &command), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  cl_event wait = gate;
  ASSERT_EQ(f.enqueue(0, nullptr, buffer, 1, &wait, nullptr), CL_SUCCESS);
  for (cl_int value : {2, 3}) {
    const Argument args[] = {{2, sizeof value, &value}};
    Config config;
    config.command = command;
    config.num_args = 1, config.args = args;
    ASSERT_EQ(update(buffer, config), CL_SUCCESS);
    ASSERT_EQ(run(buffer), CL_SUCCESS);
  }
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read(memory), Ints(items, 123));
}

TEST_F(CommandBuffers, UpdatesAreAllOrNothing) {
  const Mem memory = session.upload(Ints(items, 0));
  const Kernel kernel = scale(memory, 1, 1);
  const Buffer buffer = create(kMutable);
  Mutable commands[2] = {};
  ASSERT_EQ(record(buffer, kernel, &commands[0]), CL_SUCCESS);
  ASSERT_EQ(record(buffer, kernel, &commands[1]), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  const cl_int ten = 10;
  const Argument good[] = {{2, sizeof ten, &ten}}, bad[] = {{2, 1, &ten}};
  Config configs[2];
  for (int i = 0; i < 2; ++i) configs[i].command = commands[i], configs[i].num_args = 1;
  configs[0].args = good, configs[1].args = bad;
  const cl_uint types[2] = {0, 0};
  const void* list[2] = {&configs[0], &configs[1]};
  EXPECT_EQ(f.update(buffer, 2, types, list), CL_INVALID_ARG_SIZE);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(memory), Ints(items, 2));
  configs[1].args = good;
  configs[1].command = commands[0];  // twice the same
  EXPECT_EQ(f.update(buffer, 2, types, list), CL_SUCCESS);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(memory), Ints(items, 13));
}

TEST_F(CommandBuffers, ArgumentsMaySettleLater) {
  const Mem memory = session.upload(Ints(items, 4));
  programs.push_back(session.build("kernel void k(global int* a, int b) { a[get_global_id(0)] *= b; }"));
  const Kernel kernel = session.kernel(programs.back(), "k");
  set_arg(kernel, 0, memory);
  const Buffer fixed = create(), buffer = create(kMutable);
  EXPECT_EQ(record(fixed, kernel), CL_INVALID_KERNEL_ARGS);
  const Properties sizes_only[] = {kUpdatableFields, kFieldGlobalSize, 0};
  EXPECT_EQ(record(buffer, kernel, nullptr, sizes_only), CL_INVALID_KERNEL_ARGS);
  Mutable command = nullptr;
  ASSERT_EQ(record(buffer, kernel, &command), CL_SUCCESS);
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  EXPECT_EQ(state(buffer), kFinalized);
  EXPECT_EQ(run(buffer), CL_INVALID_OPERATION);
  const cl_int five = 5;
  const Argument args[] = {{1, sizeof five, &five}};
  Config config;
  config.command = command;
  config.num_args = 1, config.args = args;
  ASSERT_EQ(update(buffer, config), CL_SUCCESS);
  EXPECT_EQ(state(buffer), kExecutable);
  ASSERT_EQ(run(buffer), CL_SUCCESS);
  EXPECT_EQ(read(memory), Ints(items, 20));
}

TEST_F(CommandBuffers, UpdateErrors) {
  const Mem memory = session.upload(Ints(items, 4));
  const Kernel kernel = scale(memory, 1, 1);
  const Buffer buffer = create(kMutable), fixed = create();
  const Properties sizes_only[] = {kUpdatableFields, kFieldGlobalSize, kAsserts, 1, 0};
  const std::size_t local = 32;
  Mutable command = nullptr, of_fixed = nullptr;
  ASSERT_EQ(f.launch(buffer, nullptr, sizes_only, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr, &command), CL_SUCCESS);
  ASSERT_EQ(record(fixed, kernel, &of_fixed), CL_SUCCESS);
  Config config;
  config.command = command;
  EXPECT_EQ(update(buffer, config), CL_INVALID_OPERATION);  // not finalized
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  ASSERT_EQ(f.finalize(fixed), CL_SUCCESS);
  EXPECT_EQ(update(buffer, config), CL_SUCCESS);
  EXPECT_EQ(update(nullptr, config), kInvalidCommandBuffer);
  const cl_int value = 1;
  const Argument args[] = {{1, sizeof value, &value}};
  config.num_args = 1;
  EXPECT_EQ(update(buffer, config), CL_INVALID_VALUE);  // no list
  config.args = args;
  EXPECT_EQ(update(buffer, config), CL_INVALID_OPERATION);  // not updatable
  config.num_args = 0, config.args = nullptr;
  config.local = &local;
  EXPECT_EQ(update(buffer, config), CL_INVALID_OPERATION);
  config.local = nullptr;
  config.work_dim = 2;
  EXPECT_EQ(update(buffer, config), CL_INVALID_VALUE);
  config.work_dim = 1;
  const std::size_t less = 128, more = 512, odd = 33;
  config.global = &less;
  EXPECT_EQ(update(buffer, config), CL_SUCCESS);
  config.global = &odd;
  EXPECT_EQ(update(buffer, config), CL_INVALID_WORK_GROUP_SIZE);
  config.global = &more;
  EXPECT_EQ(update(buffer, config), CL_INVALID_VALUE);  // no additional work-groups
  config.global = nullptr;
  config.command = of_fixed;
  EXPECT_EQ(update(buffer, config), kInvalidMutable);
  config.command = nullptr;
  EXPECT_EQ(update(buffer, config), kInvalidMutable);
  config.command = of_fixed;
  EXPECT_EQ(update(fixed, config), CL_INVALID_OPERATION);
  const cl_uint unknown = 7, known = 0;
  const void* list[] = {&config};
  const void* none[] = {nullptr};
  EXPECT_EQ(f.update(buffer, 1, &unknown, list), CL_INVALID_VALUE);
  EXPECT_EQ(f.update(buffer, 1, &known, none), CL_INVALID_VALUE);
  EXPECT_EQ(f.update(buffer, 1, nullptr, list), CL_INVALID_VALUE);
  EXPECT_EQ(f.update(buffer, 0, &known, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(f.update(buffer, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(CommandBuffers, HandlesGoWithTheirBuffer) {
  const Mem memory = session.upload(Ints(items, 4));
  const Kernel kernel = scale(memory, 1, 1);
  const Buffer buffer = create(kMutable);
  Mutable command = nullptr;
  ASSERT_EQ(record(buffer, kernel, &command), CL_SUCCESS);
  Buffer owner = nullptr;
  ASSERT_EQ(f.mutable_info(command, kOwner, sizeof owner, &owner, nullptr), CL_SUCCESS);
  EXPECT_EQ(owner, buffer);
  cl_kernel given = nullptr;
  ASSERT_EQ(f.mutable_info(command, kKernel, sizeof given, &given, nullptr), CL_SUCCESS);
  EXPECT_EQ(given, kernel.get());
  made.clear();
  ASSERT_EQ(f.release(buffer), CL_SUCCESS);
  EXPECT_EQ(f.mutable_info(command, kOwner, sizeof owner, &owner, nullptr), kInvalidMutable);
  EXPECT_EQ(f.release(buffer), kInvalidCommandBuffer);
}

TEST_F(CommandBuffers, Queries) {
  const Properties properties[] = {kFlags, kMutable, 0};
  cl_command_queue const used = queue;
  cl_int error = CL_SUCCESS;
  const Buffer buffer = f.create(1, &used, properties, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  made.push_back(buffer);
  EXPECT_EQ(state(buffer), kRecording);
  cl_uint number = 0;
  EXPECT_EQ(f.info(buffer, kNumQueues, sizeof number, &number, nullptr), CL_SUCCESS);
  EXPECT_EQ(number, 1u);
  cl_command_queue got = nullptr;
  EXPECT_EQ(f.info(buffer, kQueues, sizeof got, &got, nullptr), CL_SUCCESS);
  EXPECT_EQ(got, queue);
  cl_context of = nullptr;
  EXPECT_EQ(f.info(buffer, kContext, sizeof of, &of, nullptr), CL_SUCCESS);
  EXPECT_EQ(of, context);
  Properties array[3] = {};
  std::size_t size = 0;
  EXPECT_EQ(f.info(buffer, kPropertiesArray, sizeof array, array, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof array);
  EXPECT_TRUE(std::equal(array, array + 3, properties));
  ASSERT_EQ(f.retain(buffer), CL_SUCCESS);
  EXPECT_EQ(f.info(buffer, kReferenceCount, sizeof number, &number, nullptr), CL_SUCCESS);
  EXPECT_EQ(number, 2u);
  ASSERT_EQ(f.release(buffer), CL_SUCCESS);
  EXPECT_EQ(f.info(buffer, 0, sizeof number, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(f.info(buffer, kState, 1, &number, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(f.info(nullptr, kState, sizeof number, &number, nullptr), kInvalidCommandBuffer);
}

TEST_F(CommandBuffers, CreationErrors) {
  cl_int error = CL_SUCCESS;
  cl_command_queue used[2] = {queue, queue};
  EXPECT_EQ(f.create(2, used, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(f.create(0, used, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(f.create(1, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  used[0] = nullptr;
  EXPECT_EQ(f.create(1, used, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_COMMAND_QUEUE);
  used[0] = queue;
  const Properties twice[] = {kFlags, 0, kFlags, 0, 0}, unknown[] = {5, 0, 0}, flag[] = {kFlags, 1 << 9, 0};
  for (const Properties* bad : {twice, unknown, flag}) {
    EXPECT_EQ(f.create(1, used, bad, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE);
  }
}

TEST_F(CommandBuffers, RecordingErrors) {
  const Mem memory = session.buffer(4 * items);
  const Kernel kernel = scale(memory, 1, 1);
  const Buffer buffer = create();
  Point point = 0, wrong = 5;
  Mutable handle = nullptr;
  EXPECT_EQ(f.launch(nullptr, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr), kInvalidCommandBuffer);
  EXPECT_EQ(f.launch(buffer, queue, nullptr, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(f.launch(buffer, nullptr, nullptr, nullptr, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(f.launch(buffer, nullptr, nullptr, kernel, 4, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(f.launch(buffer, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 1, nullptr, nullptr, nullptr), kInvalidSyncPoints);
  EXPECT_EQ(f.launch(buffer, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0, &wrong, nullptr, nullptr), kInvalidSyncPoints);
  EXPECT_EQ(f.launch(buffer, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 1, &wrong, nullptr, nullptr), kInvalidSyncPoints);
  const Properties unknown[] = {5, 0, 0};
  EXPECT_EQ(record(buffer, kernel, nullptr, unknown), CL_INVALID_VALUE);
  EXPECT_EQ(f.barrier(buffer, nullptr, nullptr, 0, nullptr, &point, &handle), CL_INVALID_VALUE);
  EXPECT_EQ(f.copy(buffer, nullptr, nullptr, memory, memory, 0, 0, 8, 0, nullptr, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(f.copy(buffer, nullptr, nullptr, memory, nullptr, 0, 0, 8, 0, nullptr, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  const Session other(device);
  const Mem foreign = other.buffer(64);
  EXPECT_EQ(f.copy(buffer, nullptr, nullptr, memory, foreign, 0, 0, 8, 0, nullptr, nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(run(buffer), CL_INVALID_OPERATION);
  ASSERT_EQ(f.barrier(buffer, nullptr, nullptr, 0, nullptr, &point, nullptr), CL_SUCCESS);
  EXPECT_EQ(point, 1u);  // nothing of all that has been recorded
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  EXPECT_EQ(f.finalize(buffer), CL_INVALID_OPERATION);
  EXPECT_EQ(record(buffer, kernel), CL_INVALID_OPERATION);
}

TEST_F(CommandBuffers, EnqueueErrors) {
  const Buffer buffer = create();
  ASSERT_EQ(f.finalize(buffer), CL_SUCCESS);
  cl_command_queue used[2] = {queue, queue};
  EXPECT_EQ(f.enqueue(1, nullptr, buffer, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(f.enqueue(0, used, buffer, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(f.enqueue(2, used, buffer, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(f.enqueue(0, nullptr, buffer, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  const Session other(device);
  used[0] = other.queue();
  EXPECT_EQ(f.enqueue(1, used, buffer, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  used[0] = nullptr;
  EXPECT_EQ(f.enqueue(1, used, buffer, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(CommandBuffers, TheDeviceTellsWhatItHas) {
  EXPECT_EQ(device_value<cl_bitfield>(device, kRequiredQueueProperties), 0u);
  EXPECT_TRUE(device_value<cl_bitfield>(device, kSupportedQueueProperties) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  EXPECT_EQ(device_value<cl_bitfield>(device, kMutableCapabilities), 31u);
  EXPECT_NE(device_value<cl_bitfield>(device, kCapabilities), 0u);
}

}  // namespace
}  // namespace weft::conformance
