// Loops that go down the columns of a matrix, which all rows of a group read alike, in groups of any size. An implementation may read them together.
#include <algorithm>
#include <string>
#include <vector>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class LoopTiles : public ApiTest {};

/// c = a * b of h x k and k x w numbers; small whole ones, so that sums are the same in any order.
const char* const kSource = R"(
kernel void product(global const T* a, global const T* b, global T* c, const int k) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum;
}
kernel void by_pointers(global const T* a, global const T* b, global T* c, const int k) {
  const size_t x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  global const T* row = a + y * k;
  global const T* column = b + x;
  T sum = 0;
  for (int i = k; i > 0; --i, column += w) sum += *row++ * *column;
  c[y * w + x] = sum;
}
kernel void every_other(global const T* a, global const T* b, global T* c, const int k) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  T even = 0, odd = 0;
  for (int i = 0; i + 1 < k; i += 2) {
    even += a[y * k + i] * b[i * w + x];
    odd += a[y * k + i + 1] * b[(i + 1) * w + x];
  }
  c[y * w + x] = even + odd + (k & 1 ? a[y * k + k - 1] * b[(k - 1) * w + x] : 0);
}
kernel void placed(global const T* a, global const T* b, global T* c, const int k) {
  const int x = get_group_id(0) * get_local_size(0) + get_local_id(0), y = get_group_id(1) * get_local_size(1) + get_local_id(1);
  const int w = get_num_groups(0) * get_local_size(0);
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum;
}
kernel void in_turn(global const T* a, global const T* b, global T* c, const int k) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  T again = 0;
  for (int i = k - 1; i >= 0; --i) again += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum + again - sum;
}
kernel void half_of_them(global const T* a, global const T* b, global T* c, const int k) {
  const int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  T sum = 0;
  if (y % 2 == 0)
    for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  else
    for (int i = 0; i < k; ++i) sum -= a[y * k + i] * b[i * w + x];
  c[y * w + x] = y % 2 ? -sum : sum;
}
kernel void bounded(global const T* a, global const T* b, global T* c, const int k, const int w, const int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= w - 3 || y + 1 > h - 5) return;
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum;
}
kernel void within(global const T* a, global const T* b, global T* c, const int k, const int w, const int h) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  if (x < w - 3 && y < h - 5) {
    T sum = 0;
    for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}
kernel void one_by_one(global const T* a, global const T* b, global T* c, const int k, const int w, const int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (k < 2 && k != 1 && k != 0) return;
  if (x >= w - 3) return;
  c[y * w + x] = y < h - 5 ? 1 : 77;
  if (y >= h - 5) return;
  T sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum;
}
)";

TEST_F(LoopTiles, Products) {
  struct Shape {
    std::size_t width, height;
    std::vector<std::size_t> local;
  };
  const std::vector<Shape> shapes = {{256, 128, {16, 16}}, {256, 128, {32, 8}}, {128, 128, {32, 32}}, {256, 128, {}},
                                     {128, 64, {16, 64}},  {96, 40, {8, 8}},    {256, 128, {64, 1}},  {256, 128, {1, 32}}};
  const auto check = [&]<typename Number>(Number, const char* type) {
    const Program program = session.build("#define T " + std::string(type) + "\n" + kSource);
    for (const Shape& shape : shapes)
      for (const int k : {0, 1, 33, 128, 300}) {
        SCOPED_TRACE(std::string(type) + " " + std::to_string(shape.width) + " wide, of " + std::to_string(k) + ", in groups of " +
                     (shape.local.empty() ? "any size" : std::to_string(shape.local[0])));
        const std::size_t w = shape.width, h = shape.height, depth = static_cast<std::size_t>(k);
        std::vector<Number> a(h * depth + 1), b(w * depth + 1), expected(w * h);
        std::uint32_t state = 5;
        const auto next = [&] { return static_cast<Number>((state = state * 1664525u + 1013904223u) >> 29); };
        std::ranges::generate(a, next);
        std::ranges::generate(b, next);
        for (std::size_t y = 0; y < h; ++y)
          for (std::size_t i = 0; i < depth; ++i)
            for (std::size_t x = 0; x < w; ++x) expected[y * w + x] += a[y * depth + i] * b[i * w + x];
        const Mem left = session.upload(a), right = session.upload(b);
        for (const char* name : {"product", "by_pointers", "every_other", "placed", "in_turn", "half_of_them"}) {
          SCOPED_TRACE(name);
          const Mem out = session.upload(std::vector<Number>(w * h, Number(77)));
          session.launch(session.kernel(program, name), {{w, h}, shape.local}, left, right, out, k);
          ASSERT_EQ(session.download<Number>(out, w * h), expected);
        }
        for (std::size_t y = 0; y < h; ++y)
          for (std::size_t x = 0; x < w; ++x)
            if (x >= w - 3 || y >= h - 5) expected[y * w + x] = Number(77);
        for (const char* name : {"bounded", "within", "one_by_one"}) {
          SCOPED_TRACE(name);
          const Mem out = session.upload(std::vector<Number>(w * h, Number(77)));
          session.launch(session.kernel(program, name), {{w, h}, shape.local}, left, right, out, k, static_cast<int>(w), static_cast<int>(h));
          ASSERT_EQ(session.download<Number>(out, w * h), expected);
        }
      }
  };
  check(cl_float{}, "float");
  check(cl_uchar{}, "uchar");
}

}  // namespace
}  // namespace weft::conformance
