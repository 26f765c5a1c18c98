// Clocks in kernels (cl_khr_kernel_clock).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class KernelClock : public ApiTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_kernel_clock")) GTEST_SKIP() << "no cl_khr_kernel_clock";
  }
};

TEST_F(KernelClock, Capabilities) {
  EXPECT_NE(device_value<cl_bitfield>(device, 0x1076), 0u);
  const Program program = session.build(R"(
#ifndef cl_khr_kernel_clock
#error macro
#endif
kernel void k(global int* bits) {
  bits[0] = 0
#ifdef __opencl_c_kernel_clock_scope_device
            | 1
#endif
#ifdef __opencl_c_kernel_clock_scope_work_group
            | 2
#endif
#ifdef __opencl_c_kernel_clock_scope_sub_group
            | 4
#endif
      ;
})");
  const Mem bits = session.buffer(4);
  session.launch(session.kernel(program, "k"), {{1}, {1}}, bits);
  EXPECT_EQ(static_cast<cl_bitfield>(session.download<cl_int>(bits, 1)[0]), device_value<cl_bitfield>(device, 0x1076));
}

// Every item's later samples are later, whether its control flow is its own or not, and what it does between is not left out.
TEST_F(KernelClock, GoesOn) {
  if (device_value<cl_bitfield>(device, 0x1076) != 7) GTEST_SKIP() << "not all scopes";
  constexpr std::size_t kItems = 512;
  const Program program = session.build(R"(
kernel void k(global ulong* times, global float* data, int turns) {
  size_t i = get_global_id(0);
  ulong first = clock_read_device();
  float x = data[i];
  for (int t = 0; t < turns; ++t) x = x * 1.5f + 1.0f;
  data[i] = x;
  ulong second = clock_read_work_group();
  ulong third = second;
  if (i % 3 == 0) third = clock_read_sub_group();
  uint2 fourth = clock_read_hilo_device();
  times[4 * i] = first;
  times[4 * i + 1] = second;
  times[4 * i + 2] = third;
  times[4 * i + 3] = (ulong)fourth.hi << 32 | fourth.lo;
})");
  const Mem times = session.buffer(kItems * 4 * 8), data = session.upload(std::vector<float>(kItems, 1));
  const auto shortest = [&](cl_int turns) {
    session.launch(session.kernel(program, "k"), {{kItems}, {64}}, times, data, turns);
    const auto got = session.download<cl_ulong>(times, kItems * 4);
    cl_ulong result = ~cl_ulong{0};
    for (std::size_t i = 0; i < kItems; ++i) {
      for (int each = 0; each < 3; ++each) {
        EXPECT_LE(got[4 * i + each], got[4 * i + each + 1]) << i;
      }
      EXPECT_LT(got[4 * i], got[4 * i + 3]) << i;
      result = std::min(result, got[4 * i + 1] - got[4 * i]);
    }
    return result;
  };
  shortest(10);
  EXPECT_LT(shortest(10), shortest(100'000));
}

}  // namespace
}  // namespace weft::conformance
