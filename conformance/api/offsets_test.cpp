// Global offsets (OpenCL 3.0 API §5.10, clEnqueueNDRangeKernel) and the low bits of global ids, which they change, in whichever order launches
// come.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Offsets : public ApiTest {};

TEST_F(Offsets, LowBitsOfGlobalIds) {
  const Program program = session.build(R"(
kernel void low_bits(global const int* in, global int* out, int width) {
  const int x = get_global_id(0), y = get_global_id(1), i = x - (int)get_global_offset(0) + y * width;
  out[4 * i] = in[x >> 1] + 100 * in[(x & ~3) + 1];
  out[4 * i + 1] = x & 1 ? in[x] : -in[x];
  out[4 * i + 2] = x % 8 == 3 ? in[x / 8] : x & 15;
  out[4 * i + 3] = (x & 31) * 3 + (x & 64);
})");
  const Kernel kernel = session.kernel(program, "low_bits");
  std::vector<cl_int> in(2048);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<cl_int>(i * 7 % 1009);
  const Mem from = session.upload(in);
  const std::size_t locals[][2] = {{64, 1}, {16, 4}, {48, 2}, {33, 1}, {8, 1}, {1, 1}};
  for (const auto& local : locals)
    for (const std::size_t offset : {0, 32, 1, 64, 33, 0, 16}) {
      SCOPED_TRACE(std::to_string(local[0]) + " by " + std::to_string(local[1]) + " from " + std::to_string(offset));
      const std::size_t width = local[0] * 6, height = local[1] * 2;
      const Mem to = session.buffer(16 * width * height);
      session.launch(kernel, {{width, height}, {local[0], local[1]}, {offset, 0}}, from, to, static_cast<cl_int>(width));
      const auto out = session.download<cl_int>(to, 4 * width * height);
      for (std::size_t i = 0; i < width * height; ++i) {
        const std::size_t x = i % width + offset;
        ASSERT_EQ(out[4 * i], in[x >> 1] + 100 * in[(x & ~std::size_t{3}) + 1]) << x;
        ASSERT_EQ(out[4 * i + 1], x & 1 ? in[x] : -in[x]) << x;
        ASSERT_EQ(out[4 * i + 2], x % 8 == 3 ? in[x / 8] : cl_int(x & 15)) << x;
        ASSERT_EQ(out[4 * i + 3], cl_int((x & 31) * 3 + (x & 64))) << x;
      }
    }
}

}  // namespace
}  // namespace weft::conformance
