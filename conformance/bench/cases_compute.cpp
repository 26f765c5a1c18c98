// Mandelbrot, Black-Scholes, convolution, N-body: arithmetic's time.
#include <cmath>

#include "bench/case.h"

namespace weft::bench {
namespace {

std::vector<float> noise(std::size_t count, unsigned seed, float low, float high) {
  std::vector<float> values(count);
  for (float& v : values) {
    seed = seed * 1664525u + 1013904223u;
    v = low + (high - low) * static_cast<float>(seed >> 8) / 16777216.0f;
  }
  return values;
}

Case mandelbrot() {
  constexpr int kSide = 1024;
  constexpr int kLimit = 256;
  const float left = -2.0f;
  const float top = -1.25f;
  const float step = 2.5f / kSide;
  Case c{"Mandelbrot 1024², 256 steps",
         "mandelbrot.cl",
         "mandelbrot",
         {{kSide, kSide}, {16, 16}, {}},
         1e-9 * kSide * kSide,
         "Gitem/s",
         {},
         {},
         0,
         {}};
  // A rounding more or less (fused or not) moves a few points at the rim.
  c.result(
       std::vector<cl_int>(kSide * kSide),
       [=] {
         std::vector<cl_int> out(kSide * kSide);
         for (int py = 0; py < kSide; ++py)
           for (int px = 0; px < kSide; ++px) {
             const float cx = left + static_cast<float>(px) * step;
             const float cy = top + static_cast<float>(py) * step;
             float x = 0;
             float y = 0;
             int n = 0;
             for (; n < kLimit && x * x + y * y <= 4.0f; ++n) {
               const float next = x * x - y * y + cx;
               y = 2.0f * x * y + cy;
               x = next;
             }
             out[static_cast<std::size_t>(py * kSide + px)] = n;
           }
         return out;
       },
       0, 0.02)
      .value(left)
      .value(top)
      .value(step)
      .value(kLimit);
  return c;
}

Case black_scholes() {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  const float rate = 0.02f;
  const float volatility = 0.3f;
  const auto price = noise(kCount, 1, 5, 30);
  const auto strike = noise(kCount, 2, 1, 100);
  const auto years = noise(kCount, 3, 0.25f, 10);
  Case c{"Black-Scholes, 1 Mi options",
         "black_scholes.cl",
         "black_scholes",
         {{kCount}, {256}, {}},
         1e-9 * kCount,
         "Gitem/s",
         {},
         {},
         0,
         {}};
  c.buffer(price)
      .buffer(strike)
      .buffer(years)
      .result(
          std::vector<float>(2 * kCount),
          [=] {
            const auto cdf = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
            std::vector<float> out(2 * kCount);
            for (std::size_t i = 0; i < kCount; ++i) {
              const double s = price[i];
              const double x = strike[i];
              const double t = years[i];
              const double v = volatility;
              const double d1 = (std::log(s / x) + (rate + 0.5 * v * v) * t) / (v * std::sqrt(t));
              const double d2 = d1 - v * std::sqrt(t);
              const double discounted = x * std::exp(-static_cast<double>(rate) * t);
              out[2 * i] = static_cast<float>(s * cdf(d1) - discounted * cdf(d2));
              out[2 * i + 1] = static_cast<float>(discounted * cdf(-d2) - s * cdf(-d1));
            }
            return out;
          },
          2e-4)
      .value(rate)
      .value(volatility);
  return c;
}

Case convolution() {
  constexpr std::size_t kSide = 1024;
  constexpr std::size_t kPitch = kSide + 6;
  const auto in = noise(kPitch * kPitch, 4, 0, 1);
  const auto filter = noise(49, 5, -0.2f, 0.2f);
  Case c{"convolution 7x7, 1024²",
         "convolution.cl",
         "convolution",
         {{kSide, kSide}, {16, 16}, {}},
         98e-9 * kSide * kSide,
         "GFLOP/s",
         {},
         {},
         0,
         {}};
  c.buffer(in)
      .buffer(filter)
      .result(
          std::vector<float>(kSide * kSide),
          [=] {
            std::vector<float> out(kSide * kSide, 0.0f);
            for (std::size_t y = 0; y < kSide; ++y)
              for (std::size_t j = 0; j < 7; ++j)
                for (std::size_t i = 0; i < 7; ++i)
                  for (std::size_t x = 0; x < kSide; ++x)
                    out[y * kSide + x] += filter[j * 7 + i] * in[(y + j) * kPitch + x + i];
            return out;
          },
          1e-5)
      .value(static_cast<cl_int>(kPitch));
  return c;
}

Case nbody() {
  constexpr std::size_t kBodies = 4096;
  const auto bodies = noise(4 * kBodies, 6, 0, 1);
  const float softening = 1e-3f;
  Case c{"N-body, 4096",
         "nbody.cl",
         "nbody",
         {{kBodies}, {256}, {}},
         20e-9 * kBodies * kBodies,
         "GFLOP/s",
         {},
         {},
         0,
         {}};
  c.buffer(bodies)
      .result(
          std::vector<float>(4 * kBodies),
          [=] {
            std::vector<float> out(4 * kBodies, 0.0f);
            for (std::size_t i = 0; i < kBodies; ++i) {
              double sum[3] = {};
              for (std::size_t j = 0; j < kBodies; ++j) {
                double d[3];
                double r = softening;
                for (int k = 0; k < 3; ++k) {
                  d[k] = double(bodies[4 * j + k]) - bodies[4 * i + k];
                  r += d[k] * d[k];
                }
                const double s = bodies[4 * j + 3] / (r * std::sqrt(r));
                for (int k = 0; k < 3; ++k) sum[k] += d[k] * s;
              }
              for (int k = 0; k < 3; ++k) out[4 * i + k] = static_cast<float>(sum[k]);
            }
            return out;
          },
          1e-2)
      .value(softening)
      .local(256 * 16);
  return c;
}

}  // namespace

std::vector<Case> compute_cases() { return {mandelbrot(), black_scholes(), convolution(), nbody()}; }

}  // namespace weft::bench
