#!/usr/bin/env python3
"""Kernels whose work-items march through the planes of a volume and write as they go, on every platform that the loader finds, in turn.

    marches.py [--rounds 8] [--items 256] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void differences(global const float* in, global float* out, int depth) {
  const int plane = get_global_size(0) * get_global_size(1);
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float behind = in[at], here = in[at + plane];
  for (int z = 1; z < depth - 1; ++z) {
    const float ahead = in[at + 2 * plane];
    at += plane;
    out[at] = 0.5f * (ahead - behind) + (ahead - 2.0f * here + behind);
    behind = here;
    here = ahead;
  }
}
kernel void recursive(global const float* in, global float* out, int depth) {
  const int plane = get_global_size(0) * get_global_size(1);
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float one = 0, two = 0;
  for (int z = 0; z < depth; ++z, at += plane) {
    const float y = 0.2f * in[at] + 1.1f * one - 0.3f * two;
    out[at] = y;
    two = one;
    one = y;
  }
}
kernel void sums(global const float* in, global float* out, int depth) {
  const int plane = get_global_size(0) * get_global_size(1);
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float sum = 0;
  for (int z = 0; z < depth; ++z, at += plane) out[at] = sum += in[at];
}
kernel void median(global const float* in, global float* out, int depth) {
  const int plane = get_global_size(0) * get_global_size(1);
  int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float a = in[at], b = in[at + plane], c = in[at + 2 * plane], d = in[at + 3 * plane];
  for (int z = 2; z < depth - 2; ++z) {
    const float e = in[at + 4 * plane];
    const float low = fmax(fmin(a, b), fmin(d, e)), high = fmin(fmax(a, b), fmax(d, e));
    out[at + 2 * plane] = fmax(fmin(low, high), fmin(fmax(low, high), c));
    a = b, b = c, c = d, d = e;
    at += plane;
  }
}
kernel void seven(global const float* in, global float* out, int depth) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
  const int plane = width * height;
  int at = plane + y * width + x;
  float behind = in[at - plane], here = in[at];
  for (int z = 1; z < depth - 1; ++z, at += plane) {
    const float ahead = in[at + plane];
    out[at] = here + 0.1f * (in[at - 1] + in[at + 1] + in[at - width] + in[at + width] + behind + ahead - 6.0f * here);
    behind = here;
    here = ahead;
  }
}
"""


def cases(items):
    """As in walks.py; `items` is the width and the height of the volume."""
    random = np.random.default_rng(1)
    depth = 64
    volume = random.random(items * items * depth, np.float32)
    for local in ((32, 8), (64, 4)):
        for name, kernel in (("differences", "differences"), ("recursive filter", "recursive"), ("running sums", "sums"), ("median of five", "median"),
                             ("seven points", "seven")):
            yield f"{name}, {local[0]} x {local[1]}", kernel, (items, items), local, [volume, np.zeros_like(volume), np.int32(depth)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=256)
