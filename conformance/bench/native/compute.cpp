// Compiled with -ffast-math, as OpenCL's bounds for quotients, roots and functions of float allow.
#include <cmath>

#include "bench/native/native.h"
#include "bench/native/vectors.h"

using namespace weft::bench::native;

namespace {

inline float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float tail = 0.39894228f * std::exp(-0.5f * d * d) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

struct Particle {
  float position[3];
  float velocity[3];
  float mass;
  int kind;
};

}  // namespace

WEFT_NATIVE(black_scholes_black_scholes) {
  const float *__restrict price = p.buffer<float>(0), *__restrict strike = p.buffer<float>(1), *__restrict years = p.buffer<float>(2);
  float* __restrict out = p.buffer<float>(3);
  const float rate = p.value<float>(4), volatility = p.value<float>(5);
  const std::size_t n = p.global[0];
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) {
    const float s = price[i], x = strike[i], t = years[i];
    const float root = volatility * std::sqrt(t);
    const float d1 = (std::log(s / x) + (rate + 0.5f * volatility * volatility) * t) / root;
    const float d2 = d1 - root;
    const float discounted = x * std::exp(-rate * t);
    const float n1 = normal_cdf(d1), n2 = normal_cdf(d2);
    out[2 * i] = s * n1 - discounted * n2;
    out[2 * i + 1] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}

WEFT_NATIVE(nbody_nbody) {
  const float* __restrict position = p.buffer<float>(0);
  float* __restrict acceleration = p.buffer<float>(1);
  const float softening = p.value<float>(2);
  const int n = static_cast<int>(p.global[0]);
  constexpr int kVectors = 2;  // of bodies at a time: enough chains of additions to hide their latency
#pragma omp parallel for schedule(static) default(firstprivate)
  for (int base = 0; base < n; base += kVectors * kFloats) {
    Floats x[kVectors], y[kVectors], z[kVectors], sx[kVectors] = {}, sy[kVectors] = {}, sz[kVectors] = {};
    for (int v = 0; v < kVectors; ++v)
      for (int l = 0; l < kFloats; ++l) {
        const float* me = position + 4 * (base + v * kFloats + l);
        x[v][l] = me[0], y[v][l] = me[1], z[v][l] = me[2];
      }
    for (int j = 0; j < n; ++j) {
      const float* other = position + 4 * j;
      for (int v = 0; v < kVectors; ++v) {
        const Floats dx = other[0] - x[v], dy = other[1] - y[v], dz = other[2] - z[v];
        const Floats inverse = 1.0f / __builtin_elementwise_sqrt(dx * dx + dy * dy + dz * dz + softening);
        const Floats s = other[3] * inverse * inverse * inverse;
        sx[v] += dx * s;
        sy[v] += dy * s;
        sz[v] += dz * s;
      }
    }
    for (int v = 0; v < kVectors; ++v)
      for (int l = 0; l < kFloats; ++l) {
        float* sum = acceleration + 4 * (base + v * kFloats + l);
        sum[0] = sx[v][l], sum[1] = sy[v][l], sum[2] = sz[v][l], sum[3] = 0;
      }
  }
}

WEFT_NATIVE(transform_transform) {
  const float* __restrict in = p.buffer<float>(0);
  float* __restrict out = p.buffer<float>(1);
  float m[16];
  std::memcpy(m, p.arguments[2], sizeof m);
  const std::size_t n = p.global[0];
#pragma omp parallel for simd schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) {
    const float x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2], w = in[4 * i + 3];
    const float inverse = 1.0f / (m[12] * x + m[13] * y + m[14] * z + m[15] * w);
    out[4 * i] = (m[0] * x + m[1] * y + m[2] * z + m[3] * w) * inverse;
    out[4 * i + 1] = (m[4] * x + m[5] * y + m[6] * z + m[7] * w) * inverse;
    out[4 * i + 2] = (m[8] * x + m[9] * y + m[10] * z + m[11] * w) * inverse;
    out[4 * i + 3] = 1.0f;
  }
}

WEFT_NATIVE(transform_move) {
  Particle* particles = p.buffer<Particle>(0);
  const float dt = p.value<float>(1);
  const std::size_t n = p.global[0];
#pragma omp parallel for schedule(static) default(firstprivate)
  for (std::size_t i = 0; i < n; ++i) {
    Particle& q = particles[i];
    const float drag = q.kind & 1 ? 0.99f : 1.0f / (1.0f + 0.01f * q.mass);
    for (int k = 0; k < 3; ++k) {
      q.velocity[k] = q.velocity[k] * drag + 0.01f * static_cast<float>(k);
      q.position[k] += dt * q.velocity[k];
    }
  }
}
