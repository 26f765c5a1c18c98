// Queues on the device (OpenCL 3.0 API §5.1, OpenCL C 3.0 §6.15.17): kernels that enqueue kernels, and what the host sees of them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr char k20[] = "-cl-std=CL2.0";
constexpr char k30[] = "-cl-std=CL3.0";
/// enqueue_kernel says why it fails.
constexpr char kExplained[] = "-cl-std=CL3.0 -g";
constexpr cl_command_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr cl_command_queue_properties kDefault = kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT;

class DeviceQueues : public ApiTest {
 protected:
  void SetUp() override {
    cl_device_device_enqueue_capabilities there = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof there, &there, nullptr) != CL_SUCCESS ||
        !(there & CL_DEVICE_QUEUE_SUPPORTED))
      GTEST_SKIP() << "the device has no queues of its own";
  }

  Queue make(const std::vector<cl_queue_properties>& properties, cl_int expected = CL_SUCCESS) {
    cl_int error = CL_SUCCESS;
    Queue made(clCreateCommandQueueWithProperties(context, device, properties.data(), &error));
    EXPECT_EQ(error, expected);
    EXPECT_EQ(made.get() != nullptr, error == CL_SUCCESS);
    return made;
  }
  Queue make_default(cl_command_queue_properties more = 0) { return make({CL_QUEUE_PROPERTIES, kDefault | more, 0}); }

  template <typename T>
  T queue_value(cl_command_queue from, cl_command_queue_info what) {
    T value{};
    check(clGetCommandQueueInfo(from, what, sizeof value, &value, nullptr), "clGetCommandQueueInfo");
    return value;
  }
  cl_ulong time_of(cl_event event, cl_profiling_info what) {
    cl_ulong value = 0;
    check(clGetEventProfilingInfo(event, what, sizeof value, &value, nullptr), "clGetEventProfilingInfo");
    return value;
  }

  /// What kernel `k` leaves in `count` integers, its first argument, all 0 before.
  template <typename... Args>
  std::vector<cl_int> run(const std::string& source, std::size_t count, const Range& range, const std::string& options, const Args&... args) {
    const Program program = session.build(source, options);
    const Mem out = session.upload(std::vector<cl_int>(count));
    session.launch(session.kernel(program, "k"), range, out, args...);
    return session.download<cl_int>(out, count);
  }
};

TEST_F(DeviceQueues, TheDeviceSaysSo) {
  const auto properties = device_value<cl_command_queue_properties>(device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES);
  EXPECT_TRUE(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  EXPECT_TRUE(properties & CL_QUEUE_PROFILING_ENABLE);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE), 16u << 10);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 256u << 10);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_ON_DEVICE_QUEUES), 1u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024u);
  for (const char* options : {k20, k30})
    session.build("#ifndef __opencl_c_device_enqueue\n#error no queues\n#endif\nkernel void k() {}", options);
}

TEST_F(DeviceQueues, Creation) {
  const cl_uint most = device_value<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  const Queue sized = make({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_SIZE, most, 0});
  EXPECT_EQ(queue_value<cl_uint>(sized, CL_QUEUE_SIZE), most);
  EXPECT_EQ(queue_value<cl_command_queue_properties>(sized, CL_QUEUE_PROPERTIES), kOnDevice | CL_QUEUE_PROFILING_ENABLE);
  EXPECT_EQ(queue_value<cl_context>(sized, CL_QUEUE_CONTEXT), context);
  EXPECT_EQ(queue_value<cl_device_id>(sized, CL_QUEUE_DEVICE), device);
  const Queue plain = make({CL_QUEUE_PROPERTIES, kOnDevice, 0});
  EXPECT_GE(queue_value<cl_uint>(plain, CL_QUEUE_SIZE), 1u);
  make({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}, CL_INVALID_VALUE);
  make({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}, CL_INVALID_VALUE);
  make({CL_QUEUE_PROPERTIES, 0, CL_QUEUE_SIZE, 1024, 0}, CL_INVALID_VALUE);
  cl_int error = CL_SUCCESS;
  const cl_queue_properties large[] = {CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, cl_queue_properties{most} + 1, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, large, &error), nullptr);
  EXPECT_TRUE(error == CL_INVALID_VALUE || error == CL_INVALID_QUEUE_PROPERTIES) << error;
  cl_uint size = 0;
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, nullptr), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(DeviceQueues, TheDefaultOne) {
  EXPECT_EQ(queue_value<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT), nullptr);
  {
    const Queue first = make_default(), again = make_default();
    EXPECT_EQ(first.get(), again.get());
    EXPECT_EQ(queue_value<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT), 2u);
    EXPECT_EQ(queue_value<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT), first.get());
    const Queue other = make({CL_QUEUE_PROPERTIES, kOnDevice, 0});
    EXPECT_EQ(queue_value<cl_command_queue>(other, CL_QUEUE_DEVICE_DEFAULT), first.get());
    const auto can = device_value<cl_device_device_enqueue_capabilities>(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES);
    if (can & CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT) {
      EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device, other), CL_SUCCESS);
      EXPECT_EQ(queue_value<cl_command_queue>(other, CL_QUEUE_DEVICE_DEFAULT), other.get());
      EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device, queue), CL_INVALID_COMMAND_QUEUE);
      EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, device, nullptr), CL_INVALID_COMMAND_QUEUE);
      EXPECT_EQ(clSetDefaultDeviceCommandQueue(nullptr, device, other), CL_INVALID_CONTEXT);
      EXPECT_EQ(clSetDefaultDeviceCommandQueue(context, nullptr, other), CL_INVALID_DEVICE);
    }
  }
  EXPECT_EQ(queue_value<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT), nullptr);
}

TEST_F(DeviceQueues, TakeNothingOfTheHosts) {
  const Queue on_device = make_default();
  const Mem memory = session.buffer(64);
  cl_int value = 0;
  EXPECT_EQ(clEnqueueReadBuffer(on_device, memory, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(on_device, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFlush(on_device), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clFinish(on_device), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(DeviceQueues, AnArgument) {
  const Queue on_device = make({CL_QUEUE_PROPERTIES, kOnDevice, 0});
  const Program program = session.build(R"(
    kernel void k(global int* out, queue_t q) {
      if (get_global_id(0) == 0) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[get_global_id(0)] = 7; });
    })", k20);
  const Kernel kernel = session.kernel(program, "k");
  const cl_command_queue on_host = queue, none = nullptr, good = on_device;
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof on_host, &on_host), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof none, &none), CL_INVALID_DEVICE_QUEUE);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4, &good), CL_INVALID_ARG_SIZE);
  char name[16] = {};
  EXPECT_EQ(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr), CL_SUCCESS);
  EXPECT_STREQ(name, "queue_t");
  const Mem out = session.upload(std::vector<cl_int>(4));
  session.launch(kernel, {{64}, {}}, out, good);
  EXPECT_EQ(session.download<cl_int>(out, 4), std::vector<cl_int>(4, 7));
}

TEST_F(DeviceQueues, ABlockRuns) {
  const Queue on_device = make_default();
  for (const char* options : {k20, k30, "-cl-std=CLC++2021"}) {
    const auto out = run(R"(
      kernel void k(global int* out, int add) {
        int twice = 2 * add;
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64), ^{ out[get_global_id(0)] = get_global_id(0) + twice; });
      })", 64, {{1}, {}}, options, cl_int{50});
    EXPECT_EQ(out[0], 100) << options;
    EXPECT_EQ(out[63], 163) << options;
  }
}

TEST_F(DeviceQueues, BlocksAreNoKernelsOfTheApplications) {
  const Queue on_device = make_default();
  const Program program = session.build(R"(
    kernel void k(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 1; }); }
    kernel void other(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 2; }); })", k30);
  std::size_t kernels = 0;
  char names[64] = {};
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), "number");
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, nullptr), "names");
  EXPECT_EQ(kernels, 2u);
  EXPECT_STREQ(names, "k;other");
  cl_uint created = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &created), "clCreateKernelsInProgram");
  EXPECT_EQ(created, 2u);
  EXPECT_EQ(error_of([&] { session.kernel(program, "__k_block_invoke_kernel"); }), CL_INVALID_KERNEL_NAME);
  // The blocks that have run leave the program as free to be built again as it was.
  const Mem out = session.upload(std::vector<cl_int>(1));
  session.launch(session.kernel(program, "other"), {{1}, {}}, out);
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 2);
  EXPECT_EQ(clBuildProgram(program, 1, &device, k30, nullptr, nullptr), CL_SUCCESS);
}

// Each work-item's captures are its own, though a warp enqueues in one go.
TEST_F(DeviceQueues, WorkItemsEnqueueTheirOwn) {
  const Queue on_device = make_default();  // which has room for a launch of this size
  const int count = 32768;
  const auto out = run(R"(
    kernel void k(global int* out) {
      const int id = get_global_id(0);
      if (id % 3 == 0) return;
      if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{ out[id] = id + 1; }) != CLK_SUCCESS) out[id] = -1;
    })", count, {{count}, {128}}, k30);
  for (int id = 0; id < count; ++id) ASSERT_EQ(out[id], id % 3 ? id + 1 : 0) << id;
}

TEST_F(DeviceQueues, BlocksEnqueueThemselves) {
  const Queue on_device = make_default();
  const auto out = run(R"(
    void step(global int* out, int left) {
      if (get_global_id(0) == 0) out[left] = left;
      if (left > 0 && get_global_id(0) == 1) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2), ^{ step(out, left - 1); });
    }
    kernel void k(global int* out, int depth) { step(out, depth); })", 3001, {{2}, {}}, k20, cl_int{3000});
  for (int i = 0; i <= 3000; ++i) ASSERT_EQ(out[i], i);
}

TEST_F(DeviceQueues, LocalMemory) {
  const Queue on_device = make_default();
  const auto out = run(R"(
    kernel void k(global int* out) {
      void (^reverse)(local void*, local void*) = ^(local void* a, local void* b) {
        local int* const ids = a;
        local double* const doubles = b;
        local int own[64];
        const int id = get_local_id(0), last = get_local_size(0) - 1;
        ids[id] = id, doubles[id] = id, own[id] = id;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = ids[last - id] + 100 * (int)doubles[last - id] + 10000 * own[last - id];
      };
      uint bytes = 64 * sizeof(double);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(256, 64), reverse, 64 * (uint)sizeof(int), bytes);
    })", 256, {{1}, {}}, k20);
  for (int i = 0; i < 256; ++i) ASSERT_EQ(out[i], (63 - i % 64) * 10101) << i;
}

TEST_F(DeviceQueues, CapturedImages) {
  if (!device_value<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "no images";
  const Queue on_device = make_default();
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  std::vector<cl_uchar> texels(8 * 8 * 4);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<cl_uchar>(i);
  cl_int error = CL_SUCCESS;
  const Mem from(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, texels.data(), &error));
  check(error, "clCreateImage");
  const Mem to(clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &description, nullptr, &error));
  check(error, "clCreateImage");
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
                                              CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
  const cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &error);
  check(error, "clCreateSamplerWithProperties");
  run(R"(
    kernel void k(global int* out, read_only image2d_t from, write_only image2d_t to, sampler_t sampler) {
      const size_t size[2] = {8, 8};
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size), ^{
        const int2 at = (int2)(get_global_id(0), get_global_id(1));
        write_imagef(to, at, read_imagef(from, sampler, at + (int2)(1, 0)));
      });
    })", 1, {{1}, {}}, k30, from, to, sampler);
  std::vector<cl_uchar> copy(texels.size());
  const std::size_t origin[3] = {0, 0, 0}, region[3] = {8, 8, 1};
  check(clEnqueueReadImage(queue, to, CL_TRUE, origin, region, 0, 0, copy.data(), 0, nullptr, nullptr), "clEnqueueReadImage");
  clReleaseSampler(sampler);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      for (int c = 0; c < 4; ++c) ASSERT_EQ(copy[(y * 8 + x) * 4 + c], texels[(y * 8 + std::min(x + 1, 7)) * 4 + c]) << x << ' ' << y;
}

TEST_F(DeviceQueues, GlobalBlocksAndProgramVariables) {
  const Queue on_device = make_default();
  const auto out = run(R"(
    global int total = 5;
    void (^const add)(void) = ^{ atomic_add(&total, (int)get_global_id(0)); };
    kernel void k(global int* out) {
      clk_event_t added;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(100), 0, NULL, &added, add);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &added, NULL, ^{ out[0] = total; });
      release_event(added);
    })", 1, {{1}, {}}, k30);
  EXPECT_EQ(out[0], 5 + 4950);
}

TEST_F(DeviceQueues, Ranges) {
  const Queue on_device = make_default();
  const auto out = run(R"(
    kernel void k(global int* out) {
      size_t size[3] = {5, 4, 3}, local_size[3] = {2, 2, 1}, offset[3] = {10, 20, 30};
      queue_t q = get_default_queue();
      void (^count)(void) = ^{ atomic_inc(out + (get_global_id(2) * 100 + get_global_id(1)) * 100 + get_global_id(0)); };
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size), count);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size, local_size), count);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_3D(offset, size, local_size), count);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(7, 5, 3), count);
    })", 400000, {{1}, {}}, k30);
  std::vector<cl_int> expected(out.size());
  const auto at = [&](int x, int y, int z) -> cl_int& { return expected[(z * 100 + y) * 100 + x]; };
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) at(x, y, 0) += 2;
  for (int z = 30; z < 33; ++z)
    for (int y = 20; y < 24; ++y)
      for (int x = 10; x < 15; ++x) ++at(x, y, z);
  for (int x = 7; x < 12; ++x) ++at(x, 0, 0);
  EXPECT_TRUE(out == expected);
}

TEST_F(DeviceQueues, Questions) {
  const Queue on_device = make_default();
  const auto out = run(R"(
    kernel void k(global int* out) {
      void (^block)(void) = ^{ out[0] += 1; };
      out[1] = get_kernel_work_group_size(block);
      out[2] = get_kernel_preferred_work_group_size_multiple(block);
    #ifdef __opencl_c_subgroups
      out[3] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(1000, 100), block);
      out[4] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1000, 100), block);
    #endif
      out[5] = is_valid_event(CLK_NULL_EVENT);
      clk_event_t user = create_user_event();
      out[6] = is_valid_event(user);
      retain_event(user);
      release_event(user);
      out[7] = is_valid_event(user);
      release_event(user);
    })", 8, {{1}, {}}, k30);
  EXPECT_GE(out[1], 1);
  EXPECT_GE(out[2], 1);
  if (out[4] != 0) {
    EXPECT_EQ(out[3], (100 + out[4] - 1) / out[4]);
  }
  EXPECT_EQ(out[5], 0);
  EXPECT_EQ(out[6], 1);
  EXPECT_EQ(out[7], 1);
}

TEST_F(DeviceQueues, EventsOrderBlocks) {
  const Queue on_device = make_default(), other = make({CL_QUEUE_PROPERTIES, kOnDevice, 0});
  const cl_command_queue second = other;
  const auto out = run(R"(
    kernel void k(global int* out, queue_t other) {
      const int id = get_global_id(0);
      queue_t q = get_default_queue();
      clk_event_t user = create_user_event(), first[2], marker;
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &first[0], ^{ out[3 * id] = 1; });
      enqueue_kernel(other, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &first[1], ^{ out[3 * id + 1] = 2; });
      enqueue_marker(q, 2, first, &marker);
      enqueue_kernel(other, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, NULL, ^{ out[3 * id + 2] = out[3 * id] + 10 * out[3 * id + 1]; });
      release_event(first[0]);
      release_event(first[1]);
      release_event(marker);
      // Set by a child, long after this work-item.
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        set_user_event_status(user, CL_COMPLETE);
        release_event(user);
      });
    })", 3 * 64, {{64}, {}}, k30, second);
  for (int id = 0; id < 64; ++id) {
    ASSERT_EQ(out[3 * id], 1);
    ASSERT_EQ(out[3 * id + 2], 21) << id;
  }
}

// An error passes to what waits for it and to the launch that all come from.
TEST_F(DeviceQueues, ErrorsPass) {
  const Queue on_device = make_default();
  const Program program = session.build(R"(
    kernel void k(global int* out) {
      clk_event_t user = create_user_event(), never;
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, &never, ^{ out[0] = 1; });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &never, NULL, ^{ out[1] = 1; });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[2] = 1; });
      set_user_event_status(user, -7);
      release_event(user);
      release_event(never);
    })", k30);
  const Mem out = session.upload(std::vector<cl_int>(3));
  const Kernel kernel = session.kernel(program, "k");
  set_args(kernel, out);
  const Event event = session.enqueue(kernel, {{1}, {}});
  const cl_event raw = event;
  EXPECT_EQ(clWaitForEvents(1, &raw), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cl_int status = 0;
  check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "status");
  EXPECT_LT(status, 0);
  EXPECT_EQ(session.download<cl_int>(out, 3), (std::vector<cl_int>{0, 0, 1}));
}

TEST_F(DeviceQueues, TheLaunchIsCompleteWhenItsChildrenAre) {
  const Queue on_device = make_default(CL_QUEUE_PROFILING_ENABLE);
  const Program program = session.build(R"(
    void again(global int* out, int left) {
      if (left) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ atomic_inc(out); again(out, left - 1); });
    }
    kernel void k(global int* out) { again(out, 50); }
    kernel void next(global int* out) { out[1] = out[0]; })", k20);
  const Mem out = session.upload(std::vector<cl_int>(2));
  const Kernel kernel = session.kernel(program, "k"), next = session.kernel(program, "next");
  set_args(kernel, out);
  set_args(next, out);
  const Event event = session.enqueue(kernel, {{1}, {}}), after = session.enqueue(next, {{1}, {}});
  EXPECT_EQ(session.download<cl_int>(out, 2), std::vector<cl_int>(2, 50));
  EXPECT_LT(time_of(event, CL_PROFILING_COMMAND_END), time_of(event, CL_PROFILING_COMMAND_COMPLETE));
  EXPECT_LE(time_of(event, CL_PROFILING_COMMAND_COMPLETE), time_of(after, CL_PROFILING_COMMAND_START));
  EXPECT_EQ(time_of(after, CL_PROFILING_COMMAND_END), time_of(after, CL_PROFILING_COMMAND_COMPLETE));
}

TEST_F(DeviceQueues, ProfilingOnTheDevice) {
  const Queue on_device = make_default(CL_QUEUE_PROFILING_ENABLE);
  const Program program = session.build(R"(
    kernel void k(global ulong* out) {
      clk_event_t done;
      queue_t q = get_default_queue();
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1000), 0, NULL, &done, ^{ out[get_global_id(0) + 10] += 1; });
      capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, out);
      enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &done, NULL, ^{
        out[2] = out[0];
        capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, out + 3);
        release_event(done);
      });
    })", k30);
  const Mem out = session.upload(std::vector<cl_ulong>(1010));
  session.launch(session.kernel(program, "k"), {{1}, {}}, out);
  const auto times = session.download<cl_ulong>(out, 5);
  EXPECT_GT(times[0], 0u);
  EXPECT_GE(times[1], times[0]);
  EXPECT_EQ(times[2], times[0]);
  EXPECT_EQ(times[3], times[0]);
  EXPECT_EQ(times[4], times[1]);
}

TEST_F(DeviceQueues, AFullQueue) {
  const Queue on_device = make({CL_QUEUE_PROPERTIES, kDefault, CL_QUEUE_SIZE, 4096, 0});
  const char* const source = R"(
    kernel void k(global int* out) {
      for (int i = 0; i < 1000; ++i) {
        const int error = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ atomic_inc(out); });
        if (error) out[2] = error; else out[1] += 1;
      }
    })";
  for (int round = 0; round < 2; ++round) {
    const auto plain = run(source, 3, {{1}, {}}, k30), explained = run(source, 3, {{1}, {}}, kExplained);
    EXPECT_GT(plain[0], 0);
    EXPECT_LT(plain[0], 1000);
    EXPECT_EQ(plain[0], plain[1]);
    EXPECT_EQ(plain[2], -101);  // CLK_ENQUEUE_FAILURE
    EXPECT_EQ(explained[0], plain[0]);
    EXPECT_EQ(explained[2], -161);  // CLK_DEVICE_QUEUE_FULL
  }
}

TEST_F(DeviceQueues, WhyAnEnqueueFails) {
  const char* const source = R"(
    kernel void k(global int* out, int huge) {
      queue_t q = get_default_queue();
      clk_event_t none = CLK_NULL_EVENT;
      void (^block)(void) = ^{ out[9] = 1; };
      out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, huge), block);
      out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &none, NULL, block);
      out[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void* p) { *(local int*)p = 1; }, (uint)huge);
    })";
  {
    const auto out = run(source, 10, {{1}, {}}, kExplained, cl_int{1 << 20});
    EXPECT_EQ(out[0], -102);  // CLK_INVALID_QUEUE: there is none
    EXPECT_EQ(out[9], 0);
  }
  const Queue on_device = make_default();
  const auto out = run(source, 10, {{1}, {}}, kExplained, cl_int{1 << 20});
  EXPECT_EQ(out[0], -160);               // CLK_INVALID_NDRANGE
  EXPECT_EQ(out[1], -57);                // CLK_INVALID_EVENT_WAIT_LIST
  EXPECT_EQ(out[2], -5);                 // CLK_OUT_OF_RESOURCES
  EXPECT_EQ(out[9], 0);
  for (const cl_int error : {0, 1, 2}) EXPECT_EQ(run(source, 10, {{1}, {}}, k30, cl_int{1 << 20})[error], -101);
}

// The blocks of objects that are linked have functions of one name.
TEST_F(DeviceQueues, LinkedObjectsAndBinaries) {
  const Queue on_device = make_default();
  const auto source = [](const std::string& name, int value) {
    return "static void help(global int* out) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ atomic_add(out, " + std::to_string(value) +
           "); }); } kernel void " + name + "(global int* out) { help(out); }";
  };
  std::vector<Program> objects;
  for (const auto& text : {source("first", 1), source("second", 10)}) {
    objects.push_back(session.create_program(text));
    check(clCompileProgram(objects.back(), 1, &device, k30, 0, nullptr, nullptr, nullptr, nullptr), "clCompileProgram");
  }
  const cl_program raw[] = {objects[0], objects[1]};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 1, &device, "", 2, raw, nullptr, nullptr, &error));
  check(error, "clLinkProgram");
  const auto bytes = binary_of(linked);
  const std::size_t size = bytes.size();
  const unsigned char* data = bytes.data();
  const Program loaded(clCreateProgramWithBinary(context, 1, &device, &size, &data, nullptr, &error));
  check(error, "clCreateProgramWithBinary");
  check(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  for (const Program* program : {&linked, &loaded}) {
    const Mem out = session.upload(std::vector<cl_int>(1));
    session.launch(session.kernel(*program, "first"), {{1}, {}}, out);
    EXPECT_EQ(session.download<cl_int>(out, 1)[0], 1);
    session.launch(session.kernel(*program, "second"), {{1}, {}}, out);
    EXPECT_EQ(session.download<cl_int>(out, 1)[0], 11);
  }
}

// Nobody has to keep what a launch uses.
TEST_F(DeviceQueues, TheApplicationLetsGo) {
  const Mem out = session.upload(std::vector<cl_int>(1));
  {
    const Queue on_device = make_default();
    const Program program = session.build(R"(
      kernel void k(global int* out) {
        for (int i = 0; i < 10; ++i) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(100), ^{ atomic_inc(out); });
      })", k30);
    const Kernel kernel = session.kernel(program, "k");
    set_args(kernel, out);
    session.enqueue(kernel, {{1}, {}});
  }
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 1000);
}

// Events that kernels keep keep nothing once no kernel can use them.
TEST_F(DeviceQueues, EventsThatNobodyReleases) {
  std::atomic<bool> is_gone = false;
  {
    const Session own(device);
    const auto note = [](cl_context, void* gone) { static_cast<std::atomic<bool>*>(gone)->store(true); };
    check(clSetContextDestructorCallback(own.context(), note, &is_gone), "clSetContextDestructorCallback");
    cl_int error = CL_SUCCESS;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, kDefault, 0};
    const Queue on_device(clCreateCommandQueueWithProperties(own.context(), device, properties, &error));
    check(error, "clCreateCommandQueueWithProperties");
    const Program program = own.build(R"(
      kernel void k(global int* out) {
        clk_event_t user = create_user_event(), kept;
        retain_event(user);
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &user, &kept, ^{ atomic_inc(out); });
        set_user_event_status(user, CL_COMPLETE);
      })", k30);
    const Mem out = own.upload(std::vector<cl_int>(1));
    own.launch(own.kernel(program, "k"), {{100}, {}}, out);
    EXPECT_EQ(own.download<cl_int>(out, 1)[0], 100);
  }
  for (int i = 0; i < 1000 && !is_gone; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(is_gone);
}

TEST_F(DeviceQueues, ManyLaunchesAtOnce) {
  const Queue on_device = make({CL_QUEUE_PROPERTIES, kDefault, CL_QUEUE_SIZE, device_value<cl_uint>(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 0});
  const Program program = session.build(R"(
    void tree(global int* out, int depth) {
      atomic_inc(out);
      if (depth) enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ tree(out, depth - 1); });
    }
    kernel void k(global int* out) { tree(out, 5); })", k30);
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.upload(std::vector<cl_int>(1));
  set_args(kernel, out);
  std::vector<Queue> queues;
  for (int i = 0; i < 4; ++i) queues.push_back(session.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  const std::size_t one = 1;
  for (int i = 0; i < 20; ++i)
    check(clEnqueueNDRangeKernel(queues[i % 4], kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), "clEnqueueNDRangeKernel");
  for (const Queue& each : queues) check(clFinish(each), "clFinish");
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], 20 * (1 + 4 + 16 + 64 + 256 + 1024));
}

}  // namespace
}  // namespace weft::conformance
