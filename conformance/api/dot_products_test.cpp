// Sums of products of bytes and of 16 bits: of every pair of signs, of whole vectors and of some of their elements, in groups of several
// shapes. An implementation may multiply the elements of a word at once; the sums are those of numbers of 32 bits.
#include <functional>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr const char* kSource = R"(
kernel void four(global const A* a, global const B* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int s = 1;
  for (int k = 0; k < n; ++k) {
    const int4 p = convert_int4(a[y * n + k]), q = convert_int4(b[x * n + k]);
    s += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  c[y * get_global_size(0) + x] = s;
}
kernel void columns(global const A* a, global const B* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    const A p = a[y * n + k];
    const B q = b[k * width + x];
    s += q.w * p.w + x + p.x * q.x + q.z * p.z + y + p.y * q.y;
  }
  c[y * width + x] = s;
}
// Some products twice, some crosswise, one missing.
kernel void odd(global const A* a, global const B* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    const A p = a[y * n + k];
    const B q = b[k * width + x];
    s += p.x * q.x + p.y * q.y + p.z * q.z + p.x * q.x + p.y * q.z + q.w * q.w + p.w * q.w * 3;
  }
  c[y * width + x] = s;
}
// Element after element.
kernel void single(global const EA* a, global const EB* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int s = 0;
  for (int k = 0; k < 4 * n; ++k) s += a[4 * y * n + k] * b[4 * x * n + k];
  c[y * get_global_size(0) + x] = s;
}
// Rows that lanes leave one by one.
kernel void apart(global const A* a, global const B* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int s = 0;
  for (int k = 0; k < (x + y) % (n + 1); ++k) {
    const int4 p = convert_int4(a[y * n + k]), q = convert_int4(b[x * n + k]);
    const int4 r = p * q;
    s += r.x + r.y + r.z + r.w;
  }
  c[y * get_global_size(0) + x] = s;
}
)";

template <typename First, typename Second>
class DotProducts : public ApiTest {
 protected:
  static constexpr std::size_t kWidth = 64, kHeight = 32;

  /// The extremes of the type among them.
  template <typename Number>
  static std::vector<Number> numbers(std::size_t count, std::uint32_t state) {
    std::vector<Number> values(count);
    for (Number& value : values) {
      state = state * 1664525u + 1013904223u;
      const std::uint32_t kind = state >> 29;
      value = kind == 0   ? std::numeric_limits<Number>::min()
              : kind == 1 ? std::numeric_limits<Number>::max()
                          : static_cast<Number>(state >> 8);
    }
    return values;
  }

  void check(const std::string& first, const std::string& second) {
    const Program program = session.build("#define A " + first + "4\n#define EA " + first + "\n#define B " + second + "4\n#define EB " +
                                          second + "\n" + kSource);
    for (const int n : {1, 3, 4, 7, 16}) {
      const std::size_t depth = static_cast<std::size_t>(n);
      const auto a = numbers<First>(4 * kHeight * depth, 1);
      const auto b = numbers<Second>(4 * kWidth * depth, 2);
      const Mem from = session.upload(a), by = session.upload(b);
      const auto left = [&](std::size_t y, std::size_t k, std::size_t e) {
        return static_cast<std::uint32_t>(std::int32_t{a[4 * (y * depth + k) + e]});
      };
      const auto right = [&](std::size_t k, std::size_t e) { return static_cast<std::uint32_t>(std::int32_t{b[4 * k + e]}); };
      for (const auto& [width, height] : {std::pair{16, 16}, std::pair{32, 2}, std::pair{64, 1}, std::pair{8, 4}}) {
        const auto expect = [&](const char* kernel, const std::function<std::uint32_t(std::size_t, std::size_t)>& value) {
          SCOPED_TRACE(first + " by " + second + ", " + kernel + ", " + std::to_string(n) + ", " + std::to_string(width) + " x " +
                       std::to_string(height));
          const Mem out = session.upload(std::vector<cl_int>(kWidth * kHeight, 77));
          session.launch(session.kernel(program, kernel), {{kWidth, kHeight}, {std::size_t(width), std::size_t(height)}}, from, by, out,
                         cl_int(n));
          const auto got = session.download<cl_int>(out, kWidth * kHeight);
          for (std::size_t i = 0; i < got.size(); ++i)
            ASSERT_EQ(got[i], static_cast<cl_int>(value(i % kWidth, i / kWidth))) << "number " << i;
        };
        const auto row_by_row = [&](std::size_t x, std::size_t y, std::size_t end) {
          std::uint32_t s = 0;
          for (std::size_t k = 0; k < end; ++k)
            for (std::size_t e = 0; e < 4; ++e) s += left(y, k, e) * right(x * depth + k, e);
          return s;
        };
        expect("four", [&](std::size_t x, std::size_t y) { return 1 + row_by_row(x, y, depth); });
        expect("single", [&](std::size_t x, std::size_t y) { return row_by_row(x, y, depth); });
        expect("apart", [&](std::size_t x, std::size_t y) { return row_by_row(x, y, (x + y) % (depth + 1)); });
        expect("columns", [&](std::size_t x, std::size_t y) {
          std::uint32_t s = 0;
          for (std::size_t k = 0; k < depth; ++k)
            for (std::size_t e = 0; e < 4; ++e)
              s += left(y, k, e) * right(k * kWidth + x, e) + static_cast<std::uint32_t>(e == 0 ? x : e == 1 ? y : 0);
          return s;
        });
        expect("odd", [&](std::size_t x, std::size_t y) {
          std::uint32_t s = 0;
          for (std::size_t k = 0; k < depth; ++k) {
            const auto p = [&](std::size_t e) { return left(y, k, e); };
            const auto q = [&](std::size_t e) { return right(k * kWidth + x, e); };
            s += p(0) * q(0) + p(1) * q(1) + p(2) * q(2) + p(0) * q(0) + p(1) * q(2) + q(3) * q(3) + p(3) * q(3) * 3;
          }
          return s;
        });
      }
    }
  }
};

using DotsOfSigned = DotProducts<cl_char, cl_char>;
using DotsOfUnsigned = DotProducts<cl_uchar, cl_uchar>;
using DotsOfBoth = DotProducts<cl_uchar, cl_char>;
using DotsOfOthers = DotProducts<cl_char, cl_uchar>;

TEST_F(DotsOfSigned, Sum) { check("char", "char"); }
TEST_F(DotsOfUnsigned, Sum) { check("uchar", "uchar"); }
TEST_F(DotsOfBoth, Sum) { check("uchar", "char"); }
TEST_F(DotsOfOthers, Sum) { check("char", "uchar"); }

// Of 16 bits, with a sign and below the extremes, whose sums 32 bits do not hold.
class DotsOfShorts : public DotProducts<cl_short, cl_short> {};

TEST_F(DotsOfShorts, Sum) {
  const Program program = session.build(R"(
kernel void k(global const short2* a, global const short2* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    const short2 p = a[y * n + k], q = b[x * n + k];
    s += p.x * q.x + p.y * q.y;
  }
  c[y * get_global_size(0) + x] = s;
})");
  constexpr std::size_t kDepth = 5;
  auto a = numbers<cl_short>(2 * kHeight * kDepth, 3), b = numbers<cl_short>(2 * kWidth * kDepth, 4);
  for (cl_short& value : b) value = static_cast<cl_short>(value / 8);
  const Mem from = session.upload(a), by = session.upload(b), out = session.upload(std::vector<cl_int>(kWidth * kHeight));
  session.launch(session.kernel(program, "k"), {{kWidth, kHeight}, {16, 16}}, from, by, out, cl_int(kDepth));
  const auto got = session.download<cl_int>(out, kWidth * kHeight);
  for (std::size_t i = 0; i < got.size(); ++i) {
    cl_int s = 0;
    for (std::size_t k = 0; k < 2 * kDepth; ++k) s += a[i / kWidth * 2 * kDepth + k] * b[i % kWidth * 2 * kDepth + k];
    ASSERT_EQ(got[i], s) << "number " << i;
  }
}

}  // namespace
}  // namespace weft::conformance
