// NDRange launches and the work-item functions (OpenCL 3.0 API §5.10, OpenCL C 3.0 §6.15.1).
#include <CL/cl_ext.h>

#include "api/version.h"

namespace weft::conformance {
namespace {

constexpr const char* kIds = R"(
kernel void ids(global uint* out) {
  size_t gx = get_global_id(0) - get_global_offset(0);
  size_t gy = get_global_id(1) - get_global_offset(1);
  size_t gz = get_global_id(2) - get_global_offset(2);
  size_t at = ((gz * get_global_size(1) + gy) * get_global_size(0) + gx) * 8;
  out[at + 0] = get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_global_id(2);
  out[at + 1] = get_local_id(0) + 1000 * get_local_id(1) + 1000000 * get_local_id(2);
  out[at + 2] = get_group_id(0) + 1000 * get_group_id(1) + 1000000 * get_group_id(2);
  out[at + 3] = get_local_size(0) + 1000 * get_local_size(1) + 1000000 * get_local_size(2);
  out[at + 4] = get_num_groups(0) + 1000 * get_num_groups(1) + 1000000 * get_num_groups(2);
  out[at + 5] = get_global_offset(0) + 1000 * get_global_offset(1) + 1000000 * get_global_offset(2);
  out[at + 6] = get_work_dim() + 100 * get_global_size(3) + 1000 * get_local_size(7);
  out[at + 7] = get_global_id(3) + get_local_id(4) + get_group_id(5) + 1000 * get_num_groups(3);
}
)";

class NdRange : public ApiTest {
 protected:
  Program program = session.build(kIds);
  Kernel ids = session.kernel(program, "ids");

  static cl_uint pack(const std::size_t* v) { return cl_uint(v[0] + 1000 * v[1] + 1000000 * v[2]); }

  void expect_right(const Range& range) {
    std::size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, offset[3] = {};
    const std::size_t dims = range.global.size();
    for (std::size_t d = 0; d < dims; ++d) {
      global[d] = range.global[d];
      if (!range.local.empty()) local[d] = range.local[d];
      if (!range.offset.empty()) offset[d] = range.offset[d];
    }
    const std::size_t items = global[0] * global[1] * global[2];
    const Mem out = session.upload(std::vector<cl_uint>(items * 8, 0xdeadbeef));
    session.launch(ids, range, out);
    const auto got = session.download<cl_uint>(out, items * 8);
    if (range.local.empty()) {
      const cl_uint chosen = got[3];
      local[0] = chosen % 1000;
      local[1] = chosen / 1000 % 1000;
      local[2] = chosen / 1000000;
    }
    const std::size_t groups[3] = {global[0] / local[0], global[1] / local[1], global[2] / local[2]};
    std::size_t at = 0;
    for (std::size_t z = 0; z < global[2]; ++z)
      for (std::size_t y = 0; y < global[1]; ++y)
        for (std::size_t x = 0; x < global[0]; ++x, at += 8) {
          const std::size_t g[3] = {x + offset[0], y + offset[1], z + offset[2]};
          const std::size_t l[3] = {x % local[0], y % local[1], z % local[2]};
          const std::size_t w[3] = {x / local[0], y / local[1], z / local[2]};
          ASSERT_EQ(got[at + 0], pack(g)) << x << ',' << y << ',' << z;
          ASSERT_EQ(got[at + 1], pack(l)) << x << ',' << y << ',' << z;
          ASSERT_EQ(got[at + 2], pack(w)) << x << ',' << y << ',' << z;
          ASSERT_EQ(got[at + 3], pack(local));
          ASSERT_EQ(got[at + 4], pack(groups));
          ASSERT_EQ(got[at + 5], pack(offset));
          // PoCL 3.1 answers work-item functions out of range wrongly.
          ASSERT_EQ(got[at + 6] % 100, dims);
          if (!testing_pocl()) {
            ASSERT_EQ(got[at + 6], dims + 100 + 1000);
            ASSERT_EQ(got[at + 7], 1000u);
          }
        }
  }
};

TEST_F(NdRange, OneDimension) {
  for (std::size_t local : {1, 2, 3, 5, 31, 32, 33, 63, 64, 100, 256, 511, 512}) {
    expect_right({{local * 3}, {local}});
  }
}

TEST_F(NdRange, TwoDimensions) {
  const std::size_t shapes[][2] = {{1, 1},  {16, 16}, {32, 8}, {8, 32}, {3, 7},
                                   {1, 40}, {40, 1},  {5, 5},  {64, 8}};
  for (const auto& s : shapes) expect_right({{s[0] * 3, s[1] * 2}, {s[0], s[1]}});
}

TEST_F(NdRange, ThreeDimensions) {
  const std::size_t shapes[][3] = {{4, 4, 4},  {8, 4, 2},  {1, 1, 9}, {3, 5, 7},
                                   {32, 2, 2}, {2, 32, 2}, {1, 33, 1}};
  for (const auto& s : shapes) expect_right({{s[0] * 2, s[1] * 3, s[2] * 2}, {s[0], s[1], s[2]}});
}

// Weft runs small groups side by side in one warp; nobody may notice.
TEST_F(NdRange, SmallGroups) {
  for (std::size_t local : {1, 2, 3, 4, 8, 13, 16, 31})
    for (std::size_t groups : {1, 2, 63, 64, 65, 256, 999}) expect_right({{local * groups}, {local}});
  const std::size_t shapes[][2] = {{1, 1}, {2, 2}, {4, 4}, {8, 3}, {1, 16}, {3, 5}};
  for (const auto& s : shapes)
    for (std::size_t groups : {3, 32, 65}) expect_right({{s[0] * groups, s[1] * 7}, {s[0], s[1]}, {5, 2}});
  expect_right({{2 * 37, 3 * 5, 2 * 4}, {2, 3, 2}, {1, 2, 3}});
}

// Groups of one work-item may wait for each other as those of a mutex do.
// cl_khr_suggested_local_work_size: divides the global size, is what a launch takes, and bad input changes nothing.
TEST_F(NdRange, SuggestedLocalSize) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "platform");
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
  if (!suggest) GTEST_SKIP() << "no cl_khr_suggested_local_work_size";
  if (has_opencl_3_1(device)) {
    EXPECT_NE(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSize"), nullptr);
  }
  const std::size_t global[3] = {96, 7, 2}, offset[3] = {5, 0, 1};
  std::size_t local[3] = {77, 77, 77};
  EXPECT_EQ(suggest(queue, ids, 3, offset, global, local), CL_INVALID_KERNEL_ARGS);
  const Mem out = session.buffer(96 * 7 * 2 * 8 * 4);
  set_args(ids, out);
  EXPECT_EQ(suggest(nullptr, ids, 3, offset, global, local), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(suggest(queue, nullptr, 3, offset, global, local), CL_INVALID_KERNEL);
  EXPECT_EQ(suggest(queue, ids, 4, offset, global, local), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(suggest(queue, ids, 3, offset, nullptr, local), CL_INVALID_GLOBAL_WORK_SIZE);
  EXPECT_EQ(suggest(queue, ids, 3, offset, global, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(local[0], 77u);
  ASSERT_EQ(suggest(queue, ids, 3, offset, global, local), CL_SUCCESS);
  for (unsigned d = 0; d < 3; ++d) EXPECT_EQ(global[d] % local[d], 0u);
  session.launch(ids, {{96, 7, 2}, {}, {5, 0, 1}}, out);
  EXPECT_EQ(session.download<cl_uint>(out, 8)[3], pack(local));
}

TEST_F(NdRange, SmallGroupsTakeALock) {
  const Program p = session.build(R"(
kernel void spin(global volatile int* lock, global volatile int* sum) {
  while (atomic_cmpxchg(lock, 0, 1) != 0) {}
  sum[0] += 1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_xchg(lock, 0);
}
kernel void attempt(global volatile int* lock, global volatile int* sum) {
  for (int done = 0; !done;) {
    if (atomic_xchg(lock, 1) == 0) {
      sum[0] += 1;
      mem_fence(CLK_GLOBAL_MEM_FENCE);
      atomic_xchg(lock, 0);
      done = 1;
    }
  }
})");
  for (const char* name : {"spin", "attempt"}) {
    const Mem lock = session.upload(std::vector<cl_int>{0});
    const Mem sum = session.upload(std::vector<cl_int>{0});
    session.launch(session.kernel(p, name), {{500}, {1}}, lock, sum);
    EXPECT_EQ(session.download<cl_int>(sum, 1)[0], 500) << name;
  }
}

TEST_F(NdRange, Offsets) {
  expect_right({{96}, {32}, {17}});
  expect_right({{48, 4}, {16, 2}, {3, 100}});
  expect_right({{8, 4, 6}, {4, 2, 3}, {1, 2, 3}});
}

TEST_F(NdRange, LocalSizeLeftOpen) {
  for (std::size_t global : {1, 7, 64, 97, 100, 640, 997}) expect_right({{global}});
  expect_right({{97, 3}});
  expect_right({{64, 64}});
  expect_right({{5, 7, 11}, {}, {2, 3, 4}});
}

TEST_F(NdRange, LargestGroup) {
  const auto largest = device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const std::size_t size = std::min<std::size_t>(largest, 999);
  expect_right({{size * 2}, {size}});
}

TEST_F(NdRange, LargeOffsetNeeds64Bits) {
  const Program p = session.build(
      "kernel void k(global ulong* out) { out[get_global_id(0) - get_global_offset(0)] = get_global_id(0); "
      "}");
  const Mem out = session.buffer(8 * 64);
  const std::size_t offset = (std::size_t{1} << 33) + 5;
  session.launch(session.kernel(p, "k"), {{64}, {32}, {offset}}, out);
  const auto got = session.download<cl_ulong>(out, 64);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(got[i], offset + i);
}

TEST_F(NdRange, LargeGlobalSize) {
  NOT_ON_POCL("ids of more than 32 bits take minutes");
  // Most groups do nothing: what counts is the id's width.
  const Program p = session.build(
      "kernel void k(global ulong* out, ulong last) { if (get_global_id(0) == last) out[0] = last; }");
  const Mem out = session.upload(std::vector<cl_ulong>{0});
  const std::size_t global = std::size_t{1} << 26;
  session.launch(session.kernel(p, "k"), {{global}, {1024}}, out, cl_ulong{global - 1});
  EXPECT_EQ(session.download<cl_ulong>(out, 1)[0], global - 1);
}

TEST_F(NdRange, RequiredSize) {
  const Program p = session.build(
      "kernel __attribute__((reqd_work_group_size(16, 2, 1))) void k(global uint* a) {"
      " a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + "
      "get_local_size(1); }");
  const Kernel kernel = session.kernel(p, "k");
  const Mem out = session.buffer(4 * 32 * 4);
  session.launch(kernel, {{32, 4}, {16, 2}}, out);
  EXPECT_EQ(session.download<cl_uint>(out, 128)[127], 162u);
  if (!testing_pocl()) {  // PoCL wants the local size repeated
    session.launch(kernel, {{32, 4}}, out);
    EXPECT_EQ(session.download<cl_uint>(out, 128)[0], 162u);
  }
  EXPECT_EQ(error_of([&] { session.launch(kernel, {{32, 4}, {8, 4}}, out); }), CL_INVALID_WORK_GROUP_SIZE);
}

TEST_F(NdRange, Errors) {
  const Mem out = session.buffer(4 * 8 * 100);
  set_args(ids, out);
  const std::size_t global[4] = {100, 1, 1, 1};
  const std::size_t three[3] = {3, 1, 1};
  const std::size_t zero[3] = {0, 1, 1};
  const auto launch = [&](cl_uint dims, const std::size_t* g, const std::size_t* l) {
    return clEnqueueNDRangeKernel(queue, ids, dims, nullptr, g, l, 0, nullptr, nullptr);
  };
  EXPECT_EQ(launch(0, global, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launch(4, global, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launch(1, global, three), CL_INVALID_WORK_GROUP_SIZE);
  if (!testing_pocl()) {
    EXPECT_EQ(launch(1, global, zero), CL_INVALID_WORK_GROUP_SIZE);
  }
  const std::size_t huge_global[1] = {1 << 20};
  const std::size_t huge[1] = {1 << 20};
  const cl_int error = launch(1, huge_global, huge);
  EXPECT_TRUE(error == CL_INVALID_WORK_GROUP_SIZE || error == CL_INVALID_WORK_ITEM_SIZE) << error;
}

}  // namespace
}  // namespace weft::conformance
