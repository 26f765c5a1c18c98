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
    }
    kernel void transposed(global const uint* in, global uint* out, int width, int height) {
      out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
    }
    kernel void by_tiles(global const uint* in, global uint* out, int width, int height) {
      local uint tile[16][17];
      const int lx = get_local_id(0), ly = get_local_id(1), x = get_group_id(0) * 16, y = get_group_id(1) * 16;
      tile[ly][lx] = in[(y + ly) * width + x + lx];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[(x + ly) * height + y + lx] = tile[lx][ly];
    }
    kernel void mirrored(global const uint* in, global uint* out) {
      local uint t[512];
      const int l = get_local_id(0);
      const size_t first = get_group_id(0) * 512;
      t[2 * l] = in[first + 2 * l];
      t[2 * l + 1] = in[first + 2 * l + 1];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[first + 2 * l] = t[511 - 2 * l];
      out[first + 2 * l + 1] = t[510 - 2 * l];
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

/// Columns that begin with lines, and such that do not.
TEST_F(LargeOutput, ByColumns) {
  for (const char* name : {"transposed", "by_tiles"})
    for (const int height : {4096, 4080, 4104}) {
      const Kernel kernel = session.kernel(program, name);
      const std::size_t width = 5008, rows = static_cast<std::size_t>(height) / 16 * 16;
      const Mem out = session.upload(std::vector<cl_uint>(kCount, 7));
      for (int launch = 0; launch < 7; ++launch)
        session.launch(kernel, {{width, rows}, {16, 16}}, in, out, static_cast<cl_int>(width), static_cast<cl_int>(height));
      const auto got = session.download<cl_uint>(out, kCount);
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t x = i / static_cast<std::size_t>(height), y = i % static_cast<std::size_t>(height);
        ASSERT_EQ(got[i], x < width && y < rows ? values[y * width + x] : 7) << name << ", number " << i << ", columns of " << height;
      }
    }
}

TEST_F(LargeOutput, TwoOfAWorkItemBesideEachOther) {
  const Kernel kernel = session.kernel(program, "mirrored");
  const Mem out = session.upload(std::vector<cl_uint>(kCount));
  for (int launch = 0; launch < 7; ++launch) session.launch(kernel, {{kCount / 2}, {256}}, in, out);
  const auto got = session.download<cl_uint>(out, kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], values[i / 512 * 512 + 511 - i % 512]) << i;
}

}  // namespace
}  // namespace weft::conformance
