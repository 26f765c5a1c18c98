// Images and grids: neighbours in two dimensions.
#include <algorithm>
#include <array>
#include <cmath>

#include "bench/case.h"
#include "bench/data.h"

namespace weft::bench {
namespace {

constexpr std::size_t kSide = 1024;
constexpr std::size_t kPitch = kSide + 2;  ///< with a border of one
constexpr double kGigaPixels = 1e-9 * kSide * kSide;

std::vector<cl_uchar> pixels(unsigned seed) {
  std::vector<cl_uchar> bytes(4 * kPitch * kPitch);
  const auto values = noise_below(bytes.size(), seed, 256);
  std::copy(values.begin(), values.end(), bytes.begin());
  return bytes;
}

/// Calls `f(index, neighbours' offsets)` of every byte inside the border; `bytes` of a pixel.
template <typename F>
void inside(std::size_t bytes, F f) {
  for (std::size_t y = 1; y <= kSide; ++y)
    for (std::size_t x = 1; x <= kSide; ++x)
      for (std::size_t b = 0; b < bytes; ++b) f((y * kPitch + x) * bytes + b);
}

std::array<int, 9> around(const std::vector<cl_uchar>& in, std::size_t at, std::size_t bytes) {
  std::array<int, 9> v;
  for (std::size_t k = 0; k < 9; ++k) v[k] = in[at + (k / 3 * kPitch + k % 3) * bytes - (kPitch + 1) * bytes];
  return v;
}

/// An image's kernel of which `pixel` is the reference: a byte of the result from the nine around it. Up to `inexact` of the
/// bytes may be off by one.
template <typename F>
Case neighbourhoods(const char* name, const char* kernel, unsigned seed, F pixel, double inexact) {
  const auto in = pixels(seed);
  Case c = make_case(name, "image.cl", kernel, {{kSide, kSide}, {32, 8}, {}}, kGigaPixels, "Gitem/s");
  c.buffer(in)
      .result(
          std::vector<cl_uchar>(in.size()),
          [=] {
            std::vector<cl_uchar> out(in.size());
            inside(4, [&](std::size_t at) { out[at] = static_cast<cl_uchar>(pixel(around(in, at, 4))); });
            return out;
          },
          0, inexact)
      .value(static_cast<cl_int>(kPitch));
  return c;
}

Case sobel() {
  const auto pixel = [](const std::array<int, 9>& p) {
    const int h = p[2] + 2 * p[5] + p[8] - p[0] - 2 * p[3] - p[6];
    const int v = p[6] + 2 * p[7] + p[8] - p[0] - 2 * p[1] - p[2];
    return std::min(std::sqrt(static_cast<double>(h * h + v * v)) / 2, 255.0);
  };
  return neighbourhoods("Sobel, 1024² of 4 bytes", "sobel", 21, pixel, 0.001);
}

Case median() {
  const auto pixel = [](std::array<int, 9> p) {
    std::nth_element(p.begin(), p.begin() + 4, p.end());
    return p[4];
  };
  return neighbourhoods("median 3x3, 1024² of 4 bytes", "median", 22, pixel, 0);
}

Case dct() {
  const auto in = noise(kSide * kSide, 23, -128, 127);
  std::vector<float> basis(64);
  for (std::size_t u = 0; u < 8; ++u)
    for (std::size_t k = 0; k < 8; ++k)
      basis[8 * u + k] =
          static_cast<float>(std::cos((2 * static_cast<double>(k) + 1) * static_cast<double>(u) * M_PI / 16) *
                             (u == 0 ? std::sqrt(0.125) : 0.5));
  Case c = make_case("DCT 8x8, 1024²", "image.cl", "dct8x8", {{kSide, kSide}, {32, 8}, {}}, 32 * kGigaPixels,
                     "GFLOP/s");
  c.buffer(in)
      .result(
          std::vector<float>(in.size()),
          [=] {
            std::vector<float> out(in.size());
            for (std::size_t by = 0; by < kSide; by += 8)
              for (std::size_t bx = 0; bx < kSide; bx += 8) {
                float rows[64];
                for (std::size_t y = 0; y < 8; ++y)
                  for (std::size_t u = 0; u < 8; ++u) {
                    rows[8 * y + u] = 0;
                    for (std::size_t k = 0; k < 8; ++k)
                      rows[8 * y + u] += basis[8 * u + k] * in[(by + y) * kSide + bx + k];
                  }
                for (std::size_t v = 0; v < 8; ++v)
                  for (std::size_t x = 0; x < 8; ++x) {
                    float sum = 0;
                    for (std::size_t k = 0; k < 8; ++k) sum += basis[8 * v + k] * rows[8 * k + x];
                    out[(by + v) * kSide + bx + x] = sum;
                  }
              }
            return out;
          },
          1e-3)
      .buffer(basis)
      .value(static_cast<cl_int>(kSide));
  return c;
}

Case jacobi(const std::string& name, const std::string& kernel) {
  const auto in = noise(kPitch * kPitch, 24, 0, 1);
  const auto source = noise(kPitch * kPitch, 25, -0.1f, 0.1f);
  Case c = make_case(name, "stencil.cl", kernel, {{kSide, kSide}, {16, 16}, {}}, 12 * kGigaPixels, "GB/s");
  c.buffer(in)
      .buffer(source)
      .result(
          std::vector<float>(in.size()),
          [=] {
            std::vector<float> out(in.size());
            inside(1, [&](std::size_t at) {
              out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - kPitch] + in[at + kPitch] - source[at]);
            });
            return out;
          },
          1e-6)
      .value(static_cast<cl_int>(kPitch));
  return c;
}

Case life() {
  std::vector<cl_uchar> in(kPitch * kPitch);
  const auto values = noise_below(in.size(), 26, 3);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = values[i] == 0;
  Case c = make_case("Life, 1024² bytes", "stencil.cl", "life", {{kSide, kSide}, {64, 4}, {}}, kGigaPixels,
                     "Gitem/s");
  c.buffer(in)
      .result(
          std::vector<cl_uchar>(in.size()),
          [=] {
            std::vector<cl_uchar> out(in.size());
            inside(1, [&](std::size_t at) {
              int sum = -in[at];
              for (int v : around(in, at, 1)) sum += v;
              out[at] = sum == 3 || (sum == 2 && in[at]);
            });
            return out;
          },
          0)
      .value(static_cast<cl_int>(kPitch));
  return c;
}

}  // namespace

std::vector<Case> image_cases() {
  return {sobel(),
          median(),
          dct(),
          jacobi("Jacobi 5-point, 1024²", "jacobi"),
          jacobi("Jacobi tiled, 1024²", "jacobi_tiled"),
          life()};
}

}  // namespace weft::bench
