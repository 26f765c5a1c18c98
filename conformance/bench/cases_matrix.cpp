// Matrix multiplication, one element an item.
#include "bench/case.h"

namespace weft::bench {
namespace {

constexpr std::size_t kSide = 1024;

std::vector<float> matrix(unsigned seed) {
  std::vector<float> values(kSide * kSide);
  for (float& v : values) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<float>(seed >> 16) / 65536.0f - 0.5f;
  }
  return values;
}

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> c(kSide * kSide, 0.0f);
  for (std::size_t row = 0; row < kSide; ++row)
    for (std::size_t i = 0; i < kSide; ++i) {
      const float v = a[row * kSide + i];
      for (std::size_t col = 0; col < kSide; ++col) c[row * kSide + col] += v * b[i * kSide + col];
    }
  return c;
}

Case multiply(const std::string& name, const std::string& kernel, std::size_t width, std::size_t height) {
  static const auto a = matrix(1);
  static const auto b = matrix(2);
  Case c = make_case(name, "matmul.cl", kernel, {{kSide, kSide}, {width, height}, {}},
                     2e-9 * kSide * kSide * kSide, "GFLOP/s");
  c.buffer(a)
      .buffer(b)
      .result(
          std::vector<float>(kSide * kSide),
          [] {
            static const auto c = product(a, b);
            return c;
          },
          1e-4)
      .value(static_cast<cl_int>(kSide));
  return c;
}

}  // namespace

std::vector<Case> matrix_cases() {
  return {multiply("matmul naive 1024², 16x16", "matmul_naive", 16, 16),
          multiply("matmul naive 1024², 32x8", "matmul_naive", 32, 8),
          multiply("matmul tiled 1024², 16x16", "matmul_tiled", 16, 16)};
}

}  // namespace weft::bench
