// Reduction, scan, histogram, divergence: what work-items do together, or apart.
#include "bench/case.h"

namespace weft::bench {
namespace {

Case reduction() {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  constexpr std::size_t kLocal = 256;
  std::vector<float> in(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<float>(i % 17);
  Case c{"tree reduction, 4 Mi",
         "reduction.cl",
         "reduction",
         {{kCount / 2}, {kLocal}, {}},
         1e-9 * kCount,
         "Gitem/s",
         {},
         {},
         0,
         {}};
  c.buffer(in)
      .result(
          std::vector<float>(kCount / 2 / kLocal),
          [=] {
            std::vector<float> out(kCount / 2 / kLocal, 0.0f);
            for (std::size_t i = 0; i < kCount; ++i) out[i / (2 * kLocal)] += in[i];
            return out;
          },
          1e-6)
      .local(kLocal * 4);
  return c;
}

Case scan() {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  constexpr std::size_t kLocal = 256;
  std::vector<cl_int> in(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<cl_int>(i * 7 % 23);
  Case c{"scan of 512-blocks, 4 Mi",
         "scan.cl",
         "scan",
         {{kCount / 2}, {kLocal}, {}},
         1e-9 * kCount,
         "Gitem/s",
         {},
         {},
         0,
         {}};
  c.buffer(in)
      .result(
          std::vector<cl_int>(kCount),
          [=] {
            std::vector<cl_int> out(kCount);
            cl_int sum = 0;
            for (std::size_t i = 0; i < kCount; ++i) {
              if (i % (2 * kLocal) == 0) sum = 0;
              out[i] = sum;
              sum += in[i];
            }
            return out;
          },
          0)
      .local(2 * kLocal * 4);
  return c;
}

Case histogram() {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  std::vector<cl_uchar> in(kCount);
  unsigned seed = 9;
  for (cl_uchar& v : in) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<cl_uchar>((seed >> 24) & (seed >> 16));
  }
  Case c{"histogram 256, 4 Mi",
         "histogram.cl",
         "histogram",
         {{64 * 256}, {256}, {}},
         1e-9 * kCount,
         "Gitem/s",
         {},
         {},
         0,
         {}};
  c.buffer(in)
      .result(
          std::vector<cl_uint>(256, 0),
          [=] {
            std::vector<cl_uint> out(256, 0);
            for (cl_uchar v : in) ++out[v];
            return out;
          },
          0)
      .value(static_cast<cl_uint>(kCount));
  return c;
}

Case divergent() {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  constexpr cl_int kSteps = 32;
  std::vector<cl_uint> in(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<cl_uint>(i * 2654435761u);
  Case c{"divergent switch, 1 Mi x 32",
         "divergent.cl",
         "divergent",
         {{kCount}, {256}, {}},
         1e-9 * kCount * kSteps,
         "Gitem/s",
         {},
         {},
         0,
         {}};
  c.buffer(in)
      .result(
          std::vector<cl_uint>(kCount),
          [=] {
            std::vector<cl_uint> out(kCount);
            for (std::size_t i = 0; i < kCount; ++i) {
              cl_uint s = in[i];
              cl_uint acc = 0;
              for (int j = 0; j < kSteps; ++j) {
                s = s * 1664525u + 1013904223u;
                switch (s >> 29) {
                  case 0:
                    acc += s;
                    break;
                  case 1:
                    acc ^= s >> 3;
                    break;
                  case 2:
                    acc = acc * 3u + 1u;
                    break;
                  case 3:
                    acc -= s >> 5;
                    break;
                  case 4:
                    acc = (acc << 5) | (acc >> 27);
                    break;
                  case 5:
                    acc = ~acc + s;
                    break;
                  case 6:
                    acc ^= acc >> 7;
                    break;
                  default:
                    acc += 12345u;
                }
              }
              out[i] = acc;
            }
            return out;
          },
          0)
      .value(kSteps);
  return c;
}

}  // namespace

std::vector<Case> parallel_cases() { return {reduction(), scan(), histogram(), divergent()}; }

}  // namespace weft::bench
