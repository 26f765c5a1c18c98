// Work-items of rows one above the other, which read each other's neighbours: filters with bounds, under a bound of the range and without,
// of several types, on buffers and images, at offsets, in volumes. An implementation may run several rows at once.
#include <algorithm>

#include "api/images.h"

namespace weft::conformance {
namespace {

struct Shape {
  std::size_t width, height, depth;
  Range range;
};

std::vector<Shape> shapes() {
  return {
      {64, 16, 1, {{64, 16}, {32, 8}}},      {96, 24, 1, {{96, 24}, {32, 4}}},       {128, 6, 1, {{128, 6}, {64, 2}}},
      {128, 32, 1, {{128, 32}, {16, 16}}},   {80, 20, 1, {{96, 24}, {32, 8}}},       {64, 16, 1, {{32, 8}, {32, 8}, {32, 8}}},
      {64, 12, 1, {{64, 12}, {64, 4}}},      {64, 16, 3, {{64, 16, 3}, {32, 4, 1}}}, {64, 8, 4, {{64, 8, 4}, {32, 4, 2}}},
      {300, 37, 1, {{320, 40}, {32, 8}}},
  };
}

const char* const kSource = R"(
int at(int x, int y, int z, int w, int h) { return (z * h + y) * w + x; }
kernel void bounded(global const T* in, global T* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  S sum = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -1; i <= 1; ++i) sum = sum * (S)2 + C(in[at(clamp(x + i, 0, w - 1), clamp(y + j, 0, h - 1), z, w, h)]);
  if (x < w && y < h) out[at(x, y, z, w, h)] = D(sum);
}
kernel void guarded(global const T* in, global T* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  global const T* c = in + at(x, y, z, w, h);
  S sum = C(c[-w - 1]) + C(c[-w]) * (S)2 + C(c[-w + 1]) - C(c[w - 1]) - C(c[w]) * (S)2 - C(c[w + 1]);
  out[at(x, y, z, w, h)] = D(sum + C(c[-1]) * C(c[1]));
}
kernel void weighted(global const T* in, global T* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  S sum = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += (S)((2 - abs(i)) * (3 - abs(j)) + (i > 0)) * C(in[at(clamp(x + i, 0, w - 1), clamp(y + j, 0, h - 1), z, w, h)]);
  if (x < w && y < h) out[at(x, y, z, w, h)] = D(sum);
}
kernel void padded(global const T* in, global T* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x >= w || y >= h) return;
  S sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum = sum * (S)5 + C(in[(z * (h + 2) + y + j) * (w + 2) + x + i]);
  out[at(x, y, z, w, h)] = D(sum + (S)get_local_id(1));
}
)";

class SharedRows : public ApiTest {
 protected:
  /// Sums wrap around in `Number`; floats are of small whole numbers.
  template <typename Number>
  void check_all(const std::string& type, const std::string& wide) {
    const Program program = session.build("#define T " + type + "\n#define S " + wide + "\n#define C convert_" + wide + "\n#define D convert_" + type +
                                          "\n" + kSource);
    for (const Shape& shape : shapes()) {
      SCOPED_TRACE(type + " " + std::to_string(shape.width) + "x" + std::to_string(shape.height) + " by " + std::to_string(shape.range.local[0]));
      const auto w = static_cast<int>(shape.width), h = static_cast<int>(shape.height);
      std::vector<Number> in((shape.width + 2) * (shape.height + 2) * shape.depth);
      std::uint32_t state = 7;
      for (Number& value : in) value = static_cast<Number>((state = state * 1664525u + 1013904223u) >> 30);
      const Mem from = session.upload(in);
      const auto run = [&](const char* name, auto expected) {
        SCOPED_TRACE(name);
        const std::vector<Number> before(shape.width * shape.height * shape.depth, Number(77));
        const Mem to = session.upload(before);
        session.launch(session.kernel(program, name), shape.range, from, to, w, h);
        const auto got = session.download<Number>(to, before.size());
        for (int z = 0; z < static_cast<int>(shape.depth); ++z)
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
              const auto first = [&](std::size_t d) { return static_cast<int>(d < shape.range.offset.size() ? shape.range.offset[d] : 0); };
              const auto count = [&](std::size_t d) { return static_cast<int>(shape.range.global[d]); };
              const bool runs = x >= first(0) && x < first(0) + count(0) && y >= first(1) && y < first(1) + count(1);
              const Number want = runs ? static_cast<Number>(expected(x, y, z)) : Number(77);
              ASSERT_EQ(got[(static_cast<std::size_t>(z) * h + y) * w + x], want) << x << "," << y << "," << z;
            }
      };
      const auto c = [&](int x, int y, int z) { return static_cast<double>(in[(static_cast<std::size_t>(z) * h + y) * w + x]); };
      const auto wrapped = [](double value) { return static_cast<Number>(static_cast<std::int64_t>(value)); };
      run("bounded", [&](int x, int y, int z) {
        double sum = 0;
        for (int j = -2; j <= 2; ++j)
          for (int i = -1; i <= 1; ++i) sum = sum * 2 + c(std::clamp(x + i, 0, w - 1), std::clamp(y + j, 0, h - 1), z);
        return wrapped(sum);
      });
      run("guarded", [&](int x, int y, int z) {
        if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return Number(77);
        return wrapped(c(x - 1, y - 1, z) + 2 * c(x, y - 1, z) + c(x + 1, y - 1, z) - c(x - 1, y + 1, z) - 2 * c(x, y + 1, z) - c(x + 1, y + 1, z) +
                       c(x - 1, y, z) * c(x + 1, y, z));
      });
      run("weighted", [&](int x, int y, int z) {
        double sum = 0;
        for (int j = -2; j <= 2; ++j)
          for (int i = -1; i <= 1; ++i)
            sum += ((2 - std::abs(i)) * (3 - std::abs(j)) + (i > 0)) * c(std::clamp(x + i, 0, w - 1), std::clamp(y + j, 0, h - 1), z);
        return wrapped(sum);
      });
      run("padded", [&](int x, int y, int z) {
        double sum = 0;
        for (int j = 0; j < 3; ++j)
          for (int i = 0; i < 3; ++i)
            sum = sum * 5 + static_cast<double>(in[(static_cast<std::size_t>(z) * (h + 2) + y + j) * (w + 2) + x + i]);
        const int offset = static_cast<int>(shape.range.offset.empty() ? 0 : shape.range.offset[1]);
        return wrapped(sum + (y - offset) % static_cast<int>(shape.range.local[1]));
      });
    }
  }
};

TEST_F(SharedRows, OfInts) { check_all<cl_int>("int", "int"); }
TEST_F(SharedRows, OfBytes) { check_all<cl_uchar>("uchar", "uchar"); }
TEST_F(SharedRows, OfShorts) { check_all<cl_short>("short", "int"); }
TEST_F(SharedRows, OfLongs) { check_all<cl_long>("long", "long"); }
TEST_F(SharedRows, OfFloats) { check_all<cl_float>("float", "float"); }

class SharedRowsOfImages : public ImageApiTest {};

TEST_F(SharedRowsOfImages, Filter) {
  const Program program = session.build(R"(
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void filter(read_only image2d_t in, write_only image2d_t out) {
  const int2 p = (int2)(get_global_id(0), get_global_id(1));
  uint4 sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) sum = sum * 3 + read_imageui(in, edge, p + (int2)(x, y));
  write_imageui(out, p, sum & 255);
})");
  for (const cl_channel_order order : {CL_R, CL_RGBA}) {
    const std::size_t channels = order == CL_R ? 1 : 4;
    for (const auto& [w, h, range] : {std::tuple<int, int, Range>{64, 16, {{64, 16}, {32, 8}}}, {70, 19, {{96, 24}, {32, 8}}}, {256, 20, {{256, 20}, {64, 4}}}}) {
      SCOPED_TRACE(std::to_string(channels) + " channels, " + std::to_string(w));
      const ImageSpec spec = image_2d(w, h, {order, CL_UNSIGNED_INT8}, channels);
      std::vector<std::uint8_t> in(spec.bytes());
      std::uint32_t state = 3;
      for (std::uint8_t& value : in) value = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
      const Mem from = create(spec), to = create(spec);
      write(from, {0, 0, 0}, spec.size, in.data());
      session.launch(session.kernel(program, "filter"), range, from, to);
      const auto got = texels(to, spec);
      for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
          for (std::size_t c = 0; c < channels; ++c) {
            std::uint32_t sum = 0;
            for (int j = -1; j <= 1; ++j)
              for (int i = -1; i <= 1; ++i)
                sum = sum * 3 + in[(std::clamp(y + j, 0, h - 1) * std::size_t(w) + std::clamp(x + i, 0, w - 1)) * channels + c];
            ASSERT_EQ(got[(y * std::size_t(w) + x) * channels + c], sum & 255) << x << "," << y << " channel " << c;
          }
    }
  }
}

}  // namespace
}  // namespace weft::conformance
