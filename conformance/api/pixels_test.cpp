// Pixels that work-items write channel by channel: of bytes and of 16 bits, in rows of several widths, under bounds and conditions, at indices
// that wrap around, and in place.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr std::size_t kWidth = 192, kHeight = 32, kMost = 4 * kWidth * kHeight + 64;

class Pixels : public ApiTest {
 protected:
  struct Shape {
    std::size_t x, y;
  };
  static constexpr Shape kLocals[] = {{64, 4}, {32, 8}, {16, 16}, {8, 8}, {64, 1}, {3, 1}, {1, 1}};

  /// `statements` write pixel (x, y) from `a` to `o`, which is `channels` T wide; `expected` does the same on the host.
  template <typename T, typename Expected>
  void check(const std::string& type, int channels, const std::string& statements, Expected expected, bool in_place = false) {
    const Program program = session.build("#define T " + type + R"(
kernel void k(global const T* a, global T* o, int width, int height, int step, int first, uint far) {
  const int x = get_global_id(0), y = get_global_id(1);
  )" + statements + "}");
    const Kernel kernel = session.kernel(program, "k");
    std::vector<T> from(kMost);
    std::uint32_t state = 7;
    for (T& value : from) value = static_cast<T>((state = state * 1664525u + 1013904223u) >> 13);
    for (const Shape& local : kLocals)
      for (const std::size_t width : {kWidth, kWidth - 5}) {
        const Mem a = session.upload(from);
        const Mem other = session.upload(std::vector<T>(kMost, T{9}));
        const Mem& o = in_place ? a : other;
        const int step = static_cast<int>(kWidth) * channels;
        session.launch(kernel, {{kWidth, kHeight}, {local.x, local.y}, {}}, a, o, static_cast<cl_int>(width), cl_int{kHeight - 1}, cl_int{step}, cl_int{5},
                       cl_uint{0x55555555});
        std::vector<T> want = in_place ? from : std::vector<T>(kMost, T{9});
        for (std::size_t y = 0; y + 1 < kHeight; ++y)
          for (std::size_t x = 0; x < width; ++x) expected(from, want, x, y, static_cast<std::size_t>(step));
        ASSERT_EQ(session.download<T>(o, kMost), want) << type << ' ' << channels << ": " << local.x << 'x' << local.y << ", width " << width;
      }
  }
};

constexpr const char* kBound = "if (x >= width || y >= height) return;";

template <int kChannels, typename T>
void add_up(const std::vector<T>& a, std::vector<T>& o, std::size_t x, std::size_t y, std::size_t step) {
  for (int c = 0; c < kChannels; ++c) o[y * step + kChannels * x + 5 + c] = static_cast<T>(a[y * kWidth + x] + c * 3);
}

TEST_F(Pixels, OfThreeBytes) {
  check<cl_uchar>("uchar", 3, std::string(kBound) + "const T v = a[y * 192 + x]; global T* p = o + mad24(y, step, mad24(x, 3, first)); p[0] = v; p[1] = v + 3; p[2] = v + 6;",
                  add_up<3, cl_uchar>);
}

template <typename T, int kElements>
void turn(const std::vector<T>& a, std::vector<T>& o, std::size_t x, std::size_t y, std::size_t step) {
  if (x < kWidth / kElements)
    for (int c = 0; c < kElements; ++c) o[y * step + kElements * x + c] = static_cast<T>(a[y * step + kElements * x + kElements - 1 - c] + c);
}

// Several pixels a work-item, of elements that are no power of two: all read before any is written.
TEST_F(Pixels, SeveralAtOnce) {
  const auto text = [](int elements) {
    const std::string count = std::to_string(elements);
    return "if (x >= 192 / " + count + " || y >= height) return; T v[" + count + "]; for (int c = 0; c < " + count + "; ++c) v[c] = a[y * step + " + count +
           " * x + c]; for (int c = 0; c < " + count + "; ++c) o[y * step + " + count + " * x + c] = v[" + count + " - 1 - c] + c;";
  };
  check<cl_uchar>("uchar", 1, text(6), turn<cl_uchar, 6>);
  check<cl_uchar>("uchar", 1, text(10), turn<cl_uchar, 10>);
  check<cl_uchar>("uchar", 1, text(12), turn<cl_uchar, 12>);
  check<cl_ushort>("ushort", 1, text(6), turn<cl_ushort, 6>);
  check<cl_uchar>("uchar", 1, text(6), turn<cl_uchar, 6>, true);
}

TEST_F(Pixels, OfTwoBytes) {
  check<cl_uchar>("uchar", 2, std::string(kBound) + "const T v = a[y * 192 + x]; o[y * step + 2 * x + first + 1] = v + 3; o[y * step + 2 * x + first] = v;",
                  add_up<2, cl_uchar>);
}

TEST_F(Pixels, OfFourBytes) {
  check<cl_uchar>("uchar", 4, std::string(kBound) + "const T v = a[y * 192 + x]; global T* p = o + y * step + 4 * x + first; p[2] = v + 6; p[0] = v; p[3] = v + 9; p[1] = v + 3;",
                  add_up<4, cl_uchar>);
}

TEST_F(Pixels, OfThreeShorts) {
  check<cl_short>("short", 3, std::string(kBound) + "const T v = a[y * 192 + x]; global T* p = o + y * step + 3 * x + first; p[0] = v; p[1] = v + 3; p[2] = v + 6;",
                  add_up<3, cl_short>);
}

TEST_F(Pixels, ByVstore) {
  check<cl_uchar>("uchar", 3, std::string(kBound) + "const T v = a[y * 192 + x]; vstore3((uchar3)(v, v + 3, v + 6), 0, o + mad24(y, step, mad24(x, 3, first)));",
                  add_up<3, cl_uchar>);
  check<cl_ushort>("ushort", 3, std::string(kBound) + "const T v = a[y * 192 + x]; vstore3((ushort3)(v, v + 3, v + 6), x, o + y * step + first);",
                   add_up<3, cl_ushort>);
}

TEST_F(Pixels, RowByRow) {
  check<cl_uchar>("uchar", 3, R"(
  if (x >= width || y % 4) return;
  int at = mad24(y, step, mad24(x, 3, first));
  for (int r = y; r < min(y + 4, height); ++r, at += step) { o[at] = a[r * 192 + x]; o[at + 1] = a[r * 192 + x] + 3; o[at + 2] = a[r * 192 + x] + 6; })",
                  add_up<3, cl_uchar>);
}

TEST_F(Pixels, UnderAConditionOfTheirOwn) {
  check<cl_uchar>("uchar", 3, std::string(kBound) + "const T v = a[y * 192 + x]; global T* p = o + y * step + 3 * x + first; if (v & 4) { p[0] = v; p[1] = v + 3; p[2] = v + 6; } else p[1] = 1;",
                  [](const auto& a, auto& o, std::size_t x, std::size_t y, std::size_t step) {
                    if (a[y * kWidth + x] & 4) add_up<3, cl_uchar>(a, o, x, y, step);
                    else o[y * step + 3 * x + 6] = 1;
                  });
}

// 0x55555555 * 3 is -1, which wraps around on the way.
TEST_F(Pixels, AtIndicesThatWrapAround) {
  check<cl_uchar>("uchar", 3, std::string(kBound) + "const T v = a[y * 192 + x]; const uint at = ((uint)x + far) * 3 + y * step + first + 1; o[at] = v; o[at + 1] = v + 3; o[at + 2] = v + 6;",
                  add_up<3, cl_uchar>);
}

// What a work-item reads has been written by itself, and lies where others write.
TEST_F(Pixels, InPlace) {
  check<cl_uchar>("uchar", 3, std::string(kBound) + "global T* p = o + y * step + 3 * x + first; global const T* q = a + y * step + 3 * x + first; p[0] = q[0] + 1; p[1] = q[0] + q[1]; p[2] = q[1] + q[2];",
                  [](const auto&, auto& o, std::size_t x, std::size_t y, std::size_t step) {
                    auto* p = &o[y * step + 3 * x + 5];
                    p[0] = static_cast<cl_uchar>(p[0] + 1);
                    p[1] = static_cast<cl_uchar>(p[0] + p[1]);
                    p[2] = static_cast<cl_uchar>(p[1] + p[2]);
                  }, true);
}

}  // namespace
}  // namespace weft::conformance
