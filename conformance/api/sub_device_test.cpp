// Sub-devices, and contexts of several devices (OpenCL 3.0 API §4.3, §4.4).
#include <algorithm>
#include <memory>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Property = cl_device_partition_property;

struct ReleaseDevice {
  void operator()(cl_device_id device) const { clReleaseDevice(device); }
};
using SubDevice = std::unique_ptr<std::remove_pointer_t<cl_device_id>, ReleaseDevice>;

std::vector<SubDevice> cut(cl_device_id device, std::vector<Property> how) {
  cl_uint count = 0;
  check(clCreateSubDevices(device, how.data(), 0, nullptr, &count), "clCreateSubDevices");
  std::vector<cl_device_id> raw(count);
  check(clCreateSubDevices(device, how.data(), count, raw.data(), nullptr), "clCreateSubDevices");
  return {raw.begin(), raw.end()};
}

template <typename T>
std::vector<T> device_values(cl_device_id device, cl_device_info name) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device, name, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::vector<T> values(bytes / sizeof(T));
  check(clGetDeviceInfo(device, name, bytes, values.data(), nullptr), "clGetDeviceInfo");
  return values;
}

bool has_kind(cl_device_id device, Property kind) {
  const auto kinds = device_values<Property>(device, CL_DEVICE_PARTITION_PROPERTIES);
  return std::ranges::find(kinds, kind) != kinds.end();
}

class SubDevices : public ApiTest {
 protected:
  void SetUp() override {
    if (units < 2 || !has_kind(device, CL_DEVICE_PARTITION_EQUALLY)) GTEST_SKIP() << "not to be cut";
  }
  const cl_uint units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
};

/// A kernel on a queue of each device, on one buffer of a context of all of them.
void run_on_all(const std::vector<cl_device_id>& devices) {
  cl_int error = CL_SUCCESS;
  const Context context(clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(), nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const char* source = "kernel void k(global int* a, int b) { a[get_global_id(0)] += b; }";
  const Program program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  std::vector<cl_int> values(4096, 1);
  const Mem buffer(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4 * values.size(), values.data(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const Kernel kernel(clCreateKernel(program, "k", &error));
  set_arg(kernel, 0, buffer);
  std::vector<Queue> queues;
  Event last;
  cl_int sum = 1;
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
      if (round == 0) queues.emplace_back(clCreateCommandQueueWithProperties(context, devices[i], nullptr, &error));
      set_arg(kernel, 1, static_cast<cl_int>(i + 1));
      sum += static_cast<cl_int>(i + 1);
      const std::size_t global = values.size();
      const cl_event wait = last;
      cl_event next = nullptr;
      ASSERT_EQ(clEnqueueNDRangeKernel(queues[i], kernel, 1, nullptr, &global, nullptr, wait ? 1 : 0, wait ? &wait : nullptr, &next),
                CL_SUCCESS);
      last = Event(next);
    }
  }
  const cl_event wait = last;
  ASSERT_EQ(clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, 4 * values.size(), values.data(), 1, &wait, nullptr), CL_SUCCESS);
  EXPECT_EQ(values, std::vector<cl_int>(values.size(), sum));
}

std::vector<cl_device_id> handles(const std::vector<SubDevice>& devices) {
  std::vector<cl_device_id> raw;
  for (const SubDevice& each : devices) raw.push_back(each.get());
  return raw;
}

TEST_F(SubDevices, Equally) {
  const auto parts = cut(device, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  ASSERT_EQ(parts.size(), units);
  for (const SubDevice& part : parts) {
    EXPECT_EQ(device_value<cl_uint>(part.get(), CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
    EXPECT_EQ(device_value<cl_device_id>(part.get(), CL_DEVICE_PARENT_DEVICE), device);
    EXPECT_EQ(device_value<cl_uint>(part.get(), CL_DEVICE_REFERENCE_COUNT), 1u);
    EXPECT_EQ(device_values<Property>(part.get(), CL_DEVICE_PARTITION_TYPE), (std::vector<Property>{CL_DEVICE_PARTITION_EQUALLY, 1, 0}));
    EXPECT_EQ(device_string(part.get(), CL_DEVICE_NAME), device_string(device, CL_DEVICE_NAME));
  }
  run_on_all(handles(parts));
}

TEST_F(SubDevices, ByCountsBesideTheRoot) {
  if (!has_kind(device, CL_DEVICE_PARTITION_BY_COUNTS)) GTEST_SKIP();
  const Property rest = static_cast<Property>(units) - 1;
  const auto parts = cut(device, {CL_DEVICE_PARTITION_BY_COUNTS, 1, rest, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(device_value<cl_uint>(parts[1].get(), CL_DEVICE_MAX_COMPUTE_UNITS), static_cast<cl_uint>(rest));
  auto all = handles(parts);
  all.push_back(device);
  run_on_all(all);
}

TEST_F(SubDevices, ByAffinity) {
  const auto domains = device_value<cl_device_affinity_domain>(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
  if (domains == 0) GTEST_SKIP() << "the processors share all";
  for (unsigned bit = 0; bit < 6; ++bit) {
    const auto domain = cl_device_affinity_domain{1} << bit;
    if (!(domains & domain)) continue;
    const auto parts = cut(device, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<Property>(domain), 0});
    cl_uint sum = 0;
    for (const SubDevice& part : parts) {
      sum += device_value<cl_uint>(part.get(), CL_DEVICE_MAX_COMPUTE_UNITS);
      const auto type = device_values<Property>(part.get(), CL_DEVICE_PARTITION_TYPE);
      ASSERT_EQ(type.size(), 3u);
      EXPECT_TRUE(static_cast<cl_device_affinity_domain>(type[1]) & domains);
      if (domain != CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE) EXPECT_EQ(type[1], static_cast<Property>(domain));
    }
    EXPECT_EQ(sum, units);
    run_on_all(handles(parts));
  }
}

// The parts of a part are devices as well.
TEST_F(SubDevices, Nested) {
  const auto first = cut(device, {CL_DEVICE_PARTITION_BY_COUNTS, static_cast<Property>(units), CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  ASSERT_EQ(first.size(), 1u);
  auto second = cut(first[0].get(), {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  ASSERT_EQ(second.size(), units);
  EXPECT_EQ(device_value<cl_device_id>(second[0].get(), CL_DEVICE_PARENT_DEVICE), first[0].get());
  EXPECT_EQ(device_values<Property>(second[0].get(), CL_DEVICE_PARTITION_PROPERTIES), std::vector<Property>{0});
  run_on_all(handles(second));
}

TEST_F(SubDevices, CountReferences) {
  auto parts = cut(device, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  ASSERT_EQ(clRetainDevice(parts[0].get()), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_uint>(parts[0].get(), CL_DEVICE_REFERENCE_COUNT), 2u);
  ASSERT_EQ(clReleaseDevice(parts[0].get()), CL_SUCCESS);
  EXPECT_EQ(device_value<cl_uint>(parts[0].get(), CL_DEVICE_REFERENCE_COUNT), 1u);
}

// A context keeps its devices, as handles too: programs ask it for them.
TEST_F(SubDevices, ReleasedInUse) {
  NOT_ON_POCL("crashes");
  for (int round = 0; round < 100; ++round) {
    auto parts = cut(device, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
    Session own(parts[0].get());
    parts.clear();
    EXPECT_EQ(answer(own, 4), 5);
  }
}

TEST_F(SubDevices, RunAtOnce) {
  const auto parts = cut(device, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  std::vector<std::thread> threads;
  for (const SubDevice& part : parts) {
    threads.emplace_back([&part] {
      const Session own(part.get());
      const Program program = own.build("kernel void k(global int* a) { for (int i = 0; i < 1000; ++i) a[get_global_id(0)] += i & 1; }");
      const Mem out = own.upload(std::vector<cl_int>(4096));
      for (int i = 0; i < 50; ++i) own.launch(own.kernel(program, "k"), {{4096}, {64}, {}}, out);
      EXPECT_EQ(own.download<cl_int>(out, 4096), std::vector<cl_int>(4096, 50 * 500));
    });
  }
  for (std::thread& each : threads) each.join();
}

TEST_F(SubDevices, Errors) {
  cl_device_id out[2] = {};
  cl_uint count = 0;
  const auto error = [&](std::vector<Property> how, cl_uint room = 2) {
    return clCreateSubDevices(device, how.data(), room, out, &count);
  };
  EXPECT_EQ(clCreateSubDevices(nullptr, nullptr, 0, nullptr, &count), CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateSubDevices(device, nullptr, 2, out, &count), CL_INVALID_VALUE);
  EXPECT_EQ(error({0}), CL_INVALID_VALUE);
  EXPECT_EQ(error({0x7777, 1, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(error({CL_DEVICE_PARTITION_EQUALLY, 1, 0}, 0), CL_INVALID_VALUE);
  const auto most = static_cast<Property>(units);
  EXPECT_EQ(error({CL_DEVICE_PARTITION_BY_COUNTS, most, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
  EXPECT_EQ(error({CL_DEVICE_PARTITION_BY_COUNTS, -1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
}

TEST_F(SubDevices, EquallyErrors) {
  NOT_ON_POCL("takes one sub-device of all units for a partition");
  cl_uint count = 0;
  const auto most = static_cast<Property>(units);
  const auto error = [&](std::vector<Property> how) { return clCreateSubDevices(device, how.data(), 0, nullptr, &count); };
  EXPECT_EQ(error({CL_DEVICE_PARTITION_EQUALLY, most, 0}), CL_DEVICE_PARTITION_FAILED);
  // Where the processors share all, there are no domains to part them by.
  if (!has_kind(device, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
    EXPECT_EQ(error({CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(error({CL_DEVICE_PARTITION_EQUALLY, most + 1, 0}), CL_INVALID_DEVICE_PARTITION_COUNT);
}

// What is of one device is refused for another.
TEST_F(SubDevices, OfOtherContexts) {
  NOT_ON_POCL("builds for devices that the context does not have");
  const auto parts = cut(device, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  const auto raw = handles(parts);
  cl_int error = CL_SUCCESS;
  const Context two(clCreateContext(nullptr, 2, raw.data(), nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_uint count = 0;
  check(clGetContextInfo(two, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, nullptr), "info");
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(clCreateCommandQueueWithProperties(two, device, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
  const char* source = "kernel void k(global int* a) { *a = 1; }";
  const Program program(clCreateProgramWithSource(two, 1, &source, nullptr, &error));
  EXPECT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_INVALID_DEVICE);
  ASSERT_EQ(clBuildProgram(program, 2, raw.data(), "", nullptr, nullptr), CL_SUCCESS);
  const Kernel kernel(clCreateKernel(program, "k", &error));
  std::size_t size = 0;
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, raw[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);

  std::size_t sizes[2] = {};
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr), CL_SUCCESS);
  std::vector<unsigned char> binaries[2] = {std::vector<unsigned char>(sizes[0]), std::vector<unsigned char>(sizes[1])};
  unsigned char* at[2] = {binaries[0].data(), binaries[1].data()};
  ASSERT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof at, at, nullptr), CL_SUCCESS);
  const unsigned char* second = binaries[1].data();
  const Program loaded(clCreateProgramWithBinary(two, 1, &raw[1], &sizes[1], &second, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  const Kernel of_second(clCreateKernel(loaded, "k", &error));
  const Mem buffer(clCreateBuffer(two, 0, 4, nullptr, &error));
  set_arg(of_second, 0, buffer);
  const Queue first_queue(clCreateCommandQueueWithProperties(two, raw[0], nullptr, &error));
  const Queue second_queue(clCreateCommandQueueWithProperties(two, raw[1], nullptr, &error));
  const std::size_t one = 1;
  const auto enqueue = [&](cl_command_queue on) {
    return clEnqueueNDRangeKernel(on, of_second, 1, nullptr, &one, &one, 0, nullptr, nullptr);
  };
  EXPECT_EQ(enqueue(first_queue), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(enqueue(second_queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(second_queue), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::conformance
