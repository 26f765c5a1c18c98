#!/usr/bin/env python3
"""Shift registers in private memory, as programs for FPGAs have them, on every platform that the loader finds, in turn.

    windows.py [--rounds 8] [--items 16384] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void echo(global const float* restrict x, global float* restrict y, int n) {
  float line[600];
  for (int i = 0; i < 600; ++i) line[i] = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 599; i > 0; --i) line[i] = line[i - 1];
    line[0] = x[t] + 0.5f * line[599];
    y[t] = line[0] + 0.25f * line[150] - 0.125f * line[410];
  }
}
kernel void rows(global const uchar* restrict x, global uchar* restrict y, int n) {
  uchar pixels[2 * 640 + 3];
  for (int i = 0; i < 2 * 640 + 3; ++i) pixels[i] = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < 2 * 640 + 2; ++i) pixels[i] = pixels[i + 1];
    pixels[2 * 640 + 2] = x[t];
    uint sum = 0;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) sum += pixels[640 * r + c];
    y[t] = sum / 9;
  }
}
kernel void channels(global const float* x, global float* y, int n) {
  const int channel = get_global_id(0), all = get_global_size(0);
  float line[300];
  for (int i = 0; i < 300; ++i) line[i] = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = 299; i > 0; --i) line[i] = line[i - 1];
    line[0] = x[t * all + channel];
    y[t * all + channel] = line[0] - 0.5f * line[137] + 0.25f * line[299];
  }
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    x, y = random.random(items, dtype=np.float32), np.zeros(items, np.float32)
    yield "echo, a line of 600", "echo", (1,), (1,), [x, y, np.int32(items)]
    yield "rows of 640 bytes", "rows", (1,), (1,), [x.view(np.uint8), y.view(np.uint8), np.int32(items)]
    yield "256 channels, lines of 300", "channels", (256,), (32,), [x, y, np.int32(items // 256)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 14)
