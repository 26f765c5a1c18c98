#!/usr/bin/env python3
"""Products of matrices as programs for devices write them, from tiles in local memory to blocks in registers, on every platform that the
loader finds, in turn.

    products.py [--rounds 8] [--items 512] [NAME ...]

`--items` is the number of rows, a multiple of 128. Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// All by columns: c[col * n + row] = sum of a[k * n + row] * b[col * n + k].
kernel void tiled(global const float* a, global const float* b, global float* c, int n) {
  const int row = get_local_id(0), col = get_local_id(1), to = 16 * get_group_id(0) + row, from = 16 * get_group_id(1) + col;
  local float ta[16][16], tb[16][16];
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[col][row] = a[(t + col) * n + to];
    tb[col][row] = b[from * n + t + row];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += ta[k][row] * tb[col][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[from * n + to] = sum;
}

// Eight columns a work-item, 32x4 of them.
kernel void eight_columns(global const float* a, global const float* b, global float* c, int n) {
  const int row = get_local_id(0), col = get_local_id(1), to = 32 * get_group_id(0) + row, from = 32 * get_group_id(1) + col;
  local float ta[32][32], tb[32][32];
  float sum[8];
  for (int w = 0; w < 8; ++w) sum[w] = 0;
  for (int t = 0; t < n; t += 32) {
    for (int w = 0; w < 8; ++w) {
      ta[col + 4 * w][row] = a[(t + col + 4 * w) * n + to];
      tb[col + 4 * w][row] = b[(from + 4 * w) * n + t + row];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; ++k)
      for (int w = 0; w < 8; ++w) sum[w] += ta[k][row] * tb[col + 4 * w][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int w = 0; w < 8; ++w) c[(from + 4 * w) * n + to] = sum[w];
}

// Four rows a work-item as a float4, 8x32 of them.
kernel void four_rows_wide(global const float4* a, global const float4* b, global float4* c, int n) {
  const int row = get_local_id(0), col = get_local_id(1), to = 8 * get_group_id(0) + row, from = 32 * get_group_id(1) + col;
  local float4 ta[32][8], tb[32][8];
  float4 sum = 0;
  for (int t = 0; t < n / 32; ++t) {
    ta[col][row] = a[(32 * t + col) * (n / 4) + to];
    tb[col][row] = b[from * (n / 4) + 8 * t + row];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) {
      const float4 x = tb[col][k];
      sum += ta[4 * k][row] * x.x;
      sum += ta[4 * k + 1][row] * x.y;
      sum += ta[4 * k + 2][row] * x.z;
      sum += ta[4 * k + 3][row] * x.w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[from * (n / 4) + to] = sum;
}

// ROWS x COLS sums a work-item, a group's 16x16 (or SIDE squared) work-items apart by as many elements; b's tile lies transposed.
#define BLOCKED(NAME, T, SIDE, EACH, DEPTH) \\
kernel void NAME(global const T* a, global const T* b, global T* c, int n) { \\
  const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x, tile = SIDE * EACH; \\
  const int to = tile * get_group_id(0), from = tile * get_group_id(1); \\
  local T ta[DEPTH][SIDE * EACH], tb[SIDE * EACH][DEPTH + 2]; \\
  T sum[EACH][EACH]; \\
  for (int i = 0; i < EACH; ++i) for (int j = 0; j < EACH; ++j) sum[i][j] = 0; \\
  for (int t = 0; t < n; t += DEPTH) { \\
    for (int l = 0; l < DEPTH * EACH / SIDE; ++l) { \\
      const int id = l * SIDE * SIDE + item, row = id % (SIDE * EACH), k = id / (SIDE * EACH); \\
      ta[k][row] = a[(t + k) * n + to + row]; \\
      tb[row][k] = b[(t + k) * n + from + row]; \\
    } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    for (int k = 0; k < DEPTH; ++k) { \\
      T columns[EACH]; \\
      for (int j = 0; j < EACH; ++j) columns[j] = tb[y + j * SIDE][k]; \\
      for (int i = 0; i < EACH; ++i) { \\
        const T value = ta[k][x + i * SIDE]; \\
        for (int j = 0; j < EACH; ++j) sum[i][j] += value * columns[j]; \\
      } \\
    } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
  } \\
  for (int j = 0; j < EACH; ++j) for (int i = 0; i < EACH; ++i) c[(from + y + j * SIDE) * n + to + x + i * SIDE] = sum[i][j]; \\
}
BLOCKED(blocks_4x4, float, 16, 4, 16)
BLOCKED(blocks_8x8, float, 16, 8, 16)
BLOCKED(blocks_8x8_of_8x8, float, 8, 8, 16)
BLOCKED(double_blocks, double, 16, 4, 16)

// The same where a work-item's rows and columns are neighbours: strides of EACH in local memory.
#define NEIGHBOURS(NAME, T, SIDE, EACH, DEPTH) \\
kernel void NAME(global const T* a, global const T* b, global T* c, int n) { \\
  const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x, tile = SIDE * EACH; \\
  const int to = tile * get_group_id(0), from = tile * get_group_id(1); \\
  local T ta[DEPTH][SIDE * EACH], tb[DEPTH][SIDE * EACH]; \\
  T sum[EACH][EACH]; \\
  for (int i = 0; i < EACH; ++i) for (int j = 0; j < EACH; ++j) sum[i][j] = 0; \\
  for (int t = 0; t < n; t += DEPTH) { \\
    for (int l = 0; l < DEPTH * EACH / SIDE; ++l) { \\
      const int id = l * SIDE * SIDE + item, row = id % (SIDE * EACH), k = id / (SIDE * EACH); \\
      ta[k][row] = a[(t + k) * n + to + row]; \\
      tb[k][row] = b[(t + k) * n + from + row]; \\
    } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    for (int k = 0; k < DEPTH; ++k) { \\
      T rows[EACH], columns[EACH]; \\
      for (int i = 0; i < EACH; ++i) { rows[i] = ta[k][x * EACH + i]; columns[i] = tb[k][y * EACH + i]; } \\
      for (int i = 0; i < EACH; ++i) for (int j = 0; j < EACH; ++j) sum[i][j] += rows[i] * columns[j]; \\
    } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
  } \\
  for (int j = 0; j < EACH; ++j) for (int i = 0; i < EACH; ++i) c[(from + y * EACH + j) * n + to + x * EACH + i] = sum[i][j]; \\
}
NEIGHBOURS(neighbours_4x4, float, 16, 4, 16)
NEIGHBOURS(neighbours_8x8, float, 16, 8, 16)

// Vectors of a work-item: V rows as one vector, COLS columns, operands through local memory.
#define VECTORS(NAME, T, V, SIZE, COLS, DEPTH) \\
kernel void NAME(global const V* a, global const T* b, global V* c, int n) { \\
  const int x = get_local_id(0), y = get_local_id(1), item = y * 16 + x, width = n / SIZE; \\
  const int to = 16 * get_group_id(0), from = 16 * COLS * get_group_id(1); \\
  local V ta[DEPTH][16]; \\
  local T tb[DEPTH][16 * COLS]; \\
  V sum[COLS]; \\
  for (int j = 0; j < COLS; ++j) sum[j] = 0; \\
  for (int t = 0; t < n; t += DEPTH) { \\
    ta[y][x] = a[(t + y) * width + to + x]; \\
    for (int l = item; l < DEPTH * 16 * COLS; l += 256) \\
      tb[l / (16 * COLS)][l % (16 * COLS)] = b[(t + l / (16 * COLS)) * n + from + l % (16 * COLS)]; \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    for (int k = 0; k < DEPTH; ++k) { \\
      const V value = ta[k][x]; \\
      for (int j = 0; j < COLS; ++j) sum[j] += value * tb[k][y * COLS + j]; \\
    } \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
  } \\
  for (int j = 0; j < COLS; ++j) c[(from + y * COLS + j) * width + to + x] = sum[j]; \\
}
VECTORS(vectors_2x4, float, float2, 2, 4, 16)
VECTORS(vectors_4x4, float, float4, 4, 4, 16)
VECTORS(vectors_8x4, float, float8, 8, 4, 16)
VECTORS(double_vectors, double, double4, 4, 4, 16)

// The same with a work-item's sums written component by component, and columns as vectors, as libraries' generated kernels have them.
kernel void components_4x2(global const float4* a, global const float2* b, global float4* c, int n) {
  const int x = get_local_id(0), y = get_local_id(1), item = y * 8 + x, to = 8 * get_group_id(0), from = 16 * get_group_id(1);
  local float4 ta[32][8];
  local float2 tb[32][16];
  float4 s0 = 0, s1 = 0;
  for (int t = 0; t < n; t += 32) {
    for (int l = item; l < 256; l += 128) ta[l / 8][l % 8] = a[(t + l / 8) * (n / 4) + to + l % 8];
    for (int l = item; l < 512; l += 128) tb[l / 16][l % 16] = b[(t + l / 16) * (n / 2) + from + l % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; ++k) {
      const float4 p = ta[k][x];
      const float2 q = tb[k][y];
      s0.x += p.x * q.x; s0.y += p.y * q.x; s0.z += p.z * q.x; s0.w += p.w * q.x;
      s1.x += p.x * q.y; s1.y += p.y * q.y; s1.z += p.z * q.y; s1.w += p.w * q.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[2 * (from + y) * (n / 4) + to + x] = s0;
  c[(2 * (from + y) + 1) * (n / 4) + to + x] = s1;
}

// Without local memory: 4 x 4 sums a work-item, a as float4.
kernel void global_4x4(global const float4* a, global const float4* b, global float4* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1), width = n / 4;
  float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int k = 0; k < n; ++k) {
    const float4 p = a[k * width + x], q = b[k * width + y];
    s0 += p * q.x; s1 += p * q.y; s2 += p * q.z; s3 += p * q.w;
  }
  c[(4 * y) * width + x] = s0; c[(4 * y + 1) * width + x] = s1; c[(4 * y + 2) * width + x] = s2; c[(4 * y + 3) * width + x] = s3;
}

// As they are written down, by rows: c[y * n + x] = sum of a[y * n + k] * b[k * n + x].
#define PLAIN(NAME, T) \\
kernel void NAME(global const T* a, global const T* b, global T* c, int n) { \\
  const int x = get_global_id(0), y = get_global_id(1); \\
  T sum = 0; \\
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x]; \\
  c[y * n + x] = sum; \\
}
PLAIN(plain, float)
PLAIN(double_plain, double)
kernel void plain_by_pointers(global const float* a, global const float* b, global float* c, int n) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  global const float *row = a + y * n, *column = b + x;
  float sum = 0;
  for (int k = n; k > 0; --k, column += n) sum += *row++ * *column;
  c[y * n + x] = sum;
}
kernel void plain_scaled(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = 1.5f * sum + 0.0f * c[y * n + x];
}
kernel void plain_transposed(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k * n + y] * b[k * n + x];
  c[y * n + x] = sum;
}
kernel void plain_distances(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) { const float t = a[y * n + k] - b[k * n + x]; sum += t * t; }
  c[y * n + x] = sqrt(sum);
}
kernel void plain_bounded(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// Rows by rows: c[y * n + x] = sum of a[y * n + k] * b[x * n + k]; with both planes of complex numbers, squared.
kernel void rows(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[x * n + k];
  c[y * n + x] = sum;
}
kernel void rows_complex(global const float* re, global const float* im, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float s = 0, t = 0;
  for (int k = 0; k < n; ++k) {
    const float a = re[y * n + k], b = im[y * n + k], p = re[x * n + k], q = im[x * n + k];
    s += a * p + b * q;
    t += b * p - a * q;
  }
  c[y * n + x] = s * s + t * t;
}
"""


def cases(n):
    """As in walks.py."""
    random = np.random.default_rng(1)
    single = [random.random(n * n, dtype=np.float32) for _ in range(2)] + [np.zeros(n * n, np.float32)]
    double = [array.astype(np.float64) for array in single]
    for name, rows, columns, local in (
            ("tiled", 1, 1, (16, 16)), ("eight_columns", 1, 8, (32, 4)), ("four_rows_wide", 4, 1, (8, 32)),
            ("blocks_4x4", 4, 4, (16, 16)), ("blocks_8x8", 8, 8, (16, 16)), ("blocks_8x8_of_8x8", 8, 8, (8, 8)),
            ("double_blocks", 4, 4, (16, 16)), ("neighbours_4x4", 4, 4, (16, 16)), ("neighbours_8x8", 8, 8, (16, 16)),
            ("vectors_2x4", 2, 4, (16, 16)), ("vectors_4x4", 4, 4, (16, 16)), ("vectors_8x4", 8, 4, (16, 16)),
            ("double_vectors", 4, 4, (16, 16)), ("components_4x2", 4, 2, (8, 16)), ("global_4x4", 4, 4, (16, 16)),
            *((name, 1, 1, (32, 8)) for name in ("plain", "double_plain", "plain_by_pointers", "plain_scaled", "plain_transposed", "plain_distances",
                                                 "plain_bounded", "rows", "rows_complex"))):
        arrays = double if name.startswith("double") else single
        yield name, name, (n // rows, n // columns), local, [*arrays, np.int32(n)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=512)
