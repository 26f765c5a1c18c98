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
