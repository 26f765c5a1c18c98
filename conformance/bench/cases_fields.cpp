// A separable filter, three dimensions, many small systems, packed pixels.
#include <algorithm>
#include <cmath>

#include "bench/case.h"
#include "bench/data.h"

namespace weft::bench {
namespace {

constexpr int kSide = 1024, kRadius = 8;

Case filter(const char* name, const char* kernel, std::size_t width, std::size_t height, bool columns) {
  const auto in = noise(std::size_t{kSide} * kSide, 71, 0, 1);
  std::vector<float> weights;
  for (int k = -kRadius; k <= kRadius; ++k) weights.push_back(0.1f * std::exp(-0.03f * static_cast<float>(k * k)));
  Case c = make_case(name, "fields.cl", kernel, {{kSide, kSide}, {width, height}, {}}, 34e-9 * kSide * kSide, "GFLOP/s");
  c.buffer(in)
      .result(
          std::vector<float>(in.size()),
          [=] {
            std::vector<float> out(in.size());
            for (int y = 0; y < kSide; ++y)
              for (int x = 0; x < kSide; ++x) {
                double sum = 0;
                for (int k = -kRadius; k <= kRadius; ++k) {
                  const int px = columns ? x : std::clamp(x + k, 0, kSide - 1), py = columns ? std::clamp(y + k, 0, kSide - 1) : y;
                  sum += double(weights[static_cast<std::size_t>(k + kRadius)]) * in[static_cast<std::size_t>(py * kSide + px)];
                }
                out[static_cast<std::size_t>(y * kSide + x)] = static_cast<float>(sum);
              }
            return out;
          },
          1e-5)
      .buffer(weights)
      .value(cl_int{kSide});
  if (columns) c.value(cl_int{kSide});
  return c;
}

Case heat() {
  constexpr std::size_t kWidth = 256, kHeight = 256, kDepth = 64, kPlane = kWidth * kHeight;
  const float rate = 0.1f;
  const auto in = noise(kPlane * kDepth, 72, 0, 1);
  Case c = make_case("heat, 7 points, 256² x 64", "fields.cl", "heat", {{kWidth, kHeight}, {32, 8}, {}}, 8e-9 * kPlane * kDepth, "GB/s");
  c.buffer(in)
      .result(
          in,
          [=] {
            auto out = in;
            for (std::size_t z = 1; z + 1 < kDepth; ++z)
              for (std::size_t y = 1; y + 1 < kHeight; ++y)
                for (std::size_t x = 1; x + 1 < kWidth; ++x) {
                  const std::size_t at = z * kPlane + y * kWidth + x;
                  out[at] = in[at] + rate * (in[at - 1] + in[at + 1] + in[at - kWidth] + in[at + kWidth] + in[at - kPlane] + in[at + kPlane] - 6 * in[at]);
                }
            return out;
          },
          1e-5)
      .value(static_cast<cl_int>(kWidth))
      .value(static_cast<cl_int>(kHeight))
      .value(static_cast<cl_int>(kDepth))
      .value(rate);
  return c;
}

Case tridiagonal() {
  constexpr std::size_t kSystems = 8192, kRows = 128;
  const auto below = noise(kSystems * kRows, 73, -1, 1), middle = noise(kSystems * kRows, 74, 3, 4);
  const auto above = noise(kSystems * kRows, 75, -1, 1), right = noise(kSystems * kRows, 76, -1, 1);
  Case c = make_case("tridiagonal systems, 8192 of 128", "fields.cl", "tridiagonal", {{kSystems}, {64}, {}}, 20e-9 * kSystems * kRows, "GB/s");
  c.buffer(below).buffer(middle).buffer(above).buffer(right);
  c.result(
       std::vector<float>(kSystems * kRows),
       [=] {
         std::vector<float> x(kSystems * kRows);
         for (std::size_t s = 0; s < kSystems; ++s) {
           double up[kRows], value[kRows];
           for (std::size_t i = 0; i < kRows; ++i) {
             const std::size_t at = i * kSystems + s;
             const double pivot = i ? middle[at] - below[at] * up[i - 1] : middle[at];
             up[i] = above[at] / pivot;
             value[i] = (i ? right[at] - below[at] * value[i - 1] : right[at]) / pivot;
           }
           for (std::size_t i = kRows; i-- > 0;) {
             if (i + 1 < kRows) value[i] -= up[i] * value[i + 1];
             x[i * kSystems + s] = static_cast<float>(value[i]);
           }
         }
         return x;
       },
       1e-5)
      .buffer(std::vector<float>(kSystems * kRows))
      .value(static_cast<cl_int>(kRows));
  return c;
}

Case grey() {
  constexpr std::size_t kCount = std::size_t{1} << 21;
  const auto values = noise_below(3 * kCount, 77, 256);
  const std::vector<cl_uchar> in(values.begin(), values.end());
  Case c = make_case("packed RGB to grey, 2 Mi", "fields.cl", "grey", {{kCount}, {256}, {}}, 1e-9 * kCount, "Gitem/s");
  c.buffer(in).result(
      std::vector<cl_uchar>(kCount),
      [=] {
        std::vector<cl_uchar> out(kCount);
        for (std::size_t i = 0; i < kCount; ++i)
          out[i] = static_cast<cl_uchar>((77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2] + 128) >> 8);
        return out;
      },
      0);
  return c;
}

}  // namespace

std::vector<Case> field_cases() {
  return {filter("17 taps along rows, 1024²", "filter_rows", 128, 2, false),
          filter("17 taps along columns, 1024²", "filter_columns", 32, 16, true),
          heat(),
          tridiagonal(),
          grey()};
}

}  // namespace weft::bench
