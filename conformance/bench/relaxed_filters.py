#!/usr/bin/env python3
"""Filters of floats whose sums may be taken in any order (-cl-fast-relaxed-math), on every platform that the loader finds, in turn.

    relaxed_filters.py [--rounds 8] [--items 1048576] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
constant float binomial[5] = {1, 4, 6, 4, 1};
kernel void gauss(global const float* in, global float* out, const int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += binomial[j] * binomial[i] * in[(y + j) * w + x + i];
  out[y * w + x] = sum * (1.0f / 256);
}
kernel void box(global const float* in, global float* out, const int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) sum += in[(y + j) * w + x + i];
  out[y * w + x] = sum * (1.0f / 25);
}
kernel void centred(global const float* in, global float* out, const int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += in[(y + j) * w + x + i];
  out[y * w + x] = (sum + 7 * in[(y + 1) * w + x + 1]) * (1.0f / 16);
}
kernel void slopes(global const float* in, global float* out, const int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  float across = 0, down = 0;
  for (int j = 0; j < 3; ++j) {
    across += (j == 1 ? 2 : 1) * (in[(y + j) * w + x + 2] - in[(y + j) * w + x]);
    down += (j == 1 ? 2 : 1) * (in[(y + 2) * w + x + j] - in[y * w + x + j]);
  }
  out[y * w + x] = sqrt(across * across + down * down);
}
"""


def cases(items):
    """As in walks.py."""
    side = int(items ** 0.5)
    width = side + 4
    image = np.random.default_rng(1).random(width * width, dtype=np.float32)
    for name, kernel in (("Gauss 5x5", "gauss"), ("box 5x5", "box"), ("centred, 3x3", "centred"), ("slopes, 3x3", "slopes")):
        yield name, kernel, (side, side), (32, 8), [image, np.zeros(width * width, np.float32), np.int32(width)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 20, build_options=["-cl-fast-relaxed-math"])
