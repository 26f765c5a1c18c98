#!/usr/bin/env python3
"""Divisions, and maxima, of floats, 64 a work-item, on every platform that the loader finds, in turn.

    divisions.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void by_constant(global const float* in, float by, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += in[(i & 255) + 64 * k] / 3.0f;
  out[i] = sum;
}
kernel void by_argument(global const float* in, float by, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += in[(i & 255) + 64 * k] / by;
  out[i] = sum;
}
kernel void of_polynomials(global const float* in, float by, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 64; ++k) {
    const float x = in[(i & 255) + 64 * k];
    sum += (x * (x * (x * (x * by + 1) + by) + x) + 2) / (by + 1);
  }
  out[i] = sum;
}
kernel void greatest(global const float* in, float by, global float* out) {
  const int i = get_global_id(0);
  float most = -INFINITY;
  for (int k = 0; k < 64; ++k) most = fmax(most, in[(i & 255) + 64 * k]);
  out[i] = most;
}
kernel void range(global const float* in, float by, global float* out) {
  const int i = get_global_id(0);
  float most = -INFINITY, least = INFINITY;
  for (int k = 0; k < 64; ++k) {
    const float x = in[(i & 255) + 64 * k] * by;
    most = fmax(most, x);
    least = fmin(least, x);
  }
  out[i] = most - least;
}
kernel void by_vectors(global const float* in, float by, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += by / in[(i & 255) + 64 * k];
  out[i] = sum;
}
"""


def cases(items):
    """As in walks.py."""
    numbers = np.random.default_rng(1).random(4096 + 256, dtype=np.float32) + np.float32(0.5)
    for name, kernel in (("by a constant", "by_constant"), ("by an argument", "by_argument"), ("of polynomials, by an argument", "of_polynomials"),
                         ("by vectors", "by_vectors"), ("greatest", "greatest"), ("greatest less least", "range")):
        yield name, kernel, (items,), (256,), [numbers, np.float32(1.7), np.zeros(items, np.float32)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 16)
