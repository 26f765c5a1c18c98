// Work-items that walk along a row of their own each, of every type and length, under a bound of the range or not. An implementation may
// read several elements of a row at once; it reads none that the program does not read.
#include <algorithm>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void walk(global const T* in, global T* out, int n, int items) {
  const int row = get_global_id(0);
  if (row >= items) return;
  T s = 0;
  for (int k = 0; k < n; ++k) s = s * (T)3 + in[row * n + k];
  out[row] = s;
}
// Each row begins where a table says, with a step of two rows; the sum has a part in the middle that only some items take.
kernel void listed(global const T* in, global const int* first, global T* out, int n) {
  const int item = get_global_id(0);
  global const T* row = in + first[item];
  T s = 0;
  for (int k = 0; k < n; ++k) {
    const T x = row[k];
    if ((item + k) % 3 == 0) s += row[n + k];
    s = s * (T)3 + x;
  }
  out[item] = s;
}
// A row that the work-item itself writes.
kernel void own(global const T* in, global T* out, global T* rows, int n) {
  const int item = get_global_id(0);
  global T* row = rows + item * (n + 1);
  row[0] = in[item];
  for (int k = 0; k < n; ++k) row[k + 1] = row[k] * (T)3 + in[item * n + k];
  out[item] = row[n];
}
)";

template <typename Number>
class WalkedRows : public ApiTest {
 protected:
  static constexpr std::size_t kItems = 100;

  /// Small whole numbers, of which floats lose nothing in a few steps.
  static std::vector<Number> numbers(std::size_t count) {
    std::vector<Number> values(count);
    std::uint32_t state = 1;
    for (Number& value : values) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<Number>(state >> 30);
    }
    return values;
  }
  static Number step(Number sum, Number x) { return static_cast<Number>(static_cast<Number>(sum * 3) + x); }

  /// For OpenCL's `type` of `parts` numbers.
  void check(const std::string& type, std::size_t parts) {
    const Program program = session.build(std::string("#define T ") + type + "\n" + kSource);
    for (const int n : {0, 1, 2, 3, 4, 5, 8, 9, 13}) {
      SCOPED_TRACE(type + ", rows of " + std::to_string(n));
      const auto in = numbers((kItems * std::max(n, 1) + 1) * parts);
      const Mem from = session.upload(in), rows = session.upload(numbers(kItems * (n + 1) * parts));
      const auto at = [&](std::size_t element, std::size_t part) { return in[element * parts + part]; };
      const auto expect = [&](const Mem& out, std::size_t items, auto value) {
        const auto got = session.download<Number>(out, kItems * parts);
        for (std::size_t i = 0; i < kItems * parts; ++i)
          ASSERT_EQ(got[i], i / parts < items ? value(i / parts, i % parts) : Number(77)) << "number " << i;
      };
      const auto fresh = [&] { return session.upload(std::vector<Number>(kItems * parts, Number(77))); };
      for (const std::size_t items : {kItems, kItems - 7}) {
        const Mem out = fresh();
        session.launch(session.kernel(program, "walk"), {{kItems}, {50}}, from, out, cl_int(n), cl_int(items));
        expect(out, items, [&](std::size_t item, std::size_t part) {
          Number s = 0;
          for (int k = 0; k < n; ++k) s = step(s, at(item * n + k, part));
          return s;
        });
      }
      std::vector<cl_int> first(kItems);
      for (std::size_t i = 0; i < kItems; ++i) first[i] = static_cast<cl_int>(i * 37 % (kItems - 1)) * n;
      const Mem out = fresh(), table = session.upload(first);
      session.launch(session.kernel(program, "listed"), {{kItems}, {50}}, from, table, out, cl_int(n));
      expect(out, kItems, [&](std::size_t item, std::size_t part) {
        Number s = 0;
        for (int k = 0; k < n; ++k) {
          if ((item + k) % 3 == 0) s = static_cast<Number>(s + at(first[item] + n + k, part));
          s = step(s, at(first[item] + k, part));
        }
        return s;
      });
      const Mem last = fresh();
      session.launch(session.kernel(program, "own"), {{kItems}, {50}}, from, last, rows, cl_int(n));
      expect(last, kItems, [&](std::size_t item, std::size_t part) {
        Number s = at(item, part);
        for (int k = 0; k < n; ++k) s = step(s, at(item * n + k, part));
        return s;
      });
    }
  }
};

using Bytes = WalkedRows<cl_uchar>;
using Shorts = WalkedRows<cl_short>;
using Ints = WalkedRows<cl_int>;
using Longs = WalkedRows<cl_long>;
using Floats = WalkedRows<cl_float>;

TEST_F(Bytes, OfOne) { check("uchar", 1); }
TEST_F(Bytes, OfFour) { check("uchar4", 4); }
TEST_F(Shorts, OfOne) { check("short", 1); }
TEST_F(Shorts, OfTwo) { check("short2", 2); }
TEST_F(Ints, OfOne) { check("int", 1); }
TEST_F(Longs, OfOne) { check("long", 1); }
TEST_F(Floats, OfOne) { check("float", 1); }
TEST_F(Floats, OfTwo) { check("float2", 2); }
TEST_F(Floats, OfFour) { check("float4", 4); }

// Two rows of matrices that all rows of a group walk along, of lengths around whole lines and at distances of whole lines.
TEST_F(ApiTest, RowsThatAllRowsOfAGroupWalkAlong) {
  const Program program = session.build(R"(
kernel void two_rows(global const float* a, global const float* b, global float* c, int n, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * pitch + k] * b[x * pitch + k] - b[y * pitch + k] * a[x * pitch + k];
  c[y * get_global_size(0) + x] = sum;
}
)");
  constexpr int kSide = 32, kPitch = 256;
  std::vector<float> a(kSide * kPitch), b(kSide * kPitch);
  for (int i = 0; i < kSide * kPitch; ++i) a[i] = static_cast<float>(i * 7 % 11), b[i] = static_cast<float>(i * 5 % 13);
  const Mem first = session.upload(a), second = session.upload(b);
  for (const int pitch : {kPitch, kPitch - 3})
    for (const int n : {0, 1, 4, 15, 16, 17, 67, 128})
      for (const std::size_t rows : {1, 2, 8, 16}) {
        SCOPED_TRACE(std::to_string(n) + " of " + std::to_string(pitch) + ", groups of " + std::to_string(rows) + " rows");
        const Mem out = session.upload(std::vector<float>(kSide * kSide, -1.0f));
        session.launch(session.kernel(program, "two_rows"), {{kSide, kSide}, {kSide, rows}}, first, second, out, cl_int(n), cl_int(pitch));
        const auto got = session.download<float>(out, kSide * kSide);
        for (int y = 0; y < kSide; ++y)
          for (int x = 0; x < kSide; ++x) {
            float sum = 0;
            for (int k = 0; k < n; ++k) sum += a[y * pitch + k] * b[x * pitch + k] - b[y * pitch + k] * a[x * pitch + k];
            ASSERT_EQ(got[y * kSide + x], sum) << "at " << x << ", " << y;
          }
      }
}

}  // namespace
}  // namespace weft::conformance
