#!/usr/bin/env python3
"""Kernels that need masks, scatters and gathers, as processors without AVX-512 have them or not (WEFT_CPU=haswell): bounds of the range,
chosen elements, sorting networks, parts of words, tables. On every platform that the loader finds, in turn.

    bounds.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
kernel void scaled(global const float* in, int n, global float* out) {
  const int i = get_global_id(0);
  if (i < n) out[i] = 3.0f * in[i] + 1.0f;
}
kernel void digits(global const uchar* in, int n, global uchar* out) {
  const int i = get_global_id(0);
  if (i >= n) return;
  out[i] = in[i] >= '0' && in[i] <= '9' ? in[i] - '0' : 255;
}
kernel void halved(global const ushort* in, int width, int height, global ushort* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) out[y * width + x] = (in[2 * y * 2 * width + 2 * x] + in[2 * y * 2 * width + 2 * x + 1]) / 2;
}
kernel void through_volume(global const float* in, int width, int height, int depth, global float* out) {
  const int x = get_global_id(0), y = get_global_id(1), plane = width * height;
  const bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
  int at = plane + y * width + x;
  float behind = 0, here = 0;
  if (inside) {
    behind = in[at - plane];
    here = in[at];
  }
  for (int z = 1; z < depth - 1; ++z, at += plane) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside) {
      const float ahead = in[at + plane];
      out[at] = 0.1f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + behind + ahead) + 0.4f * here;
      behind = here;
      here = ahead;
    }
  }
}
kernel void tiles_through_volume(global const float* in, int width, int height, int depth, global float* out, local float* t) {
  const int x = get_global_id(0), y = get_global_id(1), plane = width * height;
  const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1, pitch = get_local_size(0) + 2;
  const bool is_valid = x < width && y < height;
  int at = y * width + x;
  for (int z = 0; z < depth; ++z, at += plane) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_valid) {
      t[ly * pitch + lx] = in[at];
      if (lx == 1) t[ly * pitch] = x > 0 ? in[at - 1] : 0;
      if (lx == get_local_size(0)) t[ly * pitch + lx + 1] = x < width - 1 ? in[at + 1] : 0;
      if (ly == 1) t[lx] = y > 0 ? in[at - width] : 0;
      if (ly == get_local_size(1)) t[(ly + 1) * pitch + lx] = y < height - 1 ? in[at + width] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_valid) out[at] = 0.2f * (t[ly * pitch + lx] + t[ly * pitch + lx - 1] + t[ly * pitch + lx + 1] + t[(ly - 1) * pitch + lx] + t[(ly + 1) * pitch + lx]);
  }
}
kernel void sort_halves(global ushort* keys, local ushort* t) {
  const int l = get_local_id(0), n = 2 * get_local_size(0);
  global ushort* block = keys + get_group_id(0) * n;
  t[l] = block[l];
  t[l + n / 2] = block[l + n / 2];
  for (int size = 2; size <= n; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const int low = 2 * l - (l & (stride - 1));
      const ushort a = t[low], b = t[low + stride];
      if ((a < b) != (size < n && (l & (size / 2)))) {
        t[low] = b;
        t[low + stride] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  block[l] = t[l];
  block[l + n / 2] = t[l + n / 2];
}
kernel void placed(global const int* in, global const int* places, int limit, global int* out) {
  const int i = get_global_id(0);
  if (in[i] > limit) out[places[i]] = in[i];
}
kernel void placed_bytes(global const int* in, global const int* places, int limit, global uchar* out) {
  const int i = get_global_id(0);
  if (in[i] > limit) out[places[i]] = in[i] >> 3;
}
kernel void opposite(global const uint* in, global uint* out) {
  const int i = get_global_id(0);
  const uint x = in[i];
  const uint r = 255 - (x & 255), g = 255 - (x >> 8 & 255), b = 255 - (x >> 16 & 255);
  out[i] = r | g << 8 | b << 16 | (x & 0xff000000);
}
kernel void in_volume(global const float* volume, global const float* from, global float* out) {
  const int i = get_global_id(0);
  float x = from[i] * 60, y = from[i + 1] * 60, sum = 0;
  for (int k = 0; k < 32; ++k, x += 0.05f, y += 0.03f) sum += volume[(k * 64 + (int)y) * 64 + (int)x];
  out[i] = sum;
}
kernel void by_table(global const float* table, global const float* in, global float* out) {
  const int i = get_global_id(0);
  const float x = in[i] * 255;
  const int k = (int)x;
  out[i] = mix(table[k], table[k + 1], x - k);
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = np.int32
    yield "scaled, within bounds", "scaled", (items,), (256,), [floats(items), ints(items - 9), np.zeros(items, np.float32)]
    yield "digits, within bounds", "digits", (items,), (256,), [random.integers(0, 255, items, np.uint8), ints(items - 9), np.zeros(items, np.uint8)]
    side = 1 << (items.bit_length() // 2)
    yield ("rows of pairs, within bounds", "halved", (side, side), (32, 8),
           [random.integers(0, 65535, 4 * side * side, np.uint16), ints(side - 5), ints(side - 3), np.zeros(side * side, np.uint16)])
    depth = max(4, items // 4096)
    volume = [floats(side * side * depth), ints(side), ints(side), ints(depth), np.zeros(side * side * depth, np.float32)]
    yield "through a volume, within bounds", "through_volume", (side, side), (32, 8), volume
    yield "tiles through a volume, within bounds", "tiles_through_volume", (side, side), (32, 8), [*volume, cl.LocalMemory(34 * 10 * 4)]
    for local in (64, 128, 256):
        yield (f"sort of {2 * local}, 16 bits, down", "sort_halves", (items // 2,), (local,), [random.integers(0, 65536, items, np.uint16), cl.LocalMemory(4 * local)])
    places = random.permutation(items).astype(np.int32)
    for limit in (100, 500, 900):
        yield (f"placed, {100 - limit // 10} %", "placed", (items,), (256,), [random.integers(0, 1000, items, np.int32), places, ints(limit), np.zeros(items, np.int32)])
    yield "placed bytes, 50 %", "placed_bytes", (items,), (256,), [random.integers(0, 1000, items, np.int32), places, ints(500), np.zeros(items, np.uint8)]
    yield "opposite colours of words", "opposite", (items,), (256,), [random.integers(0, 1 << 32, items, np.uint32), np.zeros(items, np.uint32)]
    yield "through a volume", "in_volume", (items // 8,), (256,), [floats(32 * 64 * 64 + 8192), floats(items + 1), np.zeros(items, np.float32)]
    yield "by a table", "by_table", (items,), (256,), [floats(257), floats(items), np.zeros(items, np.float32)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=65536)
