// -cl-denorms-are-zero (OpenCL 3.0 API §5.8.6.3): a permission, which is nobody's but its program's.
#include <bit>
#include <limits>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr char kSource[] = R"(
kernel void k(global float* f, global double* d, global half* h, float half_of_all, int turns) {
  size_t i = get_global_id(0);
  local int shared[64];
  shared[get_local_id(0)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  float x = f[i];
  for (int t = 0; t < turns; ++t) x *= half_of_all;
  f[i] = x;
  d[i] *= half_of_all;
  h[i] *= (half)half_of_all;
  if (shared[get_local_id(0)] != i) f[i] = -1;
})";

class Denormals : public ApiTest {
 protected:
  static constexpr std::size_t kItems = 1024;

  struct Results {
    std::vector<float> floats;
    std::vector<double> doubles;
    std::vector<cl_half> halves;
  };

  Results run(const Session& session, const Program& program, float f, double d) {
    const Mem floats = session.upload(std::vector<float>(kItems, f));
    const Mem doubles = session.upload(std::vector<double>(kItems, d));
    const Mem halves = session.upload(std::vector<cl_half>(kItems, 0x0102));  // denormal, and so is its half
    session.launch(session.kernel(program, "k"), {{kItems}, {64}}, floats, doubles, halves, 0.5f, cl_int{1});
    return {session.download<float>(floats, kItems), session.download<double>(doubles, kItems), session.download<cl_half>(halves, kItems)};
  }

  void SetUp() override {
    if (!has_extension("cl_khr_fp16") || !has_extension("cl_khr_fp64")) GTEST_SKIP() << "no half or no double";
    source = std::string("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n") + kSource;
  }

  const float least = std::numeric_limits<float>::min();
  const double least_double = std::numeric_limits<double>::min();
  std::string source;
};

TEST_F(Denormals, AreKeptElse) {
  const Results got = run(session, session.build(source), least, least_double);
  for (std::size_t i = 0; i < kItems; ++i) {
    ASSERT_EQ(got.floats[i], least / 2);
    ASSERT_EQ(got.doubles[i], least_double / 2);
    ASSERT_EQ(got.halves[i], 0x0081);
  }
}

TEST_F(Denormals, AreZeroWhereAskedFor) {
  WEFT_ONLY("flushes where it may");
  const Program program = session.build(source, "-cl-denorms-are-zero");
  const Results got = run(session, program, least, least_double);
  const Results normal = run(session, program, 4 * least, 4 * least_double);
  const Results large = run(session, program, 3.0f, -5.0);
  for (std::size_t i = 0; i < kItems; ++i) {
    ASSERT_EQ(got.floats[i], 0);
    ASSERT_EQ(got.doubles[i], 0);
    ASSERT_EQ(got.halves[i], 0x0081);  // of float and double alone
    ASSERT_EQ(normal.floats[i], 2 * least);
    ASSERT_EQ(large.floats[i], 1.5f);
    ASSERT_EQ(large.doubles[i], -2.5);
  }
}

// Programs with it and without on the same workers, and on the thread that waits.
TEST_F(Denormals, OtherProgramsKeepTheirs) {
  const Program kept = session.build(source), flushed = session.build(source, "-cl-denorms-are-zero");
  const Kernel of_kept = session.kernel(kept, "k"), of_flushed = session.kernel(flushed, "k");
  for (int round = 0; round < 20; ++round) {
    const Mem floats = session.upload(std::vector<float>(kItems, least)), others = session.upload(std::vector<float>(kItems, least));
    const Mem doubles = session.upload(std::vector<double>(kItems, least_double)), halves = session.upload(std::vector<cl_half>(kItems, 1));
    session.launch(of_flushed, {{kItems}, {64}}, others, doubles, halves, 0.5f, cl_int{1});
    session.launch(of_kept, {{kItems}, {64}}, floats, doubles, halves, 0.5f, cl_int{1});
    session.launch(of_flushed, {{kItems}, {64}}, others, doubles, halves, 0.5f, cl_int{1});
    const auto got = session.download<float>(floats, kItems);
    for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(got[i], least / 2) << round;
    volatile float here = least;
    here = here * 0.5f;
    ASSERT_EQ(here, least / 2);
    ASSERT_NE(std::bit_cast<std::uint32_t>(static_cast<float>(here)), 0u);
  }
}

}  // namespace
}  // namespace weft::conformance
