// cl_intel_required_subgroup_size: its queries, kernels of several sizes in a program, and sub-groups that work through local memory.
#include <algorithm>

#include "api/sub_group_sizes.h"

namespace weft::conformance {
namespace {

constexpr cl_kernel_work_group_info kSpillMemory = 0x4109;
constexpr cl_kernel_sub_group_info kCompileSubGroupSize = 0x410A;

class RequiredSubGroupSize : public ApiTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_intel_required_subgroup_size")) GTEST_SKIP() << "no cl_intel_required_subgroup_size";
    sizes = sub_group_sizes(device);
    ASSERT_FALSE(sizes.empty());
  }

  std::vector<std::size_t> sizes;
};

/// A kernel of each size, k8 say, of `arguments` and `body`.
std::string kernels(const std::vector<std::size_t>& sizes, const std::string& arguments, const std::string& body) {
  std::string source;
  for (const std::size_t size : sizes)
    source += "kernel __attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) void k" + std::to_string(size) + "(" + arguments +
              ") {\n" + body + "\n}\n";
  return source;
}

TEST_F(RequiredSubGroupSize, IsWhatKernelsOfAProgramGet) {
  // What kernels of all sizes call is no function of one.
  const Program program = session.build("uint4 place(void) { return (uint4)(get_max_sub_group_size(), get_sub_group_id(), get_sub_group_local_id(),\n"
                                        "                                   get_sub_group_size()); }\n" +
                                        kernels(sizes, "global uint4* o", "o[get_global_id(0)] = place();") + "kernel void any(global uint4* o) {}");
  const Kernel any = session.kernel(program, "any");
  std::size_t says = 77;
  ASSERT_EQ(clGetKernelSubGroupInfo(any, device, kCompileSubGroupSize, 0, nullptr, sizeof says, &says, nullptr), CL_SUCCESS);
  EXPECT_EQ(says, 0u);
  constexpr std::size_t kItems = 60;
  const Mem out = session.buffer(sizeof(cl_uint4) * kItems);
  for (const std::size_t size : sizes) {
    const Kernel kernel = session.kernel(program, "k" + std::to_string(size));
    ASSERT_EQ(clGetKernelSubGroupInfo(kernel, device, kCompileSubGroupSize, 0, nullptr, sizeof says, &says, nullptr), CL_SUCCESS);
    EXPECT_EQ(says, size);
    ASSERT_EQ(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof kItems, &kItems, sizeof says, &says, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(says, (kItems + size - 1) / size);
    cl_ulong spilled = 77;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, kSpillMemory, sizeof spilled, &spilled, nullptr), CL_SUCCESS);
    session.launch(kernel, {{kItems}, {kItems}}, out);
    const auto got = session.download<cl_uint4>(out, kItems);
    for (std::size_t i = 0; i < kItems; ++i) {
      EXPECT_EQ(got[i].s[0], size);
      EXPECT_EQ(got[i].s[1], i / size);
      EXPECT_EQ(got[i].s[2], i % size);
      EXPECT_EQ(got[i].s[3], std::min(size, kItems - i / size * size)) << i << " of " << size;
    }
  }
}

TEST_F(RequiredSubGroupSize, IsOneOfTheDevices) {
  for (const std::size_t size : {1, 3, 24, 48, 1024}) {
    if (std::ranges::find(sizes, size) != sizes.end()) continue;
    EXPECT_EQ(error_of([&] { session.build(kernels({size}, "global uint* o", "*o = 1;")); }), CL_BUILD_PROGRAM_FAILURE) << size;
  }
}

// As reductions of a group are written: sums of sub-groups go through local memory to the first, while the others have nothing to do, or end.
TEST_F(RequiredSubGroupSize, SumsOfSumsThroughLocalMemory) {
  const std::string body = R"(
  local uint sums[256];
  const uint x = in[get_global_id(0)], sum = sub_group_reduce_add(x), before = sub_group_scan_exclusive_add(x);
  if (get_sub_group_local_id() == 0) sums[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_id() == 0) {
    uint carried = 0;
    for (uint first = 0; first < get_num_sub_groups(); first += get_sub_group_size()) {
      const uint i = first + get_sub_group_local_id(), own = i < get_num_sub_groups() ? sums[i] : 0;
      const uint scanned = carried + sub_group_scan_inclusive_add(own);
      if (i < get_num_sub_groups()) sums[i] = scanned;
      carried = sub_group_broadcast(scanned, get_sub_group_size() - 1);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint front = get_sub_group_id() == 0 ? 0 : sums[get_sub_group_id() - 1];
  out[get_global_id(0)] = front + before;
  if (get_sub_group_id() % 2 == 1) return;
  out[get_global_id(0)] += sums[get_num_sub_groups() - 1];)";
  const Program program = session.build(kernels(sizes, "global const uint* in, global uint* out", body), "-cl-std=CL3.0");
  for (const std::size_t size : sizes)
    for (const std::size_t local : {1024, 500, 40, 16, 8, 7}) {
      const std::size_t count = 3 * local;
      std::vector<cl_uint> in(count);
      for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<cl_uint>(i * 2654435761u >> 20);
      const Mem from = session.upload(in), to = session.buffer(count * 4);
      session.launch(session.kernel(program, "k" + std::to_string(size)), {{count}, {local}}, from, to);
      const auto got = session.download<cl_uint>(to, count);
      for (std::size_t group = 0; group < count; group += local) {
        const cl_uint all = std::accumulate(in.begin() + static_cast<long>(group), in.begin() + static_cast<long>(group + local), 0u);
        cl_uint so_far = 0;
        for (std::size_t i = 0; i < local; ++i) {
          ASSERT_EQ(got[group + i], so_far + (i / size % 2 == 0 ? all : 0)) << "item " << i << " of " << local << ", sub-groups of " << size;
          so_far += in[group + i];
        }
      }
    }
}

// A queue in local memory for each sub-group, into which those put a value who have one, until no work-item has any: each sub-group goes
// round as often as it needs.
TEST_F(RequiredSubGroupSize, EachGoesRoundAsOftenAsItNeeds) {
  const std::string body = R"(
  local uint queue[1024];
  const uint first = get_local_id(0) - get_sub_group_local_id();
  uint left = in[get_global_id(0)], length = 0, rounds = 0;
  while (sub_group_any(left != 0)) {
    const uint4 has = sub_group_ballot(left != 0);
    if (left != 0) {
      queue[first + (length + sub_group_ballot_exclusive_scan(has)) % get_sub_group_size()] = left--;
    }
    length += sub_group_ballot_bit_count(has);
    ++rounds;
  }
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = rounds * 1000 + (get_sub_group_local_id() < length ? queue[get_local_id(0)] : 0);)";
  const Program program = session.build(kernels(sizes, "global const uint* in, global uint* out", body), "-cl-std=CL3.0");
  for (const std::size_t size : sizes)
    for (const std::size_t local : {64, 44, 16, 8, 3}) {
      const std::size_t count = 2 * local;
      std::vector<cl_uint> in(count);
      for (std::size_t i = 0; i < count; ++i) in[i] = i / 8 % 3 == 1 ? 0 : static_cast<cl_uint>(i * i % 11);
      const Mem from = session.upload(in), to = session.buffer(count * 4);
      session.launch(session.kernel(program, "k" + std::to_string(size)), {{count}, {local}}, from, to);
      const auto got = session.download<cl_uint>(to, count);
      for (std::size_t first = 0; first < count;) {
        const std::size_t items = std::min(size, local - first % local);
        std::vector<cl_uint> left(in.begin() + static_cast<long>(first), in.begin() + static_cast<long>(first + items)), queue(items);
        cl_uint rounds = 0;
        std::size_t length = 0;
        for (; std::ranges::any_of(left, [](cl_uint x) { return x != 0; }); ++rounds)
          for (cl_uint& x : left)
            if (x != 0) queue[length++ % items] = x--;
        for (std::size_t i = 0; i < items; ++i)
          ASSERT_EQ(got[first + i], rounds * 1000 + (i < length ? queue[i] : 0)) << "item " << first + i << ", sub-groups of " << size;
        first += items;
      }
    }
}

}  // namespace
}  // namespace weft::conformance
