// Launches that write more than caches hold, which an implementation may write past them: commands behind them see every byte, and
// nothing beside it changes.
#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class LargeOutput : public ApiTest {
 protected:
  static constexpr std::size_t kCount = std::size_t{20} << 20;
  static constexpr const char* kSource = R"(
    kernel void copy(global const uint* in, global uint* out, ulong from) { out[from + get_global_id(0)] = in[get_global_id(0)] * 3 + 1; }
    kernel void both(global const uint* in, global uint* out, global uchar* bytes) {
      const size_t i = get_global_id(0);
      out[i] = ~in[i];
      bytes[i] = in[i];
    })";

  void SetUp() override {
    ApiTest::SetUp();
    program = session.build(kSource);
    for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<cl_uint>(i * 2654435761u);
    in = session.upload(values);
  }

  Program program;
  std::vector<cl_uint> values = std::vector<cl_uint>(kCount);
  Mem in;
};

TEST_F(LargeOutput, EveryLaunchOfMany) {
  constexpr std::size_t kEdge = 100;
  const Kernel kernel = session.kernel(program, "copy");
  for (const std::size_t from : {std::size_t{0}, std::size_t{16}, std::size_t{3}}) {
    const Mem out = session.upload(std::vector<cl_uint>(kCount + kEdge, 7));
    // Better code may come after some launches.
    for (int launch = 0; launch < 8; ++launch) {
      session.launch(kernel, {{kCount - 64 * launch}, {64}}, in, out, cl_ulong(from));
      const auto got = session.download<cl_uint>(out, kCount + kEdge);
      for (std::size_t i = 0; i < kCount + kEdge; ++i) {
        const bool is_written = i >= from && i < from + kCount;
        ASSERT_EQ(got[i], is_written ? values[i - from] * 3 + 1 : 7) << "number " << i << " from " << from << ", launch " << launch;
      }
    }
  }
}

TEST_F(LargeOutput, TwoBuffersAndAnEndWithinAGroup) {
  const Kernel kernel = session.kernel(program, "both");
  const Mem out = session.upload(std::vector<cl_uint>(kCount)), bytes = session.upload(std::vector<cl_uchar>(kCount));
  for (int launch = 0; launch < 7; ++launch) session.launch(kernel, {{kCount}, {256}}, in, out, bytes);
  const auto got = session.download<cl_uint>(out, kCount);
  const auto low = session.download<cl_uchar>(bytes, kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(got[i], ~values[i]) << i;
    ASSERT_EQ(low[i], static_cast<cl_uchar>(values[i])) << i;
  }
}

}  // namespace
}  // namespace weft::conformance
