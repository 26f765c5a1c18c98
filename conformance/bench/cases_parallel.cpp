// Reduction, scan, histogram, divergence: what work-items do together, or apart.
#include <algorithm>
#include <cmath>
#include <complex>

#include "bench/case.h"
#include "bench/data.h"

namespace weft::bench {
namespace {

Case reduction(const std::string& name, const std::string& kernel, bool needs_warps) {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  constexpr std::size_t kLocal = 256;
  std::vector<float> in(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<float>(i % 17);
  Case c = make_case(name, "reduction.cl", kernel, {{kCount / 2}, {kLocal}, {}}, 1e-9 * kCount, "Gitem/s");
  c.needs_warps = needs_warps;
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

/// Of each value, the sum of those before it in its block.
std::vector<cl_int> sums_before(const std::vector<cl_int>& values, std::size_t block) {
  std::vector<cl_int> out(values.size());
  cl_int sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % block == 0) sum = 0;
    out[i] = sum;
    sum += values[i];
  }
  return out;
}

Case scan() {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  constexpr std::size_t kLocal = 256;
  std::vector<cl_int> in(kCount);
  for (std::size_t i = 0; i < kCount; ++i) in[i] = static_cast<cl_int>(i * 7 % 23);
  Case c = make_case("scan of 512-blocks, 4 Mi", "scan.cl", "scan", {{kCount / 2}, {kLocal}, {}},
                     1e-9 * kCount, "Gitem/s");
  c.buffer(in)
      .result(std::vector<cl_int>(kCount), [=] { return sums_before(in, 2 * kLocal); }, 0)
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
  Case c = make_case("histogram 256, 4 Mi", "histogram.cl", "histogram", {{64 * 256}, {256}, {}},
                     1e-9 * kCount, "Gitem/s");
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
  Case c = make_case("divergent switch, 1 Mi x 32", "divergent.cl", "divergent", {{kCount}, {256}, {}},
                     1e-9 * kCount * kSteps, "Gitem/s");
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

Case scan_hillis_steele() {
  constexpr std::size_t kCount = std::size_t{1} << 22;
  constexpr std::size_t kLocal = 256;
  const auto values = noise_below(kCount, 51, 23);
  const std::vector<cl_int> in(values.begin(), values.end());
  Case c = make_case("scan of 256, Hillis-Steele, 4 Mi", "scan.cl", "scan_hillis_steele",
                     {{kCount}, {kLocal}, {}}, 1e-9 * kCount, "Gitem/s");
  c.buffer(in)
      .result(std::vector<cl_int>(kCount), [=] { return sums_before(in, kLocal); }, 0)
      .local(2 * kLocal * 4);
  return c;
}

Case bitonic_sort() {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  constexpr std::size_t kLocal = 256;
  const auto in = noise_below(kCount, 52, 1u << 24);
  Case c = make_case("bitonic sort of 512-blocks, 1 Mi", "sort.cl", "bitonic_sort",
                     {{kCount / 2}, {kLocal}, {}}, 1e-9 * kCount, "Gitem/s");
  c.result(
       in,
       [=] {
         auto out = in;
         for (auto at = out.begin(); at != out.end(); at += 2 * kLocal) std::sort(at, at + 2 * kLocal);
         return out;
       },
       0)
      .local(2 * kLocal * 4);
  return c;
}

Case fft() {
  constexpr std::size_t kBlocks = 1024;
  constexpr std::size_t kPoints = 512;
  const auto in = noise(2 * kBlocks * kPoints, 53, -1, 1);
  Case c = make_case("FFT of 512, 1024 times", "fft.cl", "fft512", {{kBlocks * 64}, {64}, {}},
                     5e-9 * kPoints * 9 * kBlocks, "GFLOP/s");
  c.buffer(in).result(
      std::vector<float>(in.size()),
      [=] {
        std::vector<float> out(in.size());
        for (std::size_t block = 0; block < kBlocks; ++block) {
          // Radix 2, in place after reordering.
          std::vector<std::complex<double>> v(kPoints);
          for (std::size_t i = 0; i < kPoints; ++i) {
            std::size_t reversed = 0;
            for (std::size_t bit = 1; bit < kPoints; bit *= 2) reversed = 2 * reversed + ((i & bit) ? 1 : 0);
            const std::size_t at = 2 * (block * kPoints + i);
            v[reversed] = {in[at], in[at + 1]};
          }
          for (std::size_t half = 1; half < kPoints; half *= 2) {
            for (std::size_t j = 0; j < half; ++j) {
              const auto turn = std::polar(1.0, -M_PI * static_cast<double>(j) / static_cast<double>(half));
              for (std::size_t i = j; i < kPoints; i += 2 * half) {
                const auto odd = v[i + half] * turn;
                v[i + half] = v[i] - odd;
                v[i] += odd;
              }
            }
          }
          for (std::size_t i = 0; i < kPoints; ++i) {
            out[2 * (block * kPoints + i)] = static_cast<float>(v[i].real());
            out[2 * (block * kPoints + i) + 1] = static_cast<float>(v[i].imag());
          }
        }
        return out;
      },
      1e-3);
  return c;
}

}  // namespace

std::vector<Case> parallel_cases() {
  return {reduction("tree reduction, 4 Mi", "reduction", false),
          reduction("warp reduction, volatile, 4 Mi", "reduction_warp", true),
          scan(),
          scan_hillis_steele(),
          bitonic_sort(),
          fft(),
          histogram(),
          divergent()};
}

}  // namespace weft::bench
