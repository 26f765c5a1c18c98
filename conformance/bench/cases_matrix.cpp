// Matrix multiplication, one element an item.
#include "bench/case.h"

namespace weft::bench {
namespace {

/// A power of two, so that all rows lie on few sets of each cache; and one that is none.
constexpr std::size_t kSide = 1024;
constexpr std::size_t kOddSide = 1008;

std::vector<float> matrix(unsigned seed, std::size_t side) {
  std::vector<float> values(side * side);
  for (float& v : values) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<float>(seed >> 16) / 65536.0f - 0.5f;
  }
  return values;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::size_t side) {
  std::vector<float> c(side * side, 0.0f);
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t i = 0; i < side; ++i) {
      const float v = a[row * side + i];
      for (std::size_t col = 0; col < side; ++col) c[row * side + col] += v * b[i * side + col];
    }
  return c;
}

template <std::size_t kRows>
Case multiply(const std::string& name, const std::string& kernel, std::size_t width, std::size_t height) {
  static const auto a = matrix(1, kRows);
  static const auto b = matrix(2, kRows);
  Case c = make_case(name, "matmul.cl", kernel, {{kRows, kRows}, {width, height}, {}}, 2e-9 * kRows * kRows * kRows, "GFLOP/s");
  c.buffer(a)
      .buffer(b)
      .result(
          std::vector<float>(kRows * kRows),
          [] {
            static const auto c = product(a, b, kRows);
            return c;
          },
          1e-4)
      .value(static_cast<cl_int>(kRows));
  return c;
}

}  // namespace

std::vector<Case> matrix_cases() {
  return {multiply<kSide>("matmul naive 1024², 16x16", "matmul_naive", 16, 16),
          multiply<kSide>("matmul naive 1024², 32x8", "matmul_naive", 32, 8),
          multiply<kSide>("matmul tiled 1024², 16x16", "matmul_tiled", 16, 16),
          multiply<kOddSide>("matmul tiled 1008², 16x16", "matmul_tiled", 16, 16)};
}

}  // namespace weft::bench
