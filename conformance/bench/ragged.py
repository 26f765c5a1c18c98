#!/usr/bin/env python3
"""Kernels over widths that no whole warps divide, without a local size and with such that are no whole pieces of vectors, on every platform
that the loader finds, in turn.

    ragged.py [--rounds 8] [--items 1000] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void copy(global const float* in, global float* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x];
}
kernel void invert(global const uchar* in, global uchar* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = 255 - in[y * w + x];
}
kernel void stencil(global const float* in, global float* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) return;
  out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
kernel void blur(global const float* in, global float* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) s += in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)];
  out[y * w + x] = s / 25;
}
kernel void product(global const float* in, global float* out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 64; ++k) s += in[y * w + k] * in[k * w + x];
  out[y * w + x] = s;
}
kernel void sides(global const float* in, global float* out, int w, int h) {
  local float tile[1024];
  const int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), columns = get_local_size(0);
  const int i = get_local_id(1) * columns + lx;
  tile[i] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * w + x] = tile[i] + (lx > 0 ? tile[i - 1] : 0) + (lx < columns - 1 ? tile[i + 1] : 0);
}
"""


def cases(items):
    """As in walks.py. `items` is the width of the first, whose height is 7 tenths of it."""
    random = np.random.default_rng(1)
    sizes = [((items, items * 7 // 10), local) for local in (None, (50, 5), (20, 20), (125, 2))]
    sizes += [(size, None) for size in ((333, 77), (1366, 768), (2039, 300), (100, 100))]
    for (w, h), local in sizes:
        where = f"{w} x {h}" + (f" in {local[0]} x {local[1]}" if local else "")
        for kernel in ("copy", "invert", "stencil", "blur", "product", "sides"):
            if kernel == "sides" and local is None:
                continue  # platforms choose groups of other sizes
            a = random.integers(0, 255, w * h, dtype=np.uint8) if kernel == "invert" else random.random(max(w * h, 64 * w), dtype=np.float32)
            yield f"{kernel}, {where}", kernel, (w, h), local, [a, np.zeros(w * h, a.dtype), np.int32(w), np.int32(h)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1000)
