// Loops that step by the grid's size: work-items that run no iteration, one more or one fewer than their neighbours have the sums that the program asked for, and
// what it computes of them behind the loop, whatever the compiler makes of work-items that skip it.
#include <algorithm>
#include <cmath>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

class StridedLoops : public ApiTest {
 protected:
  /// `kernel` of numbers 0 to 6 in turn, the first `n` of them; `want` says what becomes of a work-item's sum and count.
  void check(const char* kernel, cl_float (*want)(std::size_t sum, std::size_t count)) {
    const Program program = session.build(R"(
#define STRIDED for (int i = get_global_id(0); i < n; i += get_global_size(0))
kernel void roots(global const float* x, global float* y, int n) {
  float sum = 0;
  STRIDED sum += x[i];
  y[get_global_id(0)] = sqrt(sum) * 2.0f;
}
kernel void behind(global const float* x, global float* y, int n) {
  float result = 1;
  if (get_global_id(0) < n) {
    float sum = 4;
    STRIDED sum += x[i];
    result = sum * 0.5f;
  }
  y[get_global_id(0)] = result;
}
kernel void counts(global const float* x, global float* y, int n) {
  int count = 0;
  STRIDED count += x[i] >= 0;
  y[get_global_id(0)] = 0.25f * count;
}
kernel void pairs(global const float* x, global float* y, int n) {
  float sum = 0;
  const int half_size = get_global_size(0);
  for (int i = get_global_id(0); i < n; i += 2 * half_size) {
    sum += x[i];
    if (i + half_size < n) sum += x[i + half_size];
  }
  y[get_global_id(0)] = sum;
})");
    for (const std::size_t size : {64u, 256u, 512u})
      for (const std::size_t local : {32u, 64u})
        for (const std::size_t n : {std::size_t{0}, std::size_t{1}, size - 1, size, size + 1, size + 40, 2 * size + 31, 5 * size, 40 * size + 33}) {
          SCOPED_TRACE(std::string(kernel) + ": " + std::to_string(n) + " by " + std::to_string(size) + ", groups of " + std::to_string(local));
          std::vector<cl_float> x(n + 1);
          for (std::size_t i = 0; i < n; ++i) x[i] = cl_float(i % 7);
          const Mem from = session.upload(x), to = session.upload(std::vector<cl_float>(size, -1));
          session.launch(session.kernel(program, kernel), {{size}, {local}}, from, to, cl_int(n));
          const auto got = session.download<cl_float>(to, size);
          for (std::size_t item = 0; item < size; ++item) {
            std::size_t sum = 0, count = 0;
            for (std::size_t i = item; i < n; i += size, ++count) sum += i % 7;
            ASSERT_NEAR(got[item], want(sum, count), 1e-5 * std::abs(want(sum, count))) << item;
          }
        }
  }
};

TEST_F(StridedLoops, RootsOfSums) {
  check("roots", [](std::size_t sum, std::size_t) { return 2 * std::sqrt(cl_float(sum)); });
}
TEST_F(StridedLoops, OtherwiseAnotherNumber) {
  check("behind", [](std::size_t sum, std::size_t count) { return count ? cl_float(sum + 4) / 2 : 1.0f; });
}
TEST_F(StridedLoops, Counts) {
  check("counts", [](std::size_t, std::size_t count) { return cl_float(count) / 4; });
}
TEST_F(StridedLoops, Pairs) {
  check("pairs", [](std::size_t sum, std::size_t) { return cl_float(sum); });
}

TEST_F(StridedLoops, ElementsOfRecords) {
  const Program program = session.build(R"(
kernel void grey(global const uchar* x, global uint* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[3 * i] + 256 * x[3 * i + 1] + 65536 * x[i * 3 + 2];
}
kernel void behind(global const uchar* x, global uint* y, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i * 3] + 256 * x[3 * (i + 1) - 2] + 65536 * x[i * 3 + 2];
}
kernel void around(global const uchar* x, global uint* y, uint n) {
  const uint wrapping = 0x55555556u;  // three times it is 2 modulo 2^32
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[(i * 3 * wrapping + 5) & 0xff] + 256 * x[(uint)(i * 0xffffffffu + n)];
})");
  for (const std::size_t size : {64u, 256u})
    for (const std::size_t n : {std::size_t{1}, size - 1, size + 40, 2 * size, 9 * size + 33}) {
      std::vector<cl_uchar> x(std::max(3 * n, std::size_t{256}) + 1);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = cl_uchar(i * 37 + i / 256);
      const Mem from = session.upload(x);
      for (const char* kernel : {"grey", "behind", "around"}) {
        SCOPED_TRACE(std::string(kernel) + ": " + std::to_string(n) + " by " + std::to_string(size));
        const Mem to = session.upload(std::vector<cl_uint>(n, 1));
        session.launch(session.kernel(program, kernel), {{size}, {32}}, from, to, cl_int(n));
        const auto got = session.download<cl_uint>(to, n);
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_EQ(got[i], kernel[0] == 'a' ? x[(2 * i + 5) & 0xff] + 256u * x[n - i] : x[3 * i] + 256u * x[3 * i + 1] + 65536u * x[3 * i + 2]) << i;
      }
    }
}

}  // namespace
}  // namespace weft::conformance
