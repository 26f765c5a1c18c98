// Synchronization within a warp (OpenCL Programming Guide for the CUDA Architecture §3.4).
#include "guides/guide.h"

namespace weft::conformance {
namespace {

class Warp : public GuideTest {
 protected:
  Program program = build("warp.cl");
  static std::vector<cl_int> values(std::size_t count) {
    std::vector<cl_int> v(count);
    for (std::size_t i = 0; i < count; ++i) v[i] = cl_int(3 * i + 5);
    return v;
  }
  /// What the guide expects: result[i] = 2 * values[i] for i > 0.
  static void expect_result(const std::vector<cl_int>& result, const std::vector<cl_int>& in,
                            std::size_t count) {
    EXPECT_EQ(result[0], in[0] * in[0]);
    for (std::size_t i = 1; i < count; ++i) ASSERT_EQ(result[i], 2 * in[i]) << i << " of " << count;
  }
};

TEST_F(Warp, WithBarriers) {
  const Kernel kernel = session.kernel(program, "neighbours_with_barriers");
  for (std::size_t local = 1; local <= 512; local += full() ? 1 : 73) {
    const auto in = values(local + 1);
    const Mem v = session.upload(in);
    const Mem result = session.buffer(local * 4);
    session.launch(kernel, {{local}, {local}, {}}, result, v);
    expect_result(session.download<cl_int>(result, local), in, local);
    if (HasFatalFailure()) return;
  }
}

TEST_F(Warp, WithoutBarriers) {
  if (!testing_weft()) GTEST_SKIP() << "Weft only: only its warps run in lockstep";
  const Kernel global = session.kernel(program, "neighbours_in_a_warp");
  const Kernel local_memory = session.kernel(program, "neighbours_in_local_memory");
  for (std::size_t local = 1; local <= 512; local += full() ? 1 : 73) {
    const std::size_t live = std::min<std::size_t>(local, 32);
    const auto in = values(local + 1);
    const Mem v = session.upload(in);
    const Mem result = session.upload(std::vector<cl_int>(local, 0));
    session.launch(local_memory, {{local}, {local}, {}}, result, v, cl_int{32}, LocalBytes{(local + 1) * 4});
    expect_result(session.download<cl_int>(result, local), in, live);
    session.launch(global, {{local}, {local}, {}}, result, v, cl_int{32});
    expect_result(session.download<cl_int>(result, local), in, live);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weft::conformance
