#!/usr/bin/env python3
"""Kernels along rows whose lengths differ from one work-item to the next, on every platform that the loader finds, in turn.

    triangles.py [--rounds 8] [--items 1024] [NAME ...]

`--items` is the number of a triangle's rows. Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

SOURCE = """
kernel void lower(global const float* a, global const float* x, global float* y, int n, int ld) {
  const int row = get_global_id(0);
  if (row >= n) return;
  float s = 0;
  for (int k = 0; k <= row; ++k) s += a[row * ld + k] * x[k];
  y[row] = s;
}
kernel void upper(global const float* a, global const float* x, global float* y, int n, int ld) {
  const int row = get_global_id(0);
  if (row >= n) return;
  float s = 0;
  for (int k = row; k < n; ++k) s += a[row * ld + k] * x[k];
  y[row] = s;
}
kernel void packed(global const double* a, global const double* x, global double* y, int n) {
  const int row = get_global_id(0);
  double s = 0;
  for (int k = 0; k <= row; ++k) s += a[row * (row + 1) / 2 + k] * x[k];
  y[row] = s;
}
kernel void symmetric(global const float* a, global const float* x, global float* y, int n, int ld) {
  const int row = get_global_id(0);
  if (row >= n) return;
  float s = 0;
  for (int k = 0; k <= row; ++k) s += a[row * ld + k] * x[k];
  for (int k = row + 1; k < n; ++k) s += a[k * ld + row] * x[k];
  y[row] = s;
}
kernel void tiled(global const float* restrict a, global const float* restrict x, global float* restrict y, int n, int ld, int upper) {
  const int row = get_global_id(0);
  float s = 0;
  for (int first = 0; first < n; first += 64)
    if (row < n)
      for (int i = 0; i < 64; ++i) {
        const int k = first + i;
        float value;
        if ((upper == 0 && k <= row) || (upper == 1 && row <= k)) value = a[ld * k + row];
        else value = a[ld * row + k];
        s += x[k] * value;
      }
  y[row] = s;
}
kernel void triangle(global const float* restrict a, global const float* restrict x, global float* restrict y, int n, int ld, int kind) {
  const int row = get_global_id(0);
  float s = 0;
  for (int first = 0; first < n; first += 64)
    if (row < n)
      for (int i = 0; i < 64; i += 32)
#pragma unroll
        for (int j = 0; j < 32; ++j) {
          const int k = first + i + j;
          float value = 0;
          if (((kind == 0 || kind == 2) && k <= row) || ((kind == 1 || kind == 3) && row <= k)) {
            value = a[ld * row + k];
            if (kind >= 2 && k == row) value = 1;
          }
          s += x[k] * value;
        }
  y[row] = s;
}
kernel void banded(global const float* a, global const float* x, global float* y, int n, int half_width) {
  const int row = get_global_id(0), width = 2 * half_width + 1;
  float s = 0;
  for (int k = max(0, row - half_width); k < min(n, row + half_width + 1); ++k) s += a[row * width + k - row + half_width] * x[k];
  y[row] = s;
}
kernel void lengths(global const float* a, global const int* length, global float* y, int ld) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < length[row]; ++k) s += a[row * ld + k];
  y[row] = s;
}
kernel void sparse(global const int* begins, global const int* columns, global const float* values, global const float* x, global float* y) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = begins[row]; k < begins[row + 1]; ++k) s += values[k] * x[columns[k]];
  y[row] = s;
}
kernel void filters(global float* restrict a, global float* restrict b, global float* restrict c, global const float* restrict w, int rows, int n) {
  const int row = get_global_id(0);
  if (row >= rows) return;
  float s = 0, t = 0, u = 0;
  for (int k = 0; k < n; ++k) {
    const float p = a[row * n + k], q = b[row * n + k];
    s = s * 0.9f + p * w[k];
    t = t * 0.8f + q * w[k] * s;
    a[row * n + k] = s;
    b[row * n + k] = t;
  }
  for (int k = 0; k < n; ++k) {
    s = s * 0.7f + a[row * n + k] * w[k];
    t = t * 0.6f + c[row * n + k] * s;
    c[row * n + k] = s + t;
  }
  for (int k = 0; k < n; ++k) {
    u = u * 0.5f + c[row * n + k];
    b[row * n + k] = u;
  }
}
kernel void taps(global const int* in, constant int* weights, global int* out, int width, int height, int r) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = x < r ? -x : -r, right = x >= width - r ? width - 1 - x : r;
  const int above = y < r ? -y : -r, below = y >= height - r ? height - 1 - y : r;
  int sum = 0;
  for (int j = above; j <= below; ++j)
    for (int i = left; i <= right; ++i) sum += in[(y + j) * width + x + i] * weights[(j + r) * (2 * r + 1) + i + r];
  out[y * width + x] = sum;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32) * np.float32(0.1)
    ints = np.int32
    for ld in (items, items + 8):
        arrays = [floats(items * ld), floats(items), floats(items), ints(items), ints(ld)]
        for kernel in ("lower", "upper", "symmetric"):
            yield f"{kernel} triangle, {ld} apart", kernel, (items,), (64,), arrays
        for half in (0, 1):
            yield f"tiles of a symmetric matrix, {ld} apart, {half}", "tiled", (items,), (64,), arrays + [ints(half)]
            yield f"tiles of a triangle, {ld} apart, {half}", "triangle", (items,), (64,), arrays + [ints(half)]
    yield "packed triangle of doubles", "packed", (items,), (64,), [random.random(items * (items + 1) // 2), random.random(items), random.random(items), ints(items)]
    rows = 32 * items
    yield "band of 33", "banded", (rows,), (64,), [floats(rows * 33), floats(rows), floats(rows), ints(rows), ints(16)]
    for first, last in ((200, 250), (0, 250)):
        yield (f"rows of {first} to {last}", "lengths", (4 * items,), (64,),
               [floats(4 * items * 256), random.integers(first, last, 4 * items, dtype=np.int32), floats(4 * items), ints(256)])
    for first, last, count in ((3, 7, 256), (0, 10, 256), (8, 16, 128), (28, 33, 32), (0, 60, 64)):
        lengths = random.integers(first, last, count * items)
        begins = np.zeros(count * items + 1, np.int32)
        begins[1:] = np.cumsum(lengths)
        yield (f"sparse rows of {first} to {last - 1}", "sparse", (count * items,), (64,),
               [begins, random.integers(0, count * items, begins[-1], dtype=np.int32), floats(begins[-1]), floats(count * items), floats(count * items)])
    yield ("filters of 250, under a bound", "filters", (4 * items,), (64,),
           [floats(4 * items * 250), floats(4 * items * 250), floats(4 * items * 250), floats(250), ints(4 * items), ints(250)])
    side = 512
    yield ("taps of 7x7 inside of an image", "taps", (side, side), (16, 16),
           [random.integers(0, 255, side * side).astype(np.int32), random.integers(-8, 8, 49).astype(np.int32), np.zeros(side * side, np.int32),
            np.int32(side), np.int32(side), np.int32(3)])


if __name__ == "__main__":
    main(__doc__, SOURCE, cases, items=1024)
