// Copy, vector addition, saxpy, transposes: the memory's time.
#include "bench/case.h"

namespace weft::bench {
namespace {

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1021);
  return values;
}

Case transpose(const std::string& kernel, const std::string& name) {
  constexpr std::size_t kWidth = 2048;
  constexpr std::size_t kHeight = 2048;
  const auto in = ramp(kWidth * kHeight);
  Case c = make_case(name, "transpose.cl", kernel, {{kWidth, kHeight}, {16, 16}, {}}, 8e-9 * kWidth * kHeight,
                     "GB/s");
  c.buffer(in)
      .result(
          std::vector<float>(in.size()),
          [=] {
            std::vector<float> out(in.size());
            for (std::size_t y = 0; y < kHeight; ++y)
              for (std::size_t x = 0; x < kWidth; ++x) out[x * kHeight + y] = in[y * kWidth + x];
            return out;
          },
          0)
      .value(static_cast<cl_int>(kWidth))
      .value(static_cast<cl_int>(kHeight));
  return c;
}

}  // namespace

std::vector<Case> memory_cases() {
  constexpr std::size_t kCount = std::size_t{1} << 23;
  const auto x = ramp(kCount);
  const std::vector<float> y(kCount, 3.0f);
  std::vector<Case> cases;

  Case copy = make_case("copy, 32 MiB", "memory.cl", "copy", {{kCount}, {256}, {}}, 8e-9 * kCount, "GB/s");
  copy.buffer(x).result(
      std::vector<float>(kCount), [=] { return x; }, 0);
  cases.push_back(copy);

  Case add = make_case("vector add, 3 x 32 MiB", "memory.cl", "vector_add", {{kCount}, {256}, {}},
                       12e-9 * kCount, "GB/s");
  add.buffer(x).buffer(y).result(
      std::vector<float>(kCount),
      [=] {
        auto sum = x;
        for (float& v : sum) v += 3.0f;
        return sum;
      },
      0);
  cases.push_back(add);

  Case saxpy =
      make_case("saxpy, 2 x 32 MiB", "memory.cl", "saxpy", {{kCount}, {256}, {}}, 12e-9 * kCount, "GB/s");
  saxpy.value(0.5f).buffer(x).result(
      y,
      [=] {
        auto sum = x;
        for (float& v : sum) v = 0.5f * v + 3.0f;
        return sum;
      },
      1e-6);
  cases.push_back(saxpy);

  cases.push_back(transpose("transpose_naive", "transpose naive, 2048²"));
  cases.push_back(transpose("transpose_tiled", "transpose tiled, 2048²"));
  return cases;
}

}  // namespace weft::bench
