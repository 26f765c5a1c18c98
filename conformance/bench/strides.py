#!/usr/bin/env python3
"""Loops by strides of the grid and down columns of a matrix, over more memory than caches hold or less, on every platform that the loader finds, in turn.

    strides.py [--rounds 8] [--items 16777216] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
kernel void product(global const float* x, global const float* y, global float* sums, int n, local float* t) {
  const int l = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * y[i];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = t[0];
}
kernel void scaled(global const float* x, global float* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = 2.0f * x[i];
}
kernel void saxpy(global const float* x, global float* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += 3.0f * x[i];
}
kernel void grey(global const uchar* x, global uchar* y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = (x[3 * i] * 77 + x[3 * i + 1] * 151 + x[3 * i + 2] * 28) >> 8;
}
kernel void roots(global const float* x, global float* y, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i] * x[i];
  y[get_global_id(0)] = sqrt(sum);
}
kernel void counts(global const float* x, global float* y, int n) {
  int count = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) count += x[i] > 0.25f;
  y[get_global_id(0)] = 0.5f * count;
}
kernel void pairs(global const float* x, global float* y, int n) {
  const int local_size = get_local_size(0);
  float sum = 0;
  int i = get_group_id(0) * local_size * 2 + get_local_id(0);
  while (i < n) {
    sum += x[i] + x[i + local_size];
    i += local_size * 2 * get_num_groups(0);
  }
  y[get_global_id(0)] = sum;
}
kernel void columns(global const float* x, global float* y, int rows) {
  const int columns = get_global_size(0), column = get_global_id(0);
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += x[row * columns + column];
  y[column] = sum;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    x, y = (random.random(items, dtype=np.float32) for _ in range(2))
    n = np.int32(items)
    for groups, local in ((64, 256), (128, 64), (512, 32), (1001, 32)):
        size, shape = groups * local, f"{groups} groups of {local}"
        results = np.zeros(size, np.float32)
        yield f"product, {shape}", "product", (size,), (local,), [x, y, np.zeros(groups, np.float32), n, cl.LocalMemory(4 * local)]
        yield f"scaled, {shape}", "scaled", (size,), (local,), [x, y, n]
        yield f"saxpy, {shape}", "saxpy", (size,), (local,), [x, y, n]
        yield f"grey, {shape}", "grey", (size,), (local,), [x.view(np.uint8), y.view(np.uint8), n]
        yield f"roots, {shape}", "roots", (size,), (local,), [x, results, n]
        yield f"counts, {shape}", "counts", (size,), (local,), [x, results, n]
        yield f"pairs, {shape}", "pairs", (size,), (local,), [x, results, n]
        yield f"columns, {shape}", "columns", (size,), (local,), [x, results, np.int32(items // size)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 24)
