// Products by blocks in registers and of bytes, rows through a function, sums by strides of the grid.
#include <algorithm>
#include <cmath>

#include "bench/case.h"
#include "bench/data.h"

namespace weft::bench {
namespace {

Case blocked_matmul() {
  constexpr std::size_t kSide = 1024;
  const auto a = noise(kSide * kSide, 61, -0.5f, 0.5f), b = noise(kSide * kSide, 62, -0.5f, 0.5f);
  Case c = make_case("matmul 4x4 an item, 1024²", "dense.cl", "blocked_matmul", {{kSide / 4, kSide / 4}, {16, 16}, {}},
                     2e-9 * kSide * kSide * kSide, "GFLOP/s");
  c.buffer(a)
      .buffer(b)
      .result(
          std::vector<float>(kSide * kSide),
          [=] {
            std::vector<float> out(kSide * kSide, 0.0f);
            for (std::size_t row = 0; row < kSide; ++row)
              for (std::size_t i = 0; i < kSide; ++i)
                for (std::size_t column = 0; column < kSide; ++column) out[row * kSide + column] += a[row * kSide + i] * b[i * kSide + column];
            return out;
          },
          1e-4)
      .value(static_cast<cl_int>(kSide));
  return c;
}

Case int8_matmul() {
  constexpr std::size_t kSide = 512, kDepth = 512;
  const auto bytes = [](unsigned seed) {
    std::vector<cl_char> values(kSide * kDepth);
    const auto numbers = noise_below(values.size(), seed, 255);
    std::transform(numbers.begin(), numbers.end(), values.begin(), [](cl_uint v) { return static_cast<cl_char>(static_cast<int>(v) - 127); });
    return values;
  };
  const auto a = bytes(63), b = bytes(64);
  Case c = make_case("product of bytes, 512²", "dense.cl", "int8_matmul", {{kSide, kSide}, {16, 16}, {}}, 2e-9 * kSide * kSide * kDepth, "Gop/s");
  c.buffer(a)
      .buffer(b)
      .result(
          std::vector<cl_int>(kSide * kSide),
          [=] {
            std::vector<cl_int> out(kSide * kSide);
            for (std::size_t row = 0; row < kSide; ++row)
              for (std::size_t column = 0; column < kSide; ++column)
                for (std::size_t k = 0; k < kDepth; ++k) out[row * kSide + column] += a[row * kDepth + k] * b[column * kDepth + k];
            return out;
          },
          0)
      .value(static_cast<cl_int>(kSide))
      .value(static_cast<cl_int>(kDepth / 4));
  return c;
}

Case softmax() {
  constexpr std::size_t kRows = 2048, kWidth = 1024, kLocal = 256;
  const auto in = noise(kRows * kWidth, 65, -4, 4);
  Case c = make_case("softmax of 2048 rows", "dense.cl", "softmax", {{kRows * kLocal}, {kLocal}, {}}, 1e-9 * kRows * kWidth, "Gitem/s");
  c.buffer(in)
      .result(
          std::vector<float>(in.size()),
          [=] {
            std::vector<float> out(in.size());
            for (std::size_t row = 0; row < in.size(); row += kWidth) {
              double sum = 0;
              for (std::size_t i = row; i < row + kWidth; ++i) sum += std::exp(double(in[i]));
              for (std::size_t i = row; i < row + kWidth; ++i) out[i] = static_cast<float>(std::exp(double(in[i])) / sum);
            }
            return out;
          },
          1e-6)
      .value(static_cast<cl_int>(kWidth))
      .local(kLocal * 4);
  return c;
}

Case dot_product() {
  constexpr std::size_t kCount = std::size_t{1} << 22, kGroups = 64, kLocal = 256;
  const auto x = noise(kCount, 66, 0, 1), y = noise(kCount, 67, 0, 1);
  Case c = make_case("dot product by strides, 4 Mi", "dense.cl", "dot_product", {{kGroups * kLocal}, {kLocal}, {}}, 8e-9 * kCount, "GB/s");
  c.buffer(x).buffer(y).result(std::vector<float>(kGroups), [] { return std::vector<float>(); }, 0);
  // What each group adds is its own affair.
  c.check = [=](std::span<const std::byte> bytes) -> std::string {
    double want = 0, got = 0;
    for (std::size_t i = 0; i < kCount; ++i) want += double(x[i]) * y[i];
    for (std::size_t g = 0; g < kGroups; ++g) got += double(reinterpret_cast<const float*>(bytes.data())[g]);
    return std::abs(got - want) <= 1e-5 * want ? "" : std::to_string(got) + " for " + std::to_string(want);
  };
  c.value(static_cast<cl_int>(kCount)).local(kLocal * 4);
  return c;
}

}  // namespace

std::vector<Case> dense_cases() { return {blocked_matmul(), int8_matmul(), softmax(), dot_product()}; }

}  // namespace weft::bench
