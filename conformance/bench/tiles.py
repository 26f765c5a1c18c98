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
kernel void differences(global const float* in, global float* out) {
  local float t[257];
  const int l = get_local_id(0), at = get_global_id(0);
  t[l] = in[at];
  if (l == 255) t[256] = in[at + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[l + 1] - t[l];
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
    yield "differences", "differences", (items,), (256,), [floats(items + 1), np.zeros(items, np.float32)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=262144)
