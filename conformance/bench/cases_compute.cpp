// Arithmetic's time.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "bench/case.h"
#include "bench/data.h"

namespace weft::bench {
namespace {

Case mandelbrot() {
  constexpr int kSide = 1024;
  constexpr int kLimit = 256;
  const float left = -2.0f;
  const float top = -1.25f;
  const float step = 2.5f / kSide;
  Case c = make_case("Mandelbrot 1024², 256 steps", "mandelbrot.cl", "mandelbrot",
                     {{kSide, kSide}, {16, 16}, {}}, 1e-9 * kSide * kSide, "Gitem/s");
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
  Case c = make_case("Black-Scholes, 1 Mi options", "black_scholes.cl", "black_scholes",
                     {{kCount}, {256}, {}}, 1e-9 * kCount, "Gitem/s");
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
  Case c = make_case("convolution 7x7, 1024²", "convolution.cl", "convolution",
                     {{kSide, kSide}, {16, 16}, {}}, 98e-9 * kSide * kSide, "GFLOP/s");
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
  constexpr std::size_t kBodies = 16384;
  const auto bodies = noise(4 * kBodies, 6, 0, 1);
  const float softening = 1e-3f;
  Case c = make_case("N-body, 16384", "nbody.cl", "nbody", {{kBodies}, {256}, {}}, 20e-9 * kBodies * kBodies,
                     "GFLOP/s");
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

Case transform() {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  const auto in = noise(4 * kCount, 7, 1, 2);
  std::array<float, 16> m;
  for (std::size_t i = 0; i < 16; ++i) m[i] = 0.1f * static_cast<float>(i + 1);
  Case c = make_case("4x4 matrix on 1 Mi float4", "transform.cl", "transform", {{kCount}, {256}, {}},
                     32e-9 * kCount, "GB/s");
  c.buffer(in)
      .result(
          std::vector<float>(in.size()),
          [=] {
            std::vector<float> out(in.size());
            for (std::size_t i = 0; i < in.size(); i += 4) {
              double q[4] = {};
              for (std::size_t row = 0; row < 4; ++row)
                for (std::size_t k = 0; k < 4; ++k) q[row] += double(m[4 * row + k]) * in[i + k];
              for (std::size_t row = 0; row < 4; ++row) out[i + row] = static_cast<float>(q[row] / q[3]);
            }
            return out;
          },
          1e-5)
      .value(m);
  return c;
}

Case particles() {
  struct Particle {
    float position[3];
    float velocity[3];
    float mass;
    cl_int kind;
  };
  constexpr std::size_t kCount = std::size_t{1} << 19;
  const float dt = 0.01f;
  std::vector<float> in = noise(8 * kCount, 8, 0, 1);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto kind = static_cast<cl_int>(i * 7 / 5);
    std::memcpy(&in[8 * i + 7], &kind, sizeof kind);
  }
  Case c = make_case("structs of 32 bytes, 512 Ki", "transform.cl", "move", {{kCount}, {256}, {}},
                     56e-9 * kCount, "GB/s");
  c.result(
       in,
       [=] {
         auto out = in;
         for (std::size_t i = 0; i < kCount; ++i) {
           Particle p;
           std::memcpy(&p, &out[8 * i], sizeof p);
           const float drag = p.kind & 1 ? 0.99f : 1.0f / (1.0f + 0.01f * p.mass);
           for (int k = 0; k < 3; ++k) {
             p.velocity[k] = p.velocity[k] * drag + 0.01f * static_cast<float>(k);
             p.position[k] += dt * p.velocity[k];
           }
           std::memcpy(&out[8 * i], &p, sizeof p);
         }
         return out;
       },
       1e-6)
      .value(dt);
  return c;
}

Case nearest() {
  constexpr std::size_t kCount = std::size_t{1} << 18;
  constexpr std::size_t kCentres = 64;
  const auto points = noise(4 * kCount, 9, 0, 1);
  const auto centres = noise(4 * kCentres, 10, 0, 1);
  Case c = make_case("k-means assignment, 256 Ki to 64", "transform.cl", "nearest", {{kCount}, {128}, {}},
                     11e-9 * kCount * kCentres, "GFLOP/s");
  c.buffer(points).buffer(centres);
  // Of two centres as near as each other, rounding decides.
  c.result(
       std::vector<cl_int>(kCount),
       [=] {
         std::vector<cl_int> out(kCount);
         for (std::size_t i = 0; i < kCount; ++i) {
           double least = INFINITY;
           for (std::size_t k = 0; k < kCentres; ++k) {
             double square = 0;
             for (std::size_t d = 0; d < 4; ++d) {
               const double difference = double(points[4 * i + d]) - centres[4 * k + d];
               square += difference * difference;
             }
             if (square < least) {
               least = square;
               out[i] = static_cast<cl_int>(k);
             }
           }
         }
         return out;
       },
       0, 0.001)
      .value(static_cast<cl_int>(kCentres));
  return c;
}

Case lennard_jones() {
  constexpr std::size_t kCount = std::size_t{1} << 16;
  constexpr int kNeighbours = 64;
  std::vector<double> in(kCount);
  const auto values = noise(kCount, 11, -0.1f, 0.1f);
  std::copy(values.begin(), values.end(), in.begin());
  Case c = make_case("Lennard-Jones, double", "double.cl", "forces", {{kCount}, {128}, {}},
                     12e-9 * kCount * kNeighbours, "GFLOP/s");
  c.buffer(in)
      .result(
          std::vector<double>(kCount),
          [=] {
            std::vector<double> out(kCount, 0.0);
            for (std::size_t i = 0; i < kCount; ++i)
              for (int k = 1; k <= kNeighbours; ++k) {
                const double d = in[(i + static_cast<std::size_t>(k)) % kCount] - in[i] + k;
                const double r2 = 1 / (d * d);
                const double r6 = r2 * r2 * r2;
                out[i] += (2 * r6 * r6 - r6) * r2 * d;
              }
            return out;
          },
          1e-11)
      .value(cl_int{kNeighbours})
      .value(static_cast<cl_int>(kCount));
  return c;
}

Case sha() {
  constexpr std::size_t kCount = std::size_t{1} << 16;
  const auto messages = noise_below(16 * kCount, 12, 1u << 24);
  const auto k = noise_below(64, 13, 1u << 24);
  Case c = make_case("SHA-256 rounds, 64 Ki blocks", "hash.cl", "sha", {{kCount}, {128}, {}}, 64e-9 * kCount,
                     "GB/s");
  c.buffer(messages)
      .result(
          std::vector<cl_uint>(2 * kCount),
          [=] {
            std::vector<cl_uint> out(2 * kCount);
            for (std::size_t i = 0; i < kCount; ++i) {
              cl_uint w[64];
              for (std::size_t t = 0; t < 16; ++t) w[t] = messages[16 * i + t];
              const auto turn = [](cl_uint v, int n) { return std::rotr(v, n); };
              for (int t = 16; t < 64; ++t)
                w[t] = w[t - 16] + w[t - 7] + (turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >> 3)) +
                       (turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >> 10));
              std::array<cl_uint, 8> s = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
              for (std::size_t t = 0; t < 64; ++t) {
                const cl_uint t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                                   ((s[4] & s[5]) | (~s[4] & s[6])) + k[t] + w[t];
                const cl_uint t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                                   ((s[0] & s[1]) | (s[0] & s[2]) | (s[1] & s[2]));
                std::rotate(s.begin(), s.end() - 1, s.end());
                s[4] += t1;
                s[0] = t1 + t2;
              }
              out[2 * i] = s[0];
              out[2 * i + 1] = s[4];
            }
            return out;
          },
          0)
      .buffer(k);
  return c;
}

Case monte_carlo() {
  constexpr std::size_t kCount = std::size_t{1} << 16;
  constexpr int kSteps = 256;
  Case c = make_case("Monte Carlo, xorshift", "hash.cl", "monte_carlo", {{kCount}, {256}, {}},
                     1e-9 * kCount * kSteps, "Gitem/s");
  c.result(
       std::vector<cl_uint>(kCount),
       [] {
         std::vector<cl_uint> out(kCount);
         for (std::size_t i = 0; i < kCount; ++i) {
           auto s = static_cast<cl_uint>(i) * 747796405u + 2891336453u;
           for (int k = 0; k < kSteps; ++k) {
             s ^= s << 13;
             s ^= s >> 17;
             s ^= s << 5;
             const cl_ulong x = s & 0xffff;
             const cl_ulong y = s >> 16;
             out[i] += x * x + y * y < cl_ulong{1} << 32;
           }
         }
         return out;
       },
       0, 0.001)  // a sum just below 1 may be rounded up to it
      .value(cl_int{kSteps});
  return c;
}

}  // namespace

std::vector<Case> compute_cases() {
  return {mandelbrot(), black_scholes(), convolution(),   nbody(), transform(),
          particles(),  nearest(),       lennard_jones(), sha(),   monte_carlo()};
}

}  // namespace weft::bench
