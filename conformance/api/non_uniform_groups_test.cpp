// Launches whose last groups are smaller than the others (OpenCL 3.0 API §5.10, OpenCL C 3.0 §6.15.1).
#include <algorithm>
#include <map>
#include <numeric>

#include "api/ragged.h"
#include "api/sub_group_sizes.h"

namespace weft::conformance {
namespace {

constexpr const char* kIds = R"(
uint place(void) {
  const size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
               z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + x;
}
kernel void ids(global ulong* out) {
  global ulong* o = out + place() * 24;
  for (uint d = 0; d < 3; ++d) {
    o[d] = get_global_id(d);
    o[3 + d] = get_local_id(d);
    o[6 + d] = get_group_id(d);
    o[9 + d] = get_local_size(d);
    o[12 + d] = get_enqueued_local_size(d);
    o[15 + d] = get_num_groups(d);
    o[18 + d] = get_global_offset(d);
  }
  o[21] = get_global_linear_id();
  o[22] = get_local_linear_id();
  o[23] = get_enqueued_local_size(3);
})";

class NonUniformGroups : public ApiTest {
 protected:
  void SetUp() override {
    if (!device_value<cl_bool>(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)) GTEST_SKIP() << "groups are uniform";
  }

  cl_int launch_error(cl_program program, const Range& range) {
    const Mem out = session.buffer(24 * 8 * 200);
    return error_of([&] { session.launch(session.kernel(program, "ids"), range, out); });
  }
};

TEST_F(NonUniformGroups, WorkItemFunctions) {
  const Program program = session.build(kIds, "-cl-std=CL3.0");
  check_ids(session, program, /*of_dimension_3=*/!testing_pocl());
}

// Barriers, local memory, sub-groups and collectives are those of the smaller group.
TEST_F(NonUniformGroups, GroupsOfTheirOwn) {
  const Program program = session.build(std::string(kIds) + R"(
kernel void sums(global uint* out, local uint* values) {
  const uint n = get_local_size(0) * get_local_size(1) * get_local_size(2), lane = get_local_linear_id();
  values[lane] = place();
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint i = 0; i < n; ++i) sum += values[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  values[n - 1 - lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[place()] = values[lane];
})",
                                        "-cl-std=CL3.0");
  const Kernel kernel = session.kernel(program, "sums");
  for (const Range& range : kRaggedRanges) {
    const Sizes global = sizes(range.global, 1), local = sizes(range.local, 1);
    std::map<Sizes, cl_uint> sums;
    for_each(range, [&](const Item& item, std::size_t at) { sums[item.group] += static_cast<cl_uint>(at); });
    const Mem out = session.buffer(product(global) * 4);
    session.launch(kernel, range, out, LocalBytes{product(local) * 4});
    const auto got = session.download<cl_uint>(out, product(global));
    for_each(range, [&](const Item& item, std::size_t at) { ASSERT_EQ(got[at], sums[item.group]) << at; });
  }
}

TEST_F(NonUniformGroups, SubGroupsAndCollectives) {
  cl_uint most = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, nullptr) != CL_SUCCESS || most == 0)
    GTEST_SKIP() << "the device has no sub-groups";
  for (const std::size_t required : required_sub_group_sizes(device)) {
    const Program program = session.build(requiring(required) + kIds + R"(
kernel void sub_groups(global uint* out) {
  global uint* o = out + place() * 6;
  o[0] = get_num_sub_groups();
  o[1] = get_enqueued_num_sub_groups();
  o[2] = get_sub_group_size();
  o[3] = sub_group_reduce_add(1u);
  o[4] = work_group_reduce_add(1u);
  o[5] = work_group_scan_exclusive_add(1u);
})",
                                          "-cl-std=CL3.0");
    const Kernel kernel = session.kernel(program, "sub_groups");
    const std::size_t lanes = required ? required : 32;
    for (const Range& range : kRaggedRanges) {
      const Sizes global = sizes(range.global, 1), local = sizes(range.local, 1);
      const Mem out = session.buffer(product(global) * 24);
      session.launch(kernel, range, out);
      const auto got = session.download<cl_uint>(out, product(global) * 6);
      for_each(range, [&](const Item& item, std::size_t at) {
        const cl_uint* o = &got[at * 6];
        const std::size_t items = product(item.local_size);
        ASSERT_EQ(o[4], items) << at;
        ASSERT_EQ(o[5], item.local_linear()) << at;
        ASSERT_EQ(o[2], o[3]) << at;
        if (!testing_weft()) return;  // of 32, or as required
        ASSERT_EQ(o[0], (items + lanes - 1) / lanes) << at;
        ASSERT_EQ(o[1], (product(local) + lanes - 1) / lanes) << at;
        ASSERT_EQ(o[2], std::min(lanes, items - item.local_linear() / lanes * lanes)) << at;
      });
    }
  }
}

// A histogram, of which workers may have copies, is one whatever parts the launch has.
TEST_F(NonUniformGroups, Atomics) {
  const Program program = session.build(
      "kernel void count(global uint* bins, global const uint* in) { atomic_inc(bins + in[get_global_id(1) * get_global_size(0) + "
      "get_global_id(0)] % 16); }",
      "-cl-std=CL3.0");
  const std::size_t width = 1003, height = 501;
  std::vector<cl_uint> in(width * height);
  std::iota(in.begin(), in.end(), 0u);
  const Mem bins = session.upload(std::vector<cl_uint>(16)), from = session.upload(in);
  session.launch(session.kernel(program, "count"), {{width, height}, {16, 16}}, bins, from);
  const auto got = session.download<cl_uint>(bins, 16);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], (width * height + 15 - i) / 16) << i;
}

TEST_F(NonUniformGroups, RequiredSize) {
  const Program program = session.build(
      "kernel __attribute__((reqd_work_group_size(16, 2, 1))) void k(global uint* a) {"
      " a[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1); }",
      "-cl-std=CL3.0");
  const Mem out = session.buffer(40 * 5 * 4);
  session.launch(session.kernel(program, "k"), {{40, 5}, {16, 2}}, out);
  const auto got = session.download<cl_uint>(out, 200);
  EXPECT_EQ(got[0], 162u);
  EXPECT_EQ(got[39], 82u);
  EXPECT_EQ(got[160], 161u);
  EXPECT_EQ(got[199], 81u);
  EXPECT_EQ(error_of([&] { session.launch(session.kernel(program, "k"), {{40, 5}, {8, 2}}, out); }), CL_INVALID_WORK_GROUP_SIZE);
}

// Programs of OpenCL C before 2.0, those that say so, and those linked with either have groups of one size.
TEST_F(NonUniformGroups, WhereGroupsAreUniform) {
  const Range ragged{{100}, {64}}, even{{128}, {64}};
  const std::string old_ids = "kernel void ids(global ulong* out) { out[get_global_id(0)] = 1; }";
  EXPECT_EQ(launch_error(session.build(old_ids), ragged), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(launch_error(session.build(old_ids), even), CL_SUCCESS);
  const Program uniform = session.build(kIds, "-cl-std=CL3.0 -cl-uniform-work-group-size");
  EXPECT_EQ(launch_error(uniform, ragged), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(launch_error(uniform, even), CL_SUCCESS);
  EXPECT_EQ(launch_error(session.build(kIds, "-cl-std=CL3.0"), ragged), CL_SUCCESS);
}

TEST_F(NonUniformGroups, LinkedWithUniform) {
  NOT_ON_POCL("takes the options of one object");
  const auto compiled = [&](const std::string& source, const char* options) {
    Program program = session.create_program(source);
    check(clCompileProgram(program, 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr), "clCompileProgram");
    return program;
  };
  const std::string caller = "uint one(void);\nkernel void ids(global ulong* out) { out[get_global_id(0)] = one(); }";
  for (const auto& [options, expected] : {std::pair{"-cl-std=CL1.2", CL_INVALID_WORK_GROUP_SIZE},
                                          {"-cl-std=CL3.0 -cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE},
                                          {"-cl-std=CL3.0", CL_SUCCESS}}) {
    const Program a = compiled(caller, "-cl-std=CL3.0"), b = compiled("uint one(void) { return 1; }", options);
    const cl_program both[] = {a, b};
    cl_int error = CL_SUCCESS;
    const Program linked(clLinkProgram(context, 1, &device, "", 2, both, nullptr, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS) << options;
    EXPECT_EQ(launch_error(linked, {{100}, {64}}), expected) << options;
  }
}

// More sizes than have code of their own.
TEST_F(NonUniformGroups, ManySizes) {
  const Program program = session.build(
      "kernel void k(global uint* a) { a[get_global_id(0)] = get_group_id(0) * 1000 + get_local_size(0); }", "-cl-std=CL3.0");
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.buffer(200 * 4);
  for (std::size_t local = 3; local < 60; ++local) {
    session.launch(kernel, {{200}, {local}}, out);
    const auto got = session.download<cl_uint>(out, 200);
    for (std::size_t i = 0; i < 200; ++i)
      ASSERT_EQ(got[i], i / local * 1000 + std::min(local, 200 - i / local * local)) << i << " of groups of " << local;
  }
}

}  // namespace
}  // namespace weft::conformance
