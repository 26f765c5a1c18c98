#!/usr/bin/env python3
"""Kernels whose work-items read vectors that overlap with their neighbours', on every platform that the loader finds, in turn.

    overlaps.py [--rounds 8] [--items 262144] [--settled] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

SOURCE = """
// Pixels around each, a row at a time.
kernel void box(global const uchar* in, global uchar* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width - 3 || y >= height - 2) return;
  ushort4 sum = 0;
  for (int row = 0; row < 3; ++row) sum += convert_ushort4(vload4(0, in + (y + row) * width + x));
  out[y * width + x] = (sum.x + sum.y + sum.z + sum.w) / 12;
}
kernel void correlation(global const float* in, global float* out, float a, float b) {
  const int x = get_global_id(0);
  const float8 near = vload8(0, in + x) * (float8)(a, b, a, 1, 1, a, b, a);
  const float4 sums = near.lo + near.hi;
  out[x] = sums.x + sums.y + sums.z + sums.w;
}
kernel void halved(global const float* in, global float* out) {
  const int x = get_global_id(0);
  const float4 near = vload4(0, in + 2 * x);
  out[x] = 0.125f * (near.x + near.w) + 0.375f * (near.y + near.z);
}
kernel void mirrored(global const float* in, global float* out, int last) {
  const int x = get_global_id(0);
  const float4 near = vload4(0, in + (last - x));
  out[x] = near.x - 3 * near.y + 3 * near.z - near.w;
}
kernel void gradients(global const short* dx, global const short* dy, global float* out) {
  const int x = get_global_id(0);
  const float8 a = convert_float8(vload8(0, dx + 3 * x)), b = convert_float8(vload8(0, dy + 3 * x));
  out[x] = dot(a.lo, b.lo) + dot(a.hi, b.hi);
}
// Patches of 8 x 8, three apart, beside those of another picture at places of their own.
kernel void patches(global const uchar* in, global const uchar* other, global const int2* places, global float* out, int width, int steps) {
  const int x = get_global_id(0), y = get_global_id(1), id = y * get_global_size(0) + x;
  global const uchar* patch = in + (y * width + x) * 3;
  int2 at = places[id];
  float best = INFINITY;
  for (int step = 0; step < steps; ++step) {
    global const uchar* there = other + (y * 3 + at.y) * width + x * 3 + at.x;
    float sum = 0, all = 0;
    for (int row = 0; row < 8; ++row) {
      const float8 difference = convert_float8(vload8(0, patch + row * width)) - convert_float8(vload8(0, there + row * width));
      sum += dot(difference.lo, 1.0f) + dot(difference.hi, 1.0f);
      all += dot(difference.lo, difference.lo) + dot(difference.hi, difference.hi);
    }
    const float distance = all - sum * sum / 64;
    if (distance >= best) break;
    best = distance;
    at = (at * 5 + (int2)(step, 3)) & 7;
  }
  out[id] = best;
}
"""


def cases(items):
    """As walks.py's."""
    random = np.random.default_rng(1)
    floats = random.random(2 * items + 64, dtype=np.float32)
    width, height = 1024, items // 1024
    pixels = random.integers(0, 256, items + 64, dtype=np.uint8)
    shorts = [random.integers(-255, 256, 3 * items + 64, dtype=np.int16) for _ in range(2)]
    yield "box of 4x3 bytes", "box", (width, height), (32, 8), [pixels, np.zeros(items, np.uint8), np.int32(width), np.int32(height)]
    yield "8 taps", "correlation", (items,), (128,), [floats, np.zeros(items, np.float32), np.float32(0.25), np.float32(0.5)]
    yield "half as many", "halved", (items,), (128,), [floats, np.zeros(items, np.float32)]
    yield "differences from the end", "mirrored", (items,), (128,), [floats, np.zeros(items, np.float32), np.int32(items - 1)]
    yield "products of shorts, three apart", "gradients", (items,), (128,), shorts + [np.zeros(items, np.float32)]
    across, down = width // 3 // 32 * 32 - 32, height // 3 // 8 * 8 - 8
    places = random.integers(0, 8, (across * down, 2), dtype=np.int32)
    yield ("patches of 8x8", "patches", (across, down), (16, 8),
           [pixels, pixels[::-1].copy(), places, np.zeros(across * down, np.float32), np.int32(width), np.int32(12)])


if __name__ == "__main__":
    main(__doc__, SOURCE, cases, items=1 << 18)
