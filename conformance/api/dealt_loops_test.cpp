// What a group's work-items deal out among themselves (compiler/simt/item/dealt_loops.h): each element is done once, by the work-item whose
// turn it is, in groups of sizes that divide the elements and that do not, also where memory counts how often.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

/// L: the local size; N: elements of a group.
constexpr const char* kSource = R"(
kernel void along(global const int* in, global int* out, global int* times) {
  local int t[N];
  const int g = get_group_id(0);
  for (int i = get_local_id(0); i < N; i += L) t[i / 9 * 9 + 8 - i % 9] = in[g * N + i] * (i % 5 + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < N; i += get_local_size(0)) {
    out[g * N + i] = t[N - 1 - i];
    atomic_inc(times + i % 7);
  }
}
kernel void backwards(global const int* in, global int* out, global int* times) {
  const int g = get_group_id(0);
  for (int i = N - 1 - (int)get_local_id(0); i >= 0; i -= L) {
    if (in[g * N + i] & 1) continue;
    out[g * N + i] = in[g * N + i] / (i + 1);
    atomic_add(times + i % 3, i);
  }
}
)";

class DealtLoops : public ApiTest, public testing::WithParamInterface<std::pair<int, int>> {
 protected:
  static constexpr int kGroups = 5;
  std::size_t local = std::size_t(GetParam().first);
  int n = GetParam().second;

  /// `expected`: of element i of a group that has the elements from `own` on, and adds to `times`.
  void check(const char* name, void (*expected)(const cl_int* own, int n, int i, cl_int& out, cl_int* times)) {
    const Program program = session.build(kSource, "-DL=" + std::to_string(local) + " -DN=" + std::to_string(n));
    std::vector<cl_int> in(std::size_t(kGroups * n)), out(in.size(), -1), times(7, 0);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_int(i * 7919 % 10007);
    const Mem from = session.upload(in), to = session.upload(out), counts = session.upload(times);
    session.launch(session.kernel(program, name), {{kGroups * local}, {local}}, from, to, counts);
    for (int g = 0; g < kGroups; ++g)
      for (int i = 0; i < n; ++i) expected(in.data() + g * n, n, i, out[std::size_t(g * n + i)], times.data());
    EXPECT_EQ(session.download<cl_int>(to, out.size()), out);
    EXPECT_EQ(session.download<cl_int>(counts, times.size()), times);
  }
};

TEST_P(DealtLoops, EachElementOnce) {
  check("along", [](const cl_int* own, int n, int i, cl_int& out, cl_int* times) {
    const int place = n - 1 - i, from = place / 9 * 9 + 8 - place % 9;
    out = own[from] * (from % 5 + 1);
    ++times[i % 7];
  });
  check("backwards", [](const cl_int* own, int, int i, cl_int& out, cl_int* times) {
    if (own[i] & 1) return;
    out = own[i] / (i + 1);
    times[i % 3] += i;
  });
}

INSTANTIATE_TEST_SUITE_P(LocalSizesAndElements, DealtLoops,
                         testing::Values(std::pair(1, 9), std::pair(7, 36), std::pair(16, 81), std::pair(32, 36), std::pair(32, 126),
                                         std::pair(33, 99), std::pair(64, 63), std::pair(64, 324), std::pair(256, 324),
                                         std::pair(256, 2043)));

}  // namespace
}  // namespace weft::conformance
