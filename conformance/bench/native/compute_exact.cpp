// Of cases_compute.cpp what -ffast-math has no part in: integers, doubles, sums of products.
#include <cstdint>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;

WEFT_NATIVE(mandelbrot_mandelbrot) {
  int* out = p.buffer<int>(0);
  const float left = p.value<float>(1), top = p.value<float>(2), step = p.value<float>(3);
  const int limit = p.value<int>(4), width = static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
  constexpr int kVectors = 2;
#pragma omp parallel for schedule(dynamic, 4) default(firstprivate)
  for (int py = 0; py < height; ++py)
    for (int px = 0; px < width; px += kVectors * kFloats) {
      Floats cx[kVectors], x[kVectors] = {}, y[kVectors] = {};
      Ints n[kVectors] = {}, any;
      const float cy = top + static_cast<float>(py) * step;
      for (int v = 0; v < kVectors; ++v)
        cx[v] = left + __builtin_convertvector(lane_numbers<Ints>() + (px + v * kFloats), Floats) * step;
      // A point outside stays there, or becomes no number: neither counts.
      for (int k = 0; k < limit; ++k) {
        any = Ints{};
        for (int v = 0; v < kVectors; ++v) {
          const Floats xx = x[v] * x[v], yy = y[v] * y[v];
          const Ints inside = xx + yy <= 4.0f;
          n[v] -= inside;
          any |= inside;
          y[v] = 2.0f * x[v] * y[v] + cy;
          x[v] = xx - yy + cx[v];
        }
        if (__builtin_reduce_or(any) == 0) break;
      }
      for (int v = 0; v < kVectors; ++v) store(out + py * width + px + v * kFloats, n[v]);
    }
}

WEFT_NATIVE(convolution_convolution) {
  const float *in = p.buffer<float>(0), *filter = p.buffer<float>(1);
  float* out = p.buffer<float>(2);
  const int pitch = p.value<int>(3), width = static_cast<int>(p.global[0]), height = static_cast<int>(p.global[1]);
  // Each vector of the input is loaded once for each column of taps and serves four rows of the output.
  constexpr int kRows = 4, kVectors = 2;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int y = 0; y < height; y += kRows)
    for (int x = 0; x < width; x += kVectors * kFloats) {
      Floats sums[kRows][kVectors] = {};
#pragma clang loop unroll(full)
      for (int j = 0; j < 6 + kRows; ++j) {
        const float* row = in + (y + j) * pitch + x;
#pragma clang loop unroll(full)
        for (int i = 0; i < 7; ++i) {
          Floats taps[kVectors];
          for (int v = 0; v < kVectors; ++v) taps[v] = load<Floats>(row + i + v * kFloats);
          for (int r = 0; r < kRows; ++r)
            if (j - r >= 0 && j - r < 7)
              for (int v = 0; v < kVectors; ++v) sums[r][v] += filter[(j - r) * 7 + i] * taps[v];
        }
      }
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v) store(out + (y + r) * width + x + v * kFloats, sums[r][v]);
    }
}

WEFT_NATIVE(transform_nearest) {
  const float *points = p.buffer<float>(0), *centres = p.buffer<float>(1);
  int* assigned = p.buffer<int>(2);
  const int count = p.value<int>(3), n = static_cast<int>(p.global[0]);
  constexpr int kVectors = 2;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int base = 0; base < n; base += kVectors * kFloats) {
    Floats x[4][kVectors], least[kVectors];
    Ints best[kVectors] = {};
    for (int v = 0; v < kVectors; ++v) {
      least[v] = Floats{} + __builtin_inff();
      for (int l = 0; l < kFloats; ++l)
        for (int d = 0; d < 4; ++d) x[d][v][l] = points[4 * (base + v * kFloats + l) + d];
    }
    for (int k = 0; k < count; ++k)
      for (int v = 0; v < kVectors; ++v) {
        Floats square = {};
        for (int d = 0; d < 4; ++d) {
          const Floats difference = x[d][v] - centres[4 * k + d];
          square += difference * difference;
        }
        const Ints nearer = square < least[v];
        least[v] = nearer ? square : least[v];
        best[v] = nearer ? Ints{} + k : best[v];
      }
    for (int v = 0; v < kVectors; ++v) store(assigned + base + v * kFloats, best[v]);
  }
}

WEFT_NATIVE(double_forces) {
  const double* positions = p.buffer<double>(0);
  double* out = p.buffer<double>(1);
  const int neighbours = p.value<int>(2), n = p.value<int>(3);
  const auto term = [](auto d) {
    const auto r2 = 1.0 / (d * d);
    const auto r6 = r2 * r2 * r2;
    return (2.0 * r6 * r6 - r6) * r2 * d;
  };
  constexpr int kVectors = 4, kStep = kVectors * kLanes<double>;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int i = 0; i < n; i += kStep) {
    if (i + kStep + neighbours <= n) {
      Doubles force[kVectors] = {};
      for (int k = 1; k <= neighbours; ++k)
        for (int v = 0; v < kVectors; ++v) {
          const double* at = positions + i + v * kLanes<double>;
          force[v] += term(load<Doubles>(at + k) - load<Doubles>(at) + static_cast<double>(k));
        }
      for (int v = 0; v < kVectors; ++v) store(out + i + v * kLanes<double>, force[v]);
    } else {  // the ring closes
      for (int j = i; j < i + kStep; ++j) {
        double force = 0;
        for (int k = 1; k <= neighbours; ++k) force += term(positions[(j + k) % n] - positions[j] + static_cast<double>(k));
        out[j] = force;
      }
    }
  }
}

WEFT_NATIVE(hash_sha) {
  const std::uint32_t *messages = p.buffer<std::uint32_t>(0), *constants = p.buffer<std::uint32_t>(2);
  std::uint32_t* digests = p.buffer<std::uint32_t>(1);
  constexpr int kItems = kLanes<std::uint32_t>;
  const int n = static_cast<int>(p.global[0]);
  const auto rotate = [](Words v, int by) { return v >> by | v << (32 - by); };
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int i = 0; i < n; i += kItems) {
    Words w[16];
    for (int part = 0; part < 16; part += kItems) {  // an item a lane
      Words rows[kItems];
      for (int l = 0; l < kItems; ++l) rows[l] = load<Words>(messages + 16 * (i + l) + part);
      transpose(rows);
      for (int t = 0; t < kItems; ++t) w[part + t] = rows[t];
    }
    Words a = Words{} + 0x6a09e667u, b = Words{} + 0xbb67ae85u, c = Words{} + 0x3c6ef372u, d = Words{} + 0xa54ff53au;
    Words e = Words{} + 0x510e527fu, f = Words{} + 0x9b05688cu, g = Words{} + 0x1f83d9abu, h = Words{} + 0x5be0cd19u;
    for (int block = 0; block < 64; block += 16)
#pragma clang loop unroll(full)
      for (int t = 0; t < 16; ++t) {
        if (block) {  // the last 16 words of the schedule, in a ring
          const Words early = w[(t + 1) & 15], late = w[(t + 14) & 15];
          w[t] += w[(t + 9) & 15] + (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) + (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
        }
        const Words t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constants[block + t] + w[t];
        const Words t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
      }
    for (int l = 0; l < kItems; ++l) digests[2 * (i + l)] = a[l], digests[2 * (i + l) + 1] = e[l];
  }
}

WEFT_NATIVE(hash_monte_carlo) {
  std::uint32_t* hits = p.buffer<std::uint32_t>(0);
  const int steps = p.value<int>(1), n = static_cast<int>(p.global[0]);
  constexpr int kVectors = 4, kStep = kVectors * kFloats;
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int base = 0; base < n; base += kStep) {
    Words s[kVectors], inside[kVectors] = {};
    for (int v = 0; v < kVectors; ++v) s[v] = (lane_numbers<Words>() + static_cast<std::uint32_t>(base + v * kFloats)) * 747796405u + 2891336453u;
    for (int k = 0; k < steps; ++k)
      for (int v = 0; v < kVectors; ++v) {
        s[v] ^= s[v] << 13;
        s[v] ^= s[v] >> 17;
        s[v] ^= s[v] << 5;
        // Both below 2^16: as signed numbers they are converted in one instruction.
        const Floats x = __builtin_convertvector((Ints)(s[v] & 0xffffu), Floats) * 0x1p-16f;
        const Floats y = __builtin_convertvector((Ints)(s[v] >> 16), Floats) * 0x1p-16f;
        inside[v] -= (Words)(x * x + y * y < 1.0f);
      }
    for (int v = 0; v < kVectors; ++v) store(hits + base + v * kFloats, inside[v]);
  }
}
