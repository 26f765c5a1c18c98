// Queues on the device (OpenCL 3.0 API §5.1, OpenCL C 3.0 §6.15.17): kernels that enqueue kernels, and what the host sees of them.
#include <algorithm>
#include <cstring>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr char k20[] = "-cl-std=CL2.0";
constexpr char k30[] = "-cl-std=CL3.0";
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

  /// What `source`'s kernel `k` leaves in `count` integers, its first argument, all 0 before.
  template <typename... Args>
  std::vector<cl_int> run(const std::string& source, std::size_t count, const Range& range, const std::string& options, const Args&... args) {
    const Program program = session.build(source, options);
    const Mem out = session.upload(std::vector<cl_int>(count));
    session.launch(session.kernel(program, "k"), range, out, args...);
    return session.download<cl_int>(out, count);
  }
};

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

}  // namespace
}  // namespace weft::conformance
