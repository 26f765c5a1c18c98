#!/usr/bin/env python3
"""Kernels whose x counts the rows of a matrix, launched without a local size, on every platform that the loader finds, in turn.

    columns.py [--rounds 8] [--items 1024] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void scaled(global const float* factors, global float* a, int n) {
  const int row = get_global_id(0), column = get_global_id(1);
  if (row < n && column < n) a[row * n + column] *= factors[row];
}
kernel void outer(global const float* x, global const float* y, global float* a, int n) {
  const size_t row = get_global_id(0), column = get_global_id(1);
  a[row * n + column] += x[row] * y[column];
}
kernel void smoothed(global const float* in, global float* out, int n) {
  const int i = get_global_id(0), j = get_global_id(1);
  if (i == 0 || j == 0 || i == n - 1 || j == n - 1) return;
  out[i * n + j] = 0.25f * (in[i * n + j - 1] + in[i * n + j + 1] + in[(i - 1) * n + j] + in[(i + 1) * n + j]);
}
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  const int i = get_global_id(0), j = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];
  c[i * n + j] = s;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    n, square = np.int32(items), (items, items)
    yield "rows scaled, within bounds", "scaled", square, None, [floats(items), np.zeros(items * items, np.float32), n]
    yield "outer product added", "outer", square, None, [floats(items), floats(items), np.zeros(items * items, np.float32), n]
    yield "four neighbours", "smoothed", square, None, [floats(items * items), floats(items * items), n]
    third = items // 3
    yield "product", "product", (third, third), None, [floats(third * third), floats(third * third), floats(third * third), np.int32(third)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1024)
