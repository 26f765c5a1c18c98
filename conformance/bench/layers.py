#!/usr/bin/env python3
"""Layers of networks whose elements, planes of rows, are numbered along x, on every platform that the loader finds, in turn.

    layers.py [--rounds 8] [--items 200704] [NAME ...]

Prints what walks.py does. --items: of a layer. Rows and channels end anywhere in a warp. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
#define ELEMENT                                                        \\
  const int i = get_global_id(0);                                      \\
  if (i >= n) return;                                                  \\
  const int x = i % columns, y = i / columns % rows, c = i / (columns * rows);
kernel void crop(global const float* in, global float* out, int n, int columns, int rows, int width, int height) {
  ELEMENT
  out[i] = in[(c * height + y + 1) * width + x + 2];
}
kernel void pad(global const float* in, global float* out, int n, int columns, int rows, int width, int height) {
  ELEMENT
  const int sx = x - 1, sy = y - 1;
  out[i] = sx >= 0 && sx < width && sy >= 0 && sy < height ? in[(c * height + sy) * width + sx] : 0.0f;
}
kernel void pool(global const float* in, global float* out, int n, int columns, int rows, int width, int height) {
  ELEMENT
  global const float* from = in + (c * height + 2 * y) * width + 2 * x;
  out[i] = fmax(fmax(from[0], from[1]), fmax(from[width], from[width + 1]));
}
kernel void depthwise(global const float* in, global const float* weights, global float* out, int n, int columns, int rows) {
  ELEMENT
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (y + dy >= 0 && y + dy < rows && x + dx >= 0 && x + dx < columns)
        sum += weights[c * 9 + (dy + 1) * 3 + dx + 1] * in[(c * rows + y + dy) * columns + x + dx];
  out[i] = sum;
}
kernel void biased(global const float* in, global const float* bias, global float* out, int n, int spatial, int channels) {
  const int i = get_global_id(0);
  if (i < n) out[i] = fmax(in[i] + bias[i / spatial % channels], 0.0f);
}
kernel void enlarge(global const float* in, global float* out, int n, int columns, int rows, int width, int height) {
  ELEMENT
  out[i] = in[(c * height + y / 2) * width + x / 2];
}
kernel void columns_of(global const float* in, global float* out, int n, int columns, int rows) {
  ELEMENT
  global float* to = out + (c * 9 * rows + y) * columns + x;
  global const float* from = in + (c * rows + y - 1) * columns + x - 1;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx, to += rows * columns) {
      const int sy = y - 1 + dy, sx = x - 1 + dx;
      *to = sy >= 0 && sx >= 0 && sy < rows && sx < columns ? from[dy * columns + dx] : 0.0f;
    }
}
kernel void pairs(global const float2* in, global float2* out, int n, int columns, int rows, int width, int height) {
  ELEMENT
  out[i] = in[(c * height + y + 1) * width + x + 2].yx;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = np.int32
    for w in (112, 56, 28, 14):
        channels = items // (w * w)

        def case(name, columns, arguments, of=1):
            n = channels * columns * columns
            return (f"{name}, {w} columns", name, (-(-n // 64) * 64,), (64,), arguments(n, np.zeros(n * of, np.float32), ints(columns)))

        whole, wide = floats(items), ints(w)
        moved = lambda n, out, columns: [whole, out, ints(n), columns, columns, wide, wide]
        yield case("crop", w - 4, moved)
        yield case("pad", w + 2, moved)
        yield case("pool", w // 2, moved)
        yield case("depthwise", w, lambda n, out, columns: [whole, floats(channels * 9), out, ints(n), columns, columns])
        yield case("biased", w, lambda n, out, columns: [whole, floats(channels), out, ints(n), columns * columns, ints(channels)])
        yield case("enlarge", w, lambda n, out, columns: [whole, out, ints(n), columns, columns, columns // ints(2), columns // ints(2)])
        yield case("columns_of", w, lambda n, out, columns: [whole, out, ints(n), columns, columns], of=9)
        pairs = floats(2 * items)
        yield case("pairs", w - 4, lambda n, out, columns: [pairs, out, ints(n), columns, columns, wide, wide], of=2)


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=200704)
