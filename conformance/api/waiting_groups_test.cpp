// Groups that wait for each other, more than there are processors: OpenCL does not promise that they all get on, GPUs let as many as fit.
#include <algorithm>
#include <numeric>
#include <vector>

#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

constexpr char kReason[] = "others run as many groups at once as there are processors";

constexpr char kSource[] = R"(
// All groups meet: the last to come is what the others wait for.
kernel void meet(global int* arrived, global int* out, const int rounds) {
  const int groups = get_num_groups(0), g = get_group_id(0);
  if (get_local_id(0) != 0) return;
  for (int round = 1; round <= rounds; ++round) {
    const int found = out[(g + 1) % groups];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(arrived);
    while (atomic_add(arrived, 0) < (2 * round - 1) * groups) {
    }
    out[g] = found + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(arrived);
    while (atomic_add(arrived, 0) < 2 * round * groups) {
    }
  }
}
// Each group waits for the next one.
kernel void from_the_last(volatile global int* flags, global int* out) {
  const int g = get_group_id(0);
  if (get_local_id(0) == 0) {
    while (flags[g + 1] == 0) {
    }
    out[g] = out[g + 1] + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    flags[g] = 1;
  }
}
// One work-item looks for the group.
kernel void one_looks(volatile global int* flags, global int* out) {
  local int found;
  const int g = get_group_id(0);
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) found = atomic_or(flags + g + 1, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (found == 0);
  if (get_local_id(0) == 5) {
    out[g] = out[g + 1] + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    flags[g] = 1;
  }
}
// Each work-item waits for one of the next group.
kernel void lane_by_lane(volatile global int* flags) {
  const int i = get_global_id(0);
  while (flags[i + get_local_size(0)] == 0) {
  }
  flags[i] = flags[i + get_local_size(0)] + 1;
}
)";

class WaitingGroups : public ApiTest {};

TEST_F(WaitingGroups, Meet) {
  WEFT_ONLY(kReason);
  constexpr std::size_t kGroups = 50;
  const Program program = session.build(kSource);
  const Kernel kernel = session.kernel(program, "meet");
  // The second launch knows how long groups of the first took.
  for (const cl_int rounds : {1, 4, 4}) {
    const Mem arrived = session.upload(std::vector<cl_int>(1)), out = session.upload(std::vector<cl_int>(kGroups));
    session.launch(kernel, {{kGroups * 64}, {64}, {}}, arrived, out, rounds);
    EXPECT_EQ(session.download<cl_int>(out, kGroups), std::vector<cl_int>(kGroups, rounds));
    EXPECT_EQ(session.download<cl_int>(arrived, 1)[0], rounds * 2 * static_cast<cl_int>(kGroups));
  }
}

TEST_F(WaitingGroups, FromTheLast) {
  WEFT_ONLY(kReason);
  const Program program = session.build(kSource);
  for (const char* name : {"from_the_last", "one_looks"}) {
    const Kernel kernel = session.kernel(program, name);
    for (const std::size_t groups : {2u, 3u, 70u}) {
      std::vector<cl_int> flags(groups + 1), expected(groups + 1);
      flags.back() = 1;
      std::iota(expected.rbegin(), expected.rend(), 0);
      const Mem wait = session.upload(flags), out = session.upload(std::vector<cl_int>(groups + 1));
      session.launch(kernel, {{groups * 64}, {64}, {}}, wait, out);
      EXPECT_EQ(session.download<cl_int>(out, groups + 1), expected) << name;
    }
  }
}

TEST_F(WaitingGroups, EachWorkItem) {
  WEFT_ONLY(kReason);
  constexpr std::size_t kGroups = 12, kItems = 48;
  std::vector<cl_int> flags((kGroups + 1) * kItems), expected;
  std::fill(flags.end() - kItems, flags.end(), 1);
  for (std::size_t i = 0; i < flags.size(); ++i) expected.push_back(static_cast<cl_int>(kGroups + 1 - i / kItems));
  const Mem wait = session.upload(flags);
  session.run(kSource, "lane_by_lane", {{kGroups * kItems}, {kItems}, {}}, wait);
  EXPECT_EQ(session.download<cl_int>(wait, flags.size()), expected);
}

TEST_F(WaitingGroups, InTheChildOfAFork) {
  WEFT_ONLY(kReason);
  const Program program = session.build(kSource);
  const Kernel kernel = session.kernel(program, "meet");
  const auto works = [&] {
    constexpr std::size_t kGroups = 9;
    const Mem arrived = session.upload(std::vector<cl_int>(1)), out = session.upload(std::vector<cl_int>(kGroups));
    session.launch(kernel, {{kGroups * 32}, {32}, {}}, arrived, out, cl_int{2});
    return session.download<cl_int>(out, kGroups) == std::vector<cl_int>(kGroups, 2);
  };
  EXPECT_TRUE(works());
  EXPECT_EQ(in_processes(2, [&](int) { return works() && works(); }), 0);
  EXPECT_TRUE(works());
}

}  // namespace
}  // namespace weft::conformance
