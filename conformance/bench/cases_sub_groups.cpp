// Sub-groups: what a GPU's programs do with warps.
#include "bench/case.h"

namespace weft::bench {
namespace {

constexpr std::size_t kCount = std::size_t{1} << 22;
constexpr std::size_t kLocal = 256;

std::vector<cl_int> numbers() {
  std::vector<cl_int> values(kCount);
  cl_uint seed = 3;
  for (cl_int& v : values) v = static_cast<cl_int>((seed = seed * 1664525u + 1013904223u) >> 24);
  return values;
}

Case of_sub_groups(const std::string& name, const std::string& kernel, const Range& range, double work, const std::string& unit) {
  Case c = make_case(name, "sub_groups.cl", kernel, range, work, unit);
  c.options = "-cl-std=CL3.0";
  return c;
}

Case shuffled_sum() {
  constexpr std::size_t kEach = 8;
  std::vector<float> in(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<float>(i % 17);
  Case c = of_sub_groups("reduction by shuffles, 4 Mi", "shuffled_sum", {{kCount / kEach}, {kLocal}, {}}, 1e-9 * kCount, "Gitem/s");
  c.buffer(in).result(
      std::vector<float>(kCount / kEach / kLocal),
      [=] {
        std::vector<float> out(kCount / kEach / kLocal, 0.0f);
        for (std::size_t i = 0; i < kCount; ++i) out[i / (kEach * kLocal)] += in[i];
        return out;
      },
      1e-6);
  return c;
}

Case scan() {
  const auto in = numbers();
  Case c = of_sub_groups("scan by sub-groups, 4 Mi", "sub_group_scan", {{kCount}, {kLocal}, {}}, 1e-9 * kCount, "Gitem/s");
  c.buffer(in).result(
      std::vector<cl_int>(kCount),
      [=] {
        std::vector<cl_int> out(kCount);
        for (std::size_t i = 0, sum = 0; i < kCount; ++i) {
          if (i % kLocal == 0) sum = 0;
          out[i] = static_cast<cl_int>(sum);
          sum += static_cast<std::size_t>(in[i]);
        }
        return out;
      },
      0);
  return c;
}

Case compaction() {
  constexpr cl_int kLimit = 150;
  const auto in = numbers();
  Case c = of_sub_groups("compaction by ballots, 4 Mi", "compaction", {{kCount}, {kLocal}, {}}, 1e-9 * kCount, "Gitem/s");
  c.buffer(in)
      .result(
          std::vector<cl_int>(kCount, -1),
          [=] {
            std::vector<cl_int> out(kCount, -1);
            for (std::size_t i = 0, place = 0; i < kCount; ++i) {
              if (i % kLocal == 0) place = i;
              if (in[i] > kLimit) out[place++] = in[i];
            }
            return out;
          },
          0)
      .value(kLimit);
  return c;
}

Case matmul() {
  constexpr std::size_t kSide = 512, kRows = 8;
  std::vector<float> a(kSide * kSide), b(kSide * kSide);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 13) - 6;
    b[i] = static_cast<float>(i % 11) - 5;
  }
  Case c = of_sub_groups("matmul by broadcasts, 512²", "broadcast_matmul", {{kSide, kSide / kRows}, {64, 1}, {}}, 2e-9 * kSide * kSide * kSide,
                         "GFLOP/s");
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

}  // namespace

std::vector<Case> sub_group_cases() { return {shuffled_sum(), scan(), compaction(), matmul()}; }

}  // namespace weft::bench
