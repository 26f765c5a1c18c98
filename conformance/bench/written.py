#!/usr/bin/env python3
"""Kernels whose work-items walk along rows of their own and write them, on every platform that the loader finds, in turn.

    written.py [--rounds 8] [--items 4096] [NAME ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft are two platforms, as for
rows.py. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

SOURCE = """
kernel void sums(global const float* a, global float* y, int n) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) { s += a[row * n + k]; y[row * n + k] = s; }
}
kernel void byte_sums(global const uchar* a, global uint* y, int n) {
  const int row = get_global_id(0);
  uint s = 0;
  for (int k = 0; k < n; ++k) { s += a[row * n + k]; y[row * n + k] = s; }
}
kernel void sums_in_place(global float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 1; k < n; ++k) y[row * n + k] = 0.5f * y[row * n + k] + 0.5f * y[row * n + k - 1];
}
kernel void sums_of_256(global const float* a, global float* y) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 256; ++k) { s += a[row * 256 + k]; y[row * 256 + k] = s; }
}
kernel void adi1(global float* a, global float* b, global float* x, int n) {
  const int i = get_global_id(0);
  if (i < n)
    for (int j = 1; j < n; ++j) {
      x[i * n + j] = x[i * n + j] - x[i * n + (j - 1)] * a[i * n + j] / b[i * n + (j - 1)];
      b[i * n + j] = b[i * n + j] - a[i * n + j] * a[i * n + j] / b[i * n + (j - 1)];
    }
}
kernel void adi3(global float* a, global float* b, global float* x, int n) {
  const int i = get_global_id(0);
  if (i < n)
    for (int j = 0; j < n - 2; ++j)
      x[i * n + (n - j - 2)] = (x[i * n + (n - 2 - j)] - x[i * n + (n - 2 - j - 1)] * a[i * n + (n - j - 3)]) / b[i * n + (n - 3 - j)];
}
kernel void recursive(global const float* in, global float* out, int n, float c0, float c1, float c2, float c3) {
  const int row = get_global_id(0);
  for (int k = 2; k < n; ++k)
    out[row * n + k] = c0 * in[row * n + k] + c1 * in[row * n + k - 1] + c2 * out[row * n + k - 1] + c3 * out[row * n + k - 2];
}
kernel void vectors(global const float2* in, global float2* out, int n) {
  const size_t row = get_global_id(0);
  float2 s = 0;
  for (int k = 0; k < n; ++k) { s = 0.5f * s + in[row * n + k]; out[row * n + k] = s; }
}
kernel void filter4(global const float4* in, global float4* out, int n) {
  const int row = get_global_id(0);
  float4 s = 0;
  for (int k = 0; k < n; ++k) { s = 0.5f * s + in[row * n + k]; out[row * n + k] = s; }
}
kernel void filter4_in_place(global float4* y, int n) {
  const int row = get_global_id(0);
  float4 s = 0;
  for (int k = n - 1; k >= 0; --k) { s = 0.5f * s + 0.5f * y[row * n + k]; y[row * n + k] = s; }
}
kernel void colour_sums(global const uchar4* in, global uint4* out, int n) {
  const int row = get_global_id(0);
  uint4 s = 0;
  for (int k = 0; k < n; ++k) { s += convert_uint4(in[row * n + k]); out[row * n + k] = s; }
}
kernel void pairs_of_doubles(global const double2* in, global double2* out, int n) {
  const int row = get_global_id(0);
  double2 s = 0;
  for (int k = 0; k < n; ++k) { s += in[row * n + k]; out[row * n + k] = s; }
}
kernel void bytes(global const uchar* in, global uchar* out, int n) {
  const int row = get_global_id(0);
  uint h = 7;
  for (int k = 0; k < n; ++k) { h = h * 31 + in[row * n + k]; out[row * n + k] = h >> 8; }
}
kernel void levels(global const uchar* in, global float* out, int n) {
  const int row = get_global_id(0);
  float h = 0;
  for (int k = 0; k < n; ++k) { h = 0.75f * h + in[row * n + k]; out[row * n + k] = h; }
}
kernel void columns(global const float* in, global float* out, int n) {
  const size_t row = get_global_id(0), rows = get_global_size(0);
  for (int k = 0; k < n; ++k) out[k * rows + row] = in[row * n + k];
}
kernel void rows(global const float* in, global float* out, int n) {
  const size_t row = get_global_id(0), rows = get_global_size(0);
  float s = 0;
  for (int k = 0; k < n; ++k) { s += in[k * rows + row]; out[row * n + k] = s; }
}
kernel void doubles(global const double* in, global double* out, int n) {
  const int row = get_global_id(0);
  double s = 0;
  for (int k = 0; k < n; ++k) { s += in[row * n + k]; out[row * n + k] = s; }
}
kernel void random_numbers(global const uint* seed, global uint* out, int n) {
  const int item = get_global_id(0);
  uint x = seed[item];
  for (int k = 0; k < n; ++k) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; out[item * n + k] = x; }
}
kernel void chunks(global const double* in, global double* out, ulong n) {
  const ulong chunk = (n + get_global_size(0) - 1) / get_global_size(0), begin = get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (ulong i = begin; i < end; ++i) out[i] += 0.5 * in[i];
}
kernel void chunks_of_ints(global const int* in, global int* out, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) out[i] = max(in[i] * 3, out[i] - 1);
}
kernel void chunks_chosen(global const int* in, global int* out, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) out[i] = in[i] > 0 ? in[i] * 3 : out[i];
}
kernel void softmax(global const float* in, global float* out, int n) {
  const int row = get_global_id(0);
  float most = -INFINITY, sum = 0;
  for (int k = 0; k < n; ++k) most = fmax(most, in[row * n + k]);
  for (int k = 0; k < n; ++k) { const float e = exp(in[row * n + k] - most); sum += e; out[row * n + k] = e; }
  for (int k = 0; k < n; ++k) out[row * n + k] /= sum;
}
kernel void normalized(global const float* in, global float* out, int n) {
  const int row = get_global_id(0);
  float mean = 0, sum = 0;
  for (int k = 0; k < n; ++k) mean += in[row * n + k];
  mean /= n;
  for (int k = 0; k < n; ++k) { const float x = in[row * n + k] - mean; sum += x * x; }
  for (int k = 0; k < n; ++k) out[row * n + k] = (in[row * n + k] - mean) * rsqrt(sum / n);
}
kernel void scaled(global float* y, int n) {
  const int row = get_global_id(0);
  for (int k = 0; k < n; ++k) y[row * n + k] = y[row * n + k] * 0.5f + 0.25f;
}
kernel void eliminated(global float* a, int n, int k) {
  const int i = get_global_id(0);
  if (i > k && i < n)
    for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
kernel void decomposed(global float* a, int n) {
  for (int k = 0; k < n - 1; ++k) {
    for (int i = k + 1 + get_local_id(0); i < n; i += get_local_size(0)) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
kernel void overlapping(global float* y, int n, int pitch) {
  const int row = get_global_id(0);
  for (int k = 1; k < n; ++k) y[row * pitch + k] += 0.25f * y[row * pitch + k - 1];
}
"""


def cases(items):
    """As walks.py's."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32) + np.float32(0.5)
    ints = np.int32
    for n in (250, 256):
        yield f"running sums of {n}", "sums", (items,), (64,), [floats(items * n), floats(items * n), ints(n)]
    yield "running sums of 256, known", "sums_of_256", (items,), (64,), [floats(items * 256), floats(items * 256)]
    yield "running means of 250, in place", "sums_in_place", (items,), (64,), [floats(items * 250), ints(250)]
    for n in (1000, 1024):
        arrays = [floats(n * n) * np.float32(0.1), floats(n * n) + np.float32(2), floats(n * n)]
        yield f"PolyBench adi1, {n}", "adi1", (1024,), (256,), [*arrays, ints(n)]
        yield f"PolyBench adi3, {n}", "adi3", (1024,), (256,), [*arrays, ints(n)]
    yield ("recursive filter of order 2, 500", "recursive", (items,), (64,),
           [floats(items * 500), floats(items * 500), ints(500), *map(np.float32, (0.2, 0.1, 0.5, 0.2))])
    yield "filter of float2, 100", "vectors", (items,), (64,), [floats(items * 200), floats(items * 200), ints(100)]
    for n in (500, 512):
        rows = items // 8
        yield f"filter of float4, {n}", "filter4", (rows,), (64,), [floats(rows * n * 4), floats(rows * n * 4), ints(n)]
        yield f"filter of float4, {n}, in place", "filter4_in_place", (rows,), (64,), [floats(rows * n * 4), ints(n)]
        yield (f"running sums of {n} colours", "colour_sums", (rows,), (64,),
               [random.integers(0, 255, rows * n * 4, dtype=np.uint8), np.zeros(rows * n * 4, np.uint32), ints(n)])
        yield f"running sums of {n} double2", "pairs_of_doubles", (rows,), (64,), [random.random(rows * n * 2), random.random(rows * n * 2), ints(n)]
    yield ("bytes to bytes, 1000", "bytes", (items,), (64,),
           [random.integers(0, 255, items * 1000, dtype=np.uint8), np.zeros(items * 1000, np.uint8), ints(1000)])
    yield ("bytes to floats, 200", "levels", (items,), (64,),
           [random.integers(0, 255, items * 200, dtype=np.uint8), floats(items * 200), ints(200)])
    for n in (1000, 1024):
        yield f"running sums of {n} bytes", "byte_sums", (1024,), (64,), [random.integers(0, 255, 1024 * n, dtype=np.uint8), np.zeros(1024 * n, np.uint32), ints(n)]
    yield "rows to columns, 100", "columns", (items,), (64,), [floats(items * 100), floats(items * 100), ints(100)]
    yield "columns to rows, 100", "rows", (items,), (64,), [floats(items * 100), floats(items * 100), ints(100)]
    yield "running sums of 100 doubles", "doubles", (items,), (64,), [random.random(items * 100), random.random(items * 100), ints(100)]
    yield ("100 random numbers an item", "random_numbers", (items,), (64,),
           [random.integers(1, 1 << 32, items, dtype=np.uint32), np.zeros(items * 100, np.uint32), ints(100)])
    for n in (1000, 1024):
        yield f"softmax of {n}", "softmax", (items // 4,), (64,), [floats(items // 4 * n), floats(items // 4 * n), ints(n)]
        yield f"rows of {n}, normalized", "normalized", (items // 4,), (64,), [floats(items // 4 * n), floats(items // 4 * n), ints(n)]
    for n in (50, 100, 1000, 1024):
        yield f"rows of {n}, scaled in place", "scaled", (1024,), (64,), [floats(1024 * n), ints(n)]
    for n in (200, 509, 1024):
        yield f"a step of elimination, {n}", "eliminated", (1024,), (64,), [floats(n * n) * np.float32(0.01), ints(n), ints(3)]
    yield "LU decomposition, 256", "decomposed", (128,), (128,), [(floats((256, 256)) + 256 * np.eye(256, dtype=np.float32)).ravel(), ints(256)]
    n = (1 << 18) - 77
    yield "chunks of doubles, groups of one", "chunks", (8,), (1,), [random.random(n), random.random(n), np.uint64(n)]
    for name, kernel in (("chunks of 4096 ints, groups of one", "chunks_of_ints"), ("the same, read under a condition", "chunks_chosen")):
        yield name, kernel, (64,), (1,), [random.integers(-9, 9, n, dtype=np.int32), np.zeros(n, np.int32), ints(n), ints(4096)]
    yield "rows that overlap", "overlapping", (items,), (64,), [np.zeros(items * 3 + 100, np.float32), ints(100), ints(3)]


if __name__ == "__main__":
    main(__doc__, SOURCE, cases)
