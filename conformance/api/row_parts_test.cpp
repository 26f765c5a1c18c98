// Pictures whose elements are numbered one behind the other, so that a warp has parts of several rows
// (compiler/simt/widen/memory/two_rows.cpp).
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr std::array<std::array<cl_int, 2>, 9> kSizes{
    {{56, 11}, {32, 9}, {33, 10}, {28, 28}, {14, 14}, {9, 30}, {7, 13}, {200, 3}, {1, 70}}};

class RowParts : public ApiTest {
 protected:
  static std::vector<float> numbers(int count) {
    std::vector<float> result;
    for (int i = 0; i < count; ++i) result.push_back(static_cast<float>((i * 37 + 11) % 256 - 100));
    return result;
  }
  static std::size_t rounded(int count, std::size_t to) { return (static_cast<std::size_t>(count) + to - 1) / to * to; }
};

// Windows of which each tap is left out where it lies outside, a step apart, for pointers that go on from channel to channel.
TEST_F(RowParts, Windows) {
  const Program program = session.build(R"(
kernel void windows(global const float* in, global const float* weights, global float* out, int width, int height, int columns, int rows, int step,
                    int channels, int planes) {
  const int id = get_global_id(0);
  const int size = columns * rows;
  const int plane = id / size, place = id % size;
  if (plane >= planes) return;
  const int y0 = place / columns * step - 1, x0 = place % columns * step - 1;
  global const float* from = in + (y0 * width + x0);
  global const float* weight = weights + plane * channels * 9;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x)
        if (y0 + y >= 0 && y0 + y < height && x0 + x >= 0 && x0 + x < width) sum += from[x] * weight[x];
      from += width;
      weight += 3;
    }
    from += (height - 3) * width;
  }
  out[id] = sum;
}
kernel void halves(global const float* in, global const float* weights, global float* out, int width, int height, int columns, int rows, int step,
                   int channels, int planes) {
  const int id = get_global_id(0);
  const int size = columns * rows;
  const int plane = id / size, place = id % size;
  if (plane >= planes) return;
  const int y0 = place / columns * 2 - 1, x0 = place % columns * 2 - 1;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        if (y0 + y >= 0 && y0 + y < height && x0 + x >= 0 && x0 + x < width) sum += in[(c * height + y0 + y) * width + x0 + x] * weights[(plane * channels + c) * 9 + y * 3 + x];
  out[id] = sum;
}
)");
  constexpr int kPlanes = 3, kChannels = 2;
  for (const std::string name : {"windows", "halves"})
    for (const std::array<cl_int, 2>& size : kSizes)
      for (const cl_int step : name == "halves" ? std::vector<cl_int>{2} : std::vector<cl_int>{1, 2, 3})
        for (const std::size_t local : {64, 256}) {
          SCOPED_TRACE(name + " " + std::to_string(size[0]) + " x " + std::to_string(size[1]) + " by " + std::to_string(step) + " in " +
                       std::to_string(local));
          const cl_int width = size[0], height = size[1], columns = (width + step - 1) / step, rows = (height + step - 1) / step,
                       count = kPlanes * columns * rows;
          const std::vector<float> in = numbers(kChannels * width * height), weights = numbers(kPlanes * kChannels * 9);
          std::vector<float> expected(rounded(count, local), -1.0f);
          for (int id = 0; id < count; ++id) {
            const int plane = id / (columns * rows), y0 = id % (columns * rows) / columns * step - 1, x0 = id % columns * step - 1;
            float sum = 0.0f;
            for (int c = 0; c < kChannels; ++c)
              for (int y = 0; y < 3; ++y)
                for (int x = 0; x < 3; ++x)
                  if (y0 + y >= 0 && y0 + y < height && x0 + x >= 0 && x0 + x < width)
                    sum += in[static_cast<std::size_t>((c * height + y0 + y) * width + x0 + x)] *
                           weights[static_cast<std::size_t>((plane * kChannels + c) * 9 + y * 3 + x)];
            expected[static_cast<std::size_t>(id)] = sum;
          }
          const Kernel kernel = session.kernel(program, name.c_str());
          const Mem from = session.upload(in), by = session.upload(weights),
                    out = session.upload(std::vector<float>(expected.size(), -1.0f));
          session.launch(kernel, {{expected.size()}, {local}}, from, by, out, width, height, columns, rows, step, kChannels, kPlanes);
          ASSERT_EQ(session.download<float>(out, expected.size()), expected);
        }
}

// Windows whose bounds are cut off in front of their loops (compiler/simt/masks/clamped_windows.h).
TEST_F(RowParts, ClampedWindows) {
  const Program program = session.build(R"(
#define WINDOW(before, behind)                                                                                                  \
  const int top = max(row - before, 0), left = max(column - before, 0), bottom = min(row + behind, height), right = min(column + behind, width); \
  float sum = 0.0f, most = -FLT_MAX;                                                                                            \
  int last = -1;                                                                                                                \
  for (int y = top; y < bottom; ++y)                                                                                            \
    for (int x = left; x < right; ++x) {                                                                                        \
      const float v = in[(plane * height + y) * width + x];                                                                     \
      sum = sum / 2 + v;                                                                                                        \
      if (v > most) {                                                                                                           \
        most = v;                                                                                                               \
        last = y * width + x;                                                                                                   \
      }                                                                                                                         \
    }                                                                                                                           \
  out[id] = sum;                                                                                                                \
  places[id] = last;
kernel void numbered(global const float* in, global float* out, global int* places, int width, int height, int columns, int rows, int count) {
  const int id = get_global_id(0);
  if (id >= count) return;
  const int column = id % columns * 2, row = id / columns % rows * 2, plane = id / columns / rows;
  WINDOW(1, 2)
}
kernel void far(global const float* in, global float* out, global int* places, int width, int height, int columns, int rows, int count) {
  const int id = get_global_id(0);
  if (id >= count) return;
  const int column = id % columns * 2, row = id / columns % rows * 2, plane = id / columns / rows;
  WINDOW(-3, 8)
}
kernel void in_two(global const float* in, global float* out, global int* places, int width, int height, int columns, int rows, int count) {
  const int column = get_global_id(0) * 2, row = get_global_id(1) * 2, plane = get_global_id(2);
  const int id = (plane * rows + row / 2) * columns + column / 2;
  if (column >= columns * 2 || row >= rows * 2) return;
  WINDOW(1, 2)
}
)");
  constexpr int kPlanes = 3;
  for (const std::string name : {"numbered", "far", "in_two"})
    for (const std::array<cl_int, 2>& size : kSizes) {
      SCOPED_TRACE(name + " " + std::to_string(size[0]) + " x " + std::to_string(size[1]));
      const cl_int width = size[0], height = size[1], columns = (width + 1) / 2, rows = (height + 1) / 2, count = kPlanes * columns * rows;
      const int before = name == "far" ? -3 : 1, behind = name == "far" ? 8 : 2;
      const std::vector<float> in = numbers(kPlanes * width * height);
      std::vector<float> sums;
      std::vector<cl_int> lasts;
      for (int id = 0; id < count; ++id) {
        const int plane = id / columns / rows, row = id / columns % rows * 2, column = id % columns * 2;
        float sum = 0.0f, most = -std::numeric_limits<float>::max();
        int last = -1;
        for (int y = std::max(row - before, 0); y < std::min(row + behind, height); ++y)
          for (int x = std::max(column - before, 0); x < std::min(column + behind, width); ++x) {
            const float v = in[static_cast<std::size_t>((plane * height + y) * width + x)];
            sum = sum / 2 + v;
            if (v > most) {
              most = v;
              last = y * width + x;
            }
          }
        sums.push_back(sum);
        lasts.push_back(last);
      }
      const Kernel kernel = session.kernel(program, name.c_str());
      const Mem from = session.upload(in), out = session.upload(std::vector<float>(sums.size(), -1.0f)),
                places = session.upload(std::vector<cl_int>(lasts.size(), -7));
      if (name == "in_two")
        session.launch(kernel, {{rounded(columns, 16), rounded(rows, 4), kPlanes}, {16, 4, 1}}, from, out, places, width, height, columns,
                       rows, count);
      else
        session.launch(kernel, {{rounded(count, 128)}, {128}}, from, out, places, width, height, columns, rows, count);
      ASSERT_EQ(session.download<float>(out, sums.size()), sums);
      ASSERT_EQ(session.download<cl_int>(places, lasts.size()), lasts);
    }
}

// Rows that are copied to where they lie further apart, and back, of elements of 4 and 8 bytes, with indices of 32 and 64 bits.
TEST_F(RowParts, Copies) {
  const std::string text = R"(
kernel void spread(global const TYPE* in, global TYPE* out, int count, INDEX width, INDEX pitch, INDEX before) {
  const INDEX id = get_global_id(0);
  if (id < count) out[id / width * pitch + id % width + before] = in[id];
}
kernel void pack(global const TYPE* in, global TYPE* out, int count, INDEX width, INDEX pitch, INDEX before) {
  const INDEX id = get_global_id(0);
  if (id < count) out[id] = in[id / width * pitch + id % width + before];
}
)";
  const auto check = [&]<typename T>(T, const std::string& type, const std::string& index) {
    const Program program = session.build(text, "-DTYPE=" + type + " -DINDEX=" + index);
    for (const std::array<cl_int, 2>& size : kSizes)
      for (const cl_int more : {0, 1, 7}) {
        SCOPED_TRACE(type + " " + index + " " + std::to_string(size[0]) + " x " + std::to_string(size[1]) + " and " + std::to_string(more));
        const cl_int width = size[0], count = size[0] * size[1], pitch = width + more, before = 3;
        const std::size_t all = rounded(count, 64), far = static_cast<std::size_t>(pitch * size[1] + before);
        std::vector<T> packed(all, T(-1)), spread(far, T(-2));
        for (int i = 0; i < count; ++i) {
          packed[static_cast<std::size_t>(i)] = static_cast<T>(i * 3 + 1);
          spread[static_cast<std::size_t>(i / width * pitch + i % width + before)] = static_cast<T>(i * 3 + 1);
        }
        const auto launch = [&](const char* name, const Mem& from, const Mem& to) {
          const Kernel kernel = session.kernel(program, name);
          if (index == "int")
            session.launch(kernel, {{all}, {64}}, from, to, count, width, pitch, before);
          else
            session.launch(kernel, {{all}, {64}}, from, to, count, cl_long(width), cl_long(pitch), cl_long(before));
        };
        const Mem in = session.upload(packed), apart = session.upload(std::vector<T>(far, T(-2))),
                  back = session.upload(std::vector<T>(all, T(-1)));
        launch("spread", in, apart);
        ASSERT_EQ(session.download<T>(apart, far), spread);
        launch("pack", apart, back);
        ASSERT_EQ(session.download<T>(back, all), packed);
      }
  };
  check(cl_int(0), "int", "int");
  check(cl_int(0), "int", "long");
  check(cl_long(0), "long", "int");
  check(cl_long(0), "long", "long");
  check(cl_short(0), "short", "int");
}

}  // namespace
}  // namespace weft::conformance
