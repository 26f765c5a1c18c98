#!/usr/bin/env python3
"""Kernels whose x counts the rows of a matrix, launched without a local size, and such that turn matrices, on every platform that the loader finds, in turn.

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
kernel void turned(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
kernel void down(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[x * height + y];
}
kernel void doubles(global const double* in, global double* out, int width, int height) {
  local double tile[16][17];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_group_id(0) * 16, y = get_group_id(1) * 16;
  tile[ly][lx] = in[(y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x + ly) * height + y + lx] = tile[lx][ly];
}
kernel void diagonals(global const double* in, global double* out, int width, int height) {
  local double tile[16][17];
  const int lx = get_local_id(0), ly = get_local_id(1), y = get_group_id(0) * 16, x = (get_group_id(0) + get_group_id(1)) % get_num_groups(0) * 16;
  tile[ly][lx] = in[(y + ly) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(x + ly) * height + y + lx] = tile[lx][ly];
}
kernel void rows_of_eight(global const float* in, global float* out, int width, int height) {
  local float tile[32][33];
  const int lx = get_local_id(0), x = get_group_id(0) * 32, y = get_group_id(1) * 32;
  for (int i = get_local_id(1); i < 32; i += 8) tile[i][lx] = in[(y + i) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(1); i < 32; i += 8) out[(x + i) * height + y + lx] = tile[lx][i];
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
    turned = (("turned, within bounds", "turned", (16, 16), 1), ("turned, read down", "down", (16, 16), 1),
              ("turned doubles, by tiles", "doubles", (16, 16), 1), ("turned doubles, along diagonals", "diagonals", (16, 16), 1),
              ("turned, tiles by 8 rows", "rows_of_eight", (32, 8), 4))
    for name, kernel, local, global_ in turned:
        for side in (2 * items, 2 * items - 96):
            data = random.random(side * side, dtype=np.float64 if "doubles" in name else np.float32)
            yield f"{name}, {side}", kernel, (side, side // global_), local, [data, np.zeros_like(data), np.int32(side), np.int32(side)]
    yield "product", "product", (third, third), None, [floats(third * third), floats(third * third), floats(third * third), np.int32(third)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1024)
