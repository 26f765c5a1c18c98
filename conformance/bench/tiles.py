#!/usr/bin/env python3
"""Kernels that copy what a group shares to local memory and read it there: grids with a rim, filters along rows and columns, several grids. On
every platform that the loader finds, in turn.

    tiles.py [--rounds 8] [--items 262144] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
#define RIM(t, from) \\
  t[y + 1][x + 1] = from[at]; \\
  if (x == 0) t[y + 1][0] = from[at - 1]; \\
  if (x == W - 1) t[y + 1][W + 1] = from[at + 1]; \\
  if (y == 0) t[0][x + 1] = from[at - pitch]; \\
  if (y == H - 1) t[H + 1][x + 1] = from[at + pitch];
#define GRID(name, w, h, type) \\
kernel void name(global const type* in, global type* out, int pitch) { \\
  enum { W = w, H = h }; \\
  local type t[H + 2][W + 2]; \\
  const int x = get_local_id(0), y = get_local_id(1), at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1; \\
  RIM(t, in) \\
  barrier(CLK_LOCAL_MEM_FENCE); \\
  out[at] = (t[y][x + 1] + t[y + 2][x + 1] + t[y + 1][x] + t[y + 1][x + 2]) / 4; \\
}
GRID(grid16, 16, 16, float)
GRID(grid32, 32, 8, float)
GRID(grid_of_bytes, 64, 4, uchar)
GRID(grid_of_doubles, 16, 16, double)
kernel void waves(global const float* height, global const float* before, global const float* speed, global float* next, int pitch) {
  enum { W = 16, H = 16 };
  local float t[H + 2][W + 2], s[H + 2][W + 2];
  const int x = get_local_id(0), y = get_local_id(1), at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  RIM(t, height)
  RIM(s, speed)
  barrier(CLK_LOCAL_MEM_FENCE);
  const float c = t[y + 1][x + 1], v = s[y + 1][x + 1];
  next[at] = 2 * c - before[at] + (v + s[y + 1][x + 2]) * (t[y + 1][x + 2] - c) - (v + s[y + 1][x]) * (c - t[y + 1][x]) +
             (v + s[y + 2][x + 1]) * (t[y + 2][x + 1] - c) - (v + s[y][x + 1]) * (c - t[y][x + 1]);
}
kernel void taps(global const float* in, constant float* weights, global float* out, local float* t) {
  const size_t l = get_local_id(0), at = get_global_id(0);
  t[l + 8] = in[at + 8];
  if (l < 8) t[l] = in[at];
  if (l >= 120) t[l + 16] = in[at + 16];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 17; ++k) sum += weights[k] * t[l + k];
  out[at] = sum;
}
kernel void filter(global const float* in, constant float* weights, global float* out, int width, int height) {
  local float t[8 + 4][32 + 4];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < 12; j += 8)
    for (int i = lx; i < 36; i += 32) t[j][i] = in[clamp(y - ly - 2 + j, 0, height - 1) * width + clamp(x - lx - 2 + i, 0, width - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += weights[5 * j + i] * t[ly + j][lx + i];
  out[y * width + x] = sum;
}
kernel void colors(global const uchar4* in, global uchar4* out, int width, int height) {
  local float4 t[16 + 2][32 + 2];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < 18; j += 16)
    for (int i = lx; i < 34; i += 32) t[j][i] = convert_float4(in[clamp(y - ly - 1 + j, 0, height - 1) * width + clamp(x - lx - 1 + i, 0, width - 1)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += t[ly + j][lx + i] * (float)((2 - abs(i - 1)) * (2 - abs(j - 1)));
  if (x < width && y < height) out[y * width + x] = convert_uchar4_sat_rte(sum * (1.0f / 16));
}
kernel void greatest(global const float* in, global float* out, int width, int height) {
  local float t[16 + 8][32];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < 24; j += 16) t[j][lx] = in[clamp(y - ly - 4 + j, 0, height - 1) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float most = t[ly][lx];
  for (int j = 1; j <= 8; ++j) most = fmax(most, t[ly + j][lx]);
  out[y * width + x] = most;
}
kernel void differences(global const float* in, global float* out) {
  local float t[257];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[at];
  if (l == 255) t[256] = in[at + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[l + 1] - t[l];
}
// Tiles with a rim, as wide as the group and filled in loops, by numbers that the group tells; beyond the border is the border, or nothing.
kernel void sums_clamped(global const float* in, global float* out, int width, int height, local float* t) {
  const int size = get_local_size(0), pitch = size + 2, lx = get_local_id(0), ly = get_local_id(1);
  const int left = get_group_id(0) * size, top = get_group_id(1) * size;
  for (int j = ly; j < pitch; j += size)
    for (int i = lx; i < pitch; i += size) t[j * pitch + i] = in[clamp(top + j - 1, 0, height - 1) * width + clamp(left + i - 1, 0, width - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += t[(ly + j) * pitch + lx + i];
  out[(top + ly) * width + left + lx] = sum;
}
kernel void sums_of_zeros(global const float* in, global float* out, int width, int height, local float* t) {
  const int size = get_local_size(0), pitch = size + 2, lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  for (int j = ly; j < pitch; j += size)
    for (int i = lx; i < pitch; i += size) {
      const int row = y - ly + j - 1, column = x - lx + i - 1;
      t[j * pitch + i] = row >= 0 && row < height && column >= 0 && column < width ? in[row * width + column] : 0;
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += t[(ly + j) * pitch + lx + i];
  out[y * width + x] = sum;
}
// What a group's work-items deal out among themselves, in loops of two or three iterations.
kernel void dealt(global const float* in, global float* out, int pitch) {
  local float t[18][18];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), from = (y - ly) * pitch + x - lx;
  for (int i = ly * 16 + lx; i < 18 * 18; i += 256) t[i / 18][i % 18] = in[from + i / 18 * pitch + i % 18];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += t[ly + j][lx + i];
  out[y * pitch + x] = sum;
}
kernel void dealt_box(global const float* in, global float* out, int pitch) {
  local float t[6][10][10];
  const int lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2), x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const int from = ((z - lz) * pitch + y - ly) * pitch + x - lx;
  for (int i = (lz * 8 + ly) * 8 + lx; i < 600; i += 256) t[i / 100][i / 10 % 10][i % 10] = in[from + (i / 100 * pitch + i / 10 % 10) * pitch + i % 10];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) sum += t[lz + k][ly + j][lx + i] * (k + j * i);
  out[(z * pitch + y) * pitch + x] = sum;
}
kernel void dealt_products(global const float* a, global const float* b, global float* out) {
  local float s[36], t[36];
  const int l = get_local_id(0), from = get_group_id(0) * 36;
  for (int i = l; i < 36; i += 32) {
    s[i] = a[from + i];
    t[i] = b[from + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < 36; i += 32) {
    float sum = 0;
    for (int j = 0; j < 6; ++j) sum += s[i / 6 * 6 + j] * t[j * 6 + i % 6];
    out[from + i] = sum;
  }
}
kernel void median(global const uchar* in, global uchar* out, int width, int height) {
  enum { W = 18 };
  local uchar t[512];
  const int lx = get_local_id(0), ly = get_local_id(1), l = ly * 16 + lx;
  for (int k = 0; k < 2; ++k) {
    const int i = l + k * 256, x = (int)get_group_id(0) * 16 - 1 + i % W, y = (int)get_group_id(1) * 16 - 1 + i / W;
    t[i] = in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local const uchar* m = t + (ly + 1) * W + lx + 1;
  const uchar u = m[-W], left = m[-1], r = m[1], d = m[W];
  const uchar least = max(min(u, left), min(r, d)), most = min(max(u, left), max(r, d));
  out[get_global_id(1) * width + get_global_id(0)] = max(min(least, most), min(max(least, most), m[0]));
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    side = 1 << (items.bit_length() // 2)
    pitch = side + 2
    cells = pitch * pitch
    for name, kernel, local, kind in (("grid, 16x16", "grid16", (16, 16), np.float32), ("grid, 32x8", "grid32", (32, 8), np.float32),
                                      ("grid of bytes, 64x4", "grid_of_bytes", (64, 4), np.uint8),
                                      ("grid of doubles, 16x16", "grid_of_doubles", (16, 16), np.float64)):
        yield name, kernel, (side, side), local, [(200 * random.random(cells)).astype(kind), np.zeros(cells, kind), np.int32(pitch)]
    floats = lambda count: random.random(count, dtype=np.float32)
    yield "waves of two grids", "waves", (side, side), (16, 16), [floats(cells), floats(cells), floats(cells), np.zeros(cells, np.float32), np.int32(pitch)]
    yield "17 taps, local argument", "taps", (items,), (128,), [floats(items + 16), floats(17), np.zeros(items, np.float32), cl.LocalMemory(4 * 144)]
    pixels = (4 * side * side,)
    image = random.integers(0, 256, pixels, dtype=np.uint8)
    yield "filter 5x5, clamped", "filter", (side, side), (32, 8), [floats(side * side), floats(25), np.zeros(side * side, np.float32), np.int32(side), np.int32(side)]
    yield "Gauss 3x3 of colors, within bounds", "colors", (side, side), (32, 16), [image, np.zeros(pixels, np.uint8), np.int32(side), np.int32(side)]
    yield "greatest of 9 down, clamped", "greatest", (side, side), (32, 16), [floats(side * side), np.zeros(side * side, np.float32), np.int32(side), np.int32(side)]
    for edge in (8, 16, 32):
        for name, kernel in (("clamped", "sums_clamped"), ("zeros beyond", "sums_of_zeros")):
            yield (f"sums of 3x3, {name}, {edge}x{edge}", kernel, (side, side), (edge, edge),
                   [floats(side * side), np.zeros(side * side, np.float32), np.int32(side), np.int32(side), cl.LocalMemory(4 * (edge + 2) ** 2)])
    yield "differences", "differences", (items,), (256,), [floats(items + 1), np.zeros(items, np.float32)]
    yield "rim of 18x18, dealt out", "dealt", (side, side), (16, 16), [floats(cells), np.zeros(cells, np.float32), np.int32(pitch)]
    yield ("median of a cross of bytes, dealt out", "median", (side, side), (16, 16),
           [image[: side * side], np.zeros(side * side, np.uint8), np.int32(side), np.int32(side)])
    edge = 8 * max(1, round(items ** (1 / 3)) // 8)
    box = (edge + 2) ** 3
    yield "rim of 10x10x6, dealt out", "dealt_box", (edge, edge, edge), (8, 8, 4), [floats(box), np.zeros(box, np.float32), np.int32(edge + 2)]
    elements = items // 32 * 36
    yield "products of 6x6, dealt out", "dealt_products", (items,), (32,), [floats(elements), floats(elements), np.zeros(elements, np.float32)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=262144)
