#!/usr/bin/env python3
"""Kernels with loops over vectors and places in rings, groups that stride over rows and add up, and sub-groups whose loops broadcast what
each lane has, on every platform that the loader finds, in turn.

    loops.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define POINTWISE(NAME, TYPE) \
  kernel void NAME(global const TYPE##4* in, global const TYPE##4* weights, global TYPE##4* out, int channels, int quarter, int height) { \
    const int both = get_global_id(0), y = get_global_id(1), channel = both / quarter * 2, x = both % quarter * 4; \
    float4 sum[8] = {0, 0, 0, 0, 0, 0, 0, 0}; \
    for (int c = 0; c < channels; ++c) { \
      global const TYPE##4* row = in + (c * height + y) * quarter * 4 + x; \
      global const TYPE##4* weight = weights + (c * 4 * channels) + channel; \
      for (int k = 0; k < 4; ++k) { \
        const float4 a = convert_float4(row[k]); \
        for (int j = 0; j < 2; ++j) \
          sum[2 * k + j] = mad(a.x, convert_float4(weight[j]), mad(a.y, convert_float4(weight[channels + j]), \
                           mad(a.z, convert_float4(weight[2 * channels + j]), mad(a.w, convert_float4(weight[3 * channels + j]), sum[2 * k + j])))); \
      } \
    } \
    for (int k = 0; k < 4; ++k) \
      for (int j = 0; j < 2; ++j) out[((channel + j) * height + y) * quarter * 4 + x + k] = convert_##TYPE##4(sum[2 * k + j]); \
  }
POINTWISE(pointwise_floats, float)
POINTWISE(pointwise_halves, half)
kernel void spheres(global const float4* from, global const float4* along, constant float4* spheres, int n, global float* hit) {
  const float3 o = from[get_global_id(0)].xyz, d = normalize(along[get_global_id(0)].xyz);
  float least = INFINITY;
  for (int k = 0; k < n; ++k) {
    const float3 c = spheres[k].xyz - o;
    const float b = dot(c, d), h = b * b - dot(c, c) + spheres[k].w * spheres[k].w;
    if (h > 0 && b > 0) least = fmin(least, b - sqrt(h));
  }
  hit[get_global_id(0)] = least;
}
kernel void through_points(global const float* values, constant float* places, global const float* at, global float* y) {
  const int i = get_global_id(0), n = get_global_size(0);
  const float x = at[i];
  float p[40];
  for (int k = 0; k < 40; ++k) p[k] = values[k * n + i];
  for (int m = 1; m < 40; ++m)
    for (int k = 0; k < 40 - m; ++k) p[k] = ((x - places[k + m]) * p[k] + (places[k] - x) * p[k + 1]) / (places[k] - places[k + m]);
  y[i] = p[0];
}
kernel void factors(global const float* matrices, global float* determinants) {
  const int i = get_global_id(0), n = get_global_size(0);
  float a[16][16], product = 1;
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c) a[r][c] = matrices[(r * 16 + c) * n + i] + (r == c ? 4.0f : 0.0f);
  for (int k = 0; k < 16; ++k) {
    product *= a[k][k];
    for (int r = k + 1; r < 16; ++r) {
      const float l = a[r][k] / a[k][k];
      for (int c = k + 1; c < 16; ++c) a[r][c] -= l * a[k][c];
    }
  }
  determinants[i] = product;
}
kernel void kernel_density(global const float2* points, constant float2* samples, int n, global float* density) {
  const float2 p = points[get_global_id(0)];
  float sum = 0;
  for (int k = 0; k < n; ++k) { const float2 d = p - samples[k]; sum += native_exp(-dot(d, d)); }
  density[get_global_id(0)] = sum;
}
kernel void farthest(global const double4* points, constant double4* centres, int n, global double* distance) {
  const double4 p = points[get_global_id(0)];
  double most = 0;
  for (int k = 0; k < n; ++k) { const double4 d = p - centres[k]; most = fmax(most, dot(d, d)); }
  distance[get_global_id(0)] = sqrt(most);
}
kernel void filter_in_ring(global const float* ring, constant float* taps, int begin, int mask, int n, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += taps[k] * ring[(begin + i - k) & mask];
  out[i] = sum;
}
kernel void palette(global const uint* colors, uint seed, global float4* out) {
  uint state = get_global_id(0) * 747796405u + seed;
  float4 sum = 0;
  for (int i = 0; i < 16; ++i) {
    state = state * 1664525u + 1013904223u;
    const float weight = (state & 255) * (1.0f / 255);
    const uint2 pair = vload2(state >> 20, colors);
    sum += (1 - weight) * convert_float4((uint4)(pair.x) >> (uint4)(0, 8, 16, 24) & 255u) +
           weight * convert_float4((uint4)(pair.y) >> (uint4)(0, 8, 16, 24) & 255u);
  }
  out[get_global_id(0)] = sum;
}
kernel void periodic(global const float* in, int width, int height, global float* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = (x + width - 1) % width, right = (x + 1) % width, up = (y + height - 1) % height, down = (y + 1) % height;
  out[y * width + x] = 0.25f * (in[y * width + left] + in[y * width + right] + in[up * width + x] + in[down * width + x]);
}
kernel void around(global const float* in, int width, int height, global float* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = x == 0 ? width - 1 : x - 1, right = x == width - 1 ? 0 : x + 1;
  const int up = y == 0 ? height - 1 : y - 1, down = y == height - 1 ? 0 : y + 1;
  out[y * width + x] = 0.25f * (in[y * width + left] + in[y * width + right] + in[up * width + x] + in[down * width + x]);
}
kernel void halves(global const float2* in, int width, int height, global float2* out) {
  const int x = get_global_id(0), y = get_global_id(1), w = width / 2, h = height / 2;
  out[(y < h ? y + h : y - h) * width + (x < w ? x + w : x - w)] = in[y * width + x];
}
kernel void corners(global const double* of_corner, int n, global double* sum) {
  uint item = get_global_id(0);
  if (item >= n) item = n - 1;
  double total = 0;
  for (int k = 0; k < 8; ++k) total += of_corner[item + n * k];
  sum[get_global_id(0)] = total;
}
kernel void shifted(global const double* in, uint by, uint n, global double* out) {
  const uint i = get_global_id(0);
  out[i] = in[(i + by) % n];
}
kernel void neighbours(global const float4* points, int n, global float* out) {
  const float4 p = points[get_global_id(0)];
  float sum = 0;
  for (int first = 0; first < n; first += get_max_sub_group_size()) {
    const float4 mine = points[first + get_sub_group_local_id()];
    for (int k = 0; k < get_max_sub_group_size(); ++k) {
      const float x = sub_group_broadcast(mine.x, k) - p.x, y = sub_group_broadcast(mine.y, k) - p.y;
      sum += x * x + y * y < 0.25f ? sub_group_broadcast(mine.w, k) : 0;
    }
  }
  out[get_global_id(0)] = sum;
}
kernel void shuffled_polynomial(global const float* c, global const float* x, int rounds, global float* out) {
  const float mine = c[get_sub_group_local_id()], at = x[get_global_id(0)];
  float sum = 0;
  for (int r = 0; r < rounds; ++r)
    for (int k = 0; k < get_max_sub_group_size(); ++k) sum = sum * at + sub_group_shuffle(mine, k);
  out[get_global_id(0)] = sum;
}
kernel void row_sums(global const float* a, int n, local float* t, global float* sums) {
  const int l = get_local_id(0), width = get_local_size(0), row = get_group_id(0);
  float sum = 0;
  for (int k = l; k < n; k += width) sum += a[row * n + k];
  t[l] = sum;
  for (int s = width / 2; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] += t[l + s]; }
  if (l == 0) sums[row] = t[0];
}
kernel void greatest(global const float* a, global const int* first, local float* t, global float* out) {
  const int l = get_local_id(0), row = get_group_id(0), end = first[row + 1];
  float best = -INFINITY;
  for (int k = first[row] + l; k < end; k += get_local_size(0)) best = fmax(best, a[k]);
  t[l] = best;
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] = fmax(t[l], t[l + s]); }
  if (l == 0) out[row] = t[0];
}
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void powers(global const float* x, global const float* of_lanes, global float* out) {
  const float mine = of_lanes[get_sub_group_local_id()], at = x[get_global_id(0)];
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum = sum * at + sub_group_broadcast(mine, k);
  out[get_global_id(0)] = sum;
}
kernel void forces(global const float4* bodies, int n, global float4* force) {
  const float4 own = bodies[get_global_id(0)];
  float3 sum = 0;
  for (int first = 0; first < n; first += get_max_sub_group_size()) {
    const float4 other = bodies[first + get_sub_group_local_id()];
    for (int k = 0; k < get_max_sub_group_size(); ++k) {
      const float3 d = (float3)(sub_group_broadcast(other.x, k), sub_group_broadcast(other.y, k), sub_group_broadcast(other.z, k)) - own.xyz;
      sum += d * (sub_group_broadcast(other.w, k) * native_rsqrt(dot(d, d) + 0.01f));
    }
  }
  force[get_global_id(0)] = (float4)(sum, 0);
}
kernel void interpolated(global const float* a, global const float* b, int n, global float* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0, weight = 0;
  for (int k = 0; k < n; ++k) { const float w = a[y * n + k]; sum = fma(w, b[k * get_global_size(0) + x], sum); weight += w; }
  out[y * get_global_size(0) + x] = sum / weight;
}
kernel void in_cones(global const float2* points, constant float4* cones, int n, global float* out) {
  const float2 p = points[get_global_id(0)];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float2 d = p - cones[k].xy;
    const float squared = dot(d, d);
    if (squared < 0.002f && d.x * cones[k].z + d.y * cones[k].w > 0) sum += squared;
  }
  out[get_global_id(0)] = sum;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = np.int32
    yield "nearest of 64 spheres on a ray", "spheres", (items,), (128,), [floats(items * 4) - 2, floats(items * 4), floats(256), ints(64), floats(items)]
    yield ("polynomial through 40 points", "through_points", (items // 4,), (64,), [floats(items * 10), np.arange(40, dtype=np.float32) / 40,
                                                                             np.float32(0.4) + floats(items // 4) / 5, floats(items // 4)])
    yield "determinants of 16x16, private", "factors", (items // 4,), (64,), [floats(items * 64), floats(items // 4)]
    yield "density of 128 samples", "kernel_density", (items,), (64,), [floats(items * 2), floats(256), ints(128), floats(items)]
    yield "farthest of 32 centres, double", "farthest", (items,), (64,), [random.random(items * 4), random.random(128), ints(32), random.random(items)]
    yield "near points, by broadcasts", "neighbours", (items,), (64,), [floats(items * 4), ints(256), floats(items)]
    yield "polynomial, by shuffles", "shuffled_polynomial", (items,), (128,), [floats(32), floats(items), ints(4), floats(items)]
    yield "48 taps in a ring", "filter_in_ring", (items,), (64,), [floats(items), floats(48), ints(77), ints(items - 1), ints(48), floats(items)]
    yield "16 mixed colors of a palette", "palette", (items,), (64,), [random.integers(0, 1 << 32, 8192, dtype=np.uint32), np.uint32(7), floats(items * 4)]
    side = 1 << (items.bit_length() // 2)
    for local in ((16, 16), (64, 4)):
        yield (f"periodic stencil, {local[0]}x{local[1]}", "periodic", (side, side), local,
               [floats(side * side), ints(side), ints(side), floats(side * side)])
        yield (f"stencil around the edges by ?:, {local[0]}x{local[1]}", "around", (side, side), local,
               [floats(side * side), ints(side), ints(side), floats(side * side)])
    yield ("halves of an image exchanged", "halves", (side, side), (16, 16),
           [floats(2 * side * side), ints(side), ints(side), floats(2 * side * side)])
    for name, kernel, type in (("floats", "pointwise_floats", np.float32), ("halves", "pointwise_halves", np.float16)):
        yield (f"64 channels of {name}, 4 pixels", kernel, (112, 56), (16, 4),
               [floats(64 * 56 * 56).astype(type), floats(64 * 64).astype(type), np.zeros(64 * 56 * 56, type), ints(16), ints(14), ints(56)])
    yield "sums of 8 corners, clamped, double", "corners", (items,), (64,), [random.random(8 * items), ints(items - 5), random.random(items)]
    yield "shift by a remainder, double", "shifted", (items,), (64,), [random.random(items), np.uint32(5), np.uint32(items), random.random(items)]
    for n, local in ((100, 64), (1000, 64), (1000, 128), (1000, 256), (1000, 512)):
        yield (f"sums of rows of {n}, groups of {local}", "row_sums", (items // 16 * local,), (local,),
               [floats(items // 16 * n), ints(n), cl.LocalMemory(4 * local), floats(items // 16)])
    yield "sums in 256 cones", "in_cones", (items,), (64,), [floats(items * 2), floats(1024) - np.float32(0.1), ints(256), floats(items)]
    lengths = random.integers(0, 200, items // 16)
    first = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    for local in (64, 256):
        yield (f"greatest of rows of 0 to 200, groups of {local}", "greatest", (items // 16 * local,), (local,),
               [floats(int(first[-1])), first, cl.LocalMemory(4 * local), floats(items // 16)])
    yield "polynomial, a coefficient a lane", "powers", (items,), (128,), [floats(items), floats(32), floats(items)]
    yield "forces of 1024, by broadcasts", "forces", (items // 8,), (64,), [floats(items // 2), ints(1024), floats(items // 2)]
    for local in ((16, 16), (32, 8)):
        yield (f"weighted sums of 512 columns, {local[0]}x{local[1]}", "interpolated", (512, 512), local,
               [floats(512 * 512), floats(512 * 512), ints(512), floats(512 * 512)])


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=65536)
