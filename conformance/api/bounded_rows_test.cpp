// Rows that are read beyond their ends, where a bound gives the first element or the last one again: elements of all sizes, rows shorter than a
// warp, bounds inside of a row, and indices that wrap around. And marches inside of a border, in groups that have some of it or nothing.
#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class BoundedRows : public ApiTest {
 protected:
  /// `channels` elements T a pixel, whose type in OpenCL C is `type`.
  template <typename T>
  void expect(const std::string& type, std::size_t channels = 1) {
    const Program program = session.build("kernel void k(global const " + type + "* in, global " + type +
                                          "* out, int w, int h, int low, int high) { const int x = get_global_id(0), y = get_global_id(1); " + type +
                                          " s = 0; for (int dy = -1; dy <= 1; ++dy) for (int dx = -3; dx <= 3; ++dx)"
                                          " s = s * (" + type + ")(3) + in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, low, high)]; out[y * w + x] = s; }");
    const Kernel kernel = session.kernel(program, "k");
    for (const int width : {32, 64, 160, 256})
      for (const auto& [low, high] : {std::pair{0, width - 1}, {0, 2}, {5, 20}, {width - 9, width - 1}, {0, 0}}) {
        const int height = 16;
        std::vector<T> in(std::size_t(width * height) * channels);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = T(i * 2654435761u >> 7);
        const Mem from = session.upload(in), to = session.upload(std::vector<T>(in.size()));
        for (const std::size_t rows : {8, 1}) {
          session.launch(kernel, {{std::size_t(width), std::size_t(height)}, {32, rows}}, from, to, cl_int(width), cl_int(height), cl_int(low), cl_int(high));
          const std::vector<T> got = session.download<T>(to, in.size());
          for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
              for (std::size_t c = 0; c < channels; ++c) {
                T want = 0;
                for (int dy = -1; dy <= 1; ++dy)
                  for (int dx = -3; dx <= 3; ++dx)
                    want = T(want * 3 + in[std::size_t(std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, low, high)) * channels + c]);
                ASSERT_EQ(got[std::size_t(y * width + x) * channels + c], want)
                    << type << ' ' << x << ' ' << y << " of " << width << ", from " << low << " to " << high << ", rows " << rows;
              }
        }
      }
  }
};

TEST_F(BoundedRows, OfBytes) { expect<cl_uchar>("uchar"); }
TEST_F(BoundedRows, Of16Bits) { expect<cl_ushort>("ushort"); }
TEST_F(BoundedRows, OfWords) { expect<cl_uint>("uint"); }
TEST_F(BoundedRows, Of64Bits) { expect<cl_ulong>("ulong"); }
TEST_F(BoundedRows, OfFourBytes) { expect<cl_uchar>("uchar4", 4); }
TEST_F(BoundedRows, OfTwo16Bits) { expect<cl_ushort>("ushort2", 2); }

// An index of 8 bits wraps around behind its bound, one of 32 bits in front of it.
TEST_F(BoundedRows, IndicesThatWrapAround) {
  const Program program = session.build(
      "kernel void behind(global const uint* in, global uint* out, uint from, uint most) { const uint x = get_global_id(0);"
      " out[x] = in[(uchar)(from + min(x + 2u, most))]; }"
      "kernel void before(global const uint* in, global uint* out, uint from, uint most) { const uint x = get_global_id(0);"
      " out[x] = in[min(x + from, most)]; }");
  std::vector<cl_uint> in(256);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_uint(i * i + 1);
  const Mem from = session.upload(in), to = session.upload(std::vector<cl_uint>(128));
  for (const char* name : {"behind", "before"}) {
    const Kernel kernel = session.kernel(program, name);
    for (const cl_uint first : {0u, 200u, 243u, 255u, ~0u - 40, ~0u - 15, ~0u - 64})
      for (const cl_uint most : {0u, 1u, 30u, 100u, 200u, 255u}) {
        session.launch(kernel, {{128}, {64}}, from, to, first, most);
        const auto got = session.download<cl_uint>(to, 128);
        for (cl_uint x = 0; x < 128; ++x) {
          const cl_uint index = name[2] == 'h' ? cl_uchar(first + std::min(x + 2, most)) : std::min(x + first, most);
          ASSERT_EQ(got[x], in[index]) << name << ' ' << x << " from " << first << " most " << most;
        }
      }
  }
}

TEST_F(BoundedRows, MarchesInsideOfABorder) {
  for (const char* guard : {"if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return;", "if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;",
                            "if (x != 0 && y != 0 && x != w - 1 && y != h - 1)"}) {
    const Program program = session.build(std::string("kernel void k(global const int* in, global int* out, int w, int h, int n) {"
                                                      " const int x = get_global_id(0), y = get_global_id(1); ") +
                                          guard + " { int s = 0; for (int z = 0; z < n; ++z) { const int at = (z * h + y) * w + x;"
                                                  " s += in[at - 1] + 3 * in[at + 1] + 5 * in[at - w] + 7 * in[at + w]; out[at] = s; } } }");
    const Kernel kernel = session.kernel(program, "k");
    const int width = 96, height = 32, depth = 5;
    std::vector<cl_int> in(std::size_t(width * height * depth));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = cl_int(i * 40503u & 1023);
    for (const auto& local : {std::vector<std::size_t>{32, 8}, {16, 16}, {96, 1}, {8, 4}, {48, 4}}) {
      const Mem from = session.upload(in), to = session.upload(std::vector<cl_int>(in.size()));
      session.launch(kernel, {{std::size_t(width), std::size_t(height)}, local}, from, to, cl_int(width), cl_int(height), cl_int(depth));
      const auto got = session.download<cl_int>(to, in.size());
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          cl_int sum = 0;
          const bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
          for (int z = 0; z < depth; ++z) {
            const auto at = std::size_t((z * height + y) * width + x);
            const auto pitch = std::size_t(width);
            if (inside) sum += in[at - 1] + 3 * in[at + 1] + 5 * in[at - pitch] + 7 * in[at + pitch];
            ASSERT_EQ(got[at], sum) << guard << ' ' << x << ' ' << y << ' ' << z << ", groups of " << local[0] << " x " << local[1];
          }
        }
    }
  }
}

}  // namespace
}  // namespace weft::conformance
