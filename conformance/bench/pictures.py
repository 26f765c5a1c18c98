#!/usr/bin/env python3
"""Layers of neural networks that number their pixels one behind the other and take row and column by divisions, on every platform that the loader
finds, in turn.

    pictures.py [--rounds 8] [--items 56] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
// Taps that lie outside are left out; pointers go on from channel to channel.
kernel void by_pointers(global const float* in, global const float* weights, global float* out, int width, int height, int columns, int rows, int step,
                        int channels, int planes) {
  const int id = get_global_id(0), size = columns * rows, plane = id / size, place = id % size;
  if (plane >= planes) return;
  const int y0 = place / columns * step - 1, x0 = place % columns * step - 1;
  global const float* from = in + (y0 * width + x0);
  global const float* weight = weights + plane * channels * 9;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x)
        if (y0 + y >= 0 && y0 + y < height && x0 + x >= 0 && x0 + x < width) sum += from[x] * weight[x];
      from += width;
      weight += 3;
    }
    from += (height - 3) * width;
  }
  out[id] = sum;
}
// The same by indices.
kernel void by_indices(global const float* in, global const float* weights, global float* out, int width, int height, int columns, int rows, int step,
                       int channels, int planes) {
  const int id = get_global_id(0), size = columns * rows, plane = id / size, place = id % size;
  if (plane >= planes) return;
  const int y0 = place / columns * STEP - 1, x0 = place % columns * STEP - 1;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        if (y0 + y >= 0 && y0 + y < height && x0 + x >= 0 && x0 + x < width)
          sum += in[(c * height + y0 + y) * width + x0 + x] * weights[(plane * channels + c) * 9 + y * 3 + x];
  out[id] = sum;
}
// 1 x 1 of all channels.
kernel void by_points(global const float* in, global const float* weights, global float* out, int columns, int pitch, int size, int channels) {
  const int id = get_global_id(0), plane = id / size, place = id % size;
  const int at = place / columns * pitch + place % columns;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) sum += in[c * size + at] * weights[plane * channels + c];
  out[id] = sum;
}
kernel void greatest(global const float* in, global float* out, int count, int width, int height, int columns, int rows) {
  const int id = get_global_id(0);
  if (id >= count) return;
  const int column = id % columns, row = id / columns % rows, plane = id / columns / rows;
  const int top = max(row * 2 - 1, 0), left = max(column * 2 - 1, 0), bottom = min(row * 2 + 2, height), right = min(column * 2 + 2, width);
  float most = -FLT_MAX;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) most = fmax(most, in[(plane * height + y) * width + x]);
  out[id] = most;
}
"""


def cases(items):
    """As in walks.py. `items`: of a row."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    i = np.int32
    channels, planes = 16, 32
    for width in (items, items // 2, items // 4):
        for step in (1, 2):
            columns = (width + step - 1) // step
            count = planes * columns * columns
            args = [floats(channels * width * width), floats(planes * channels * 9), np.zeros(-(-count // 256) * 256, np.float32), i(width), i(width), i(columns),
                    i(columns), i(step), i(channels), i(planes)]
            yield f"3 x 3 by pointers, {width} by {step}", "by_pointers", (-(-count // 256) * 256,), (256,), args
            if step == 2:
                yield f"3 x 3 by indices, {width} by {step}", "by_indices", (-(-count // 256) * 256,), (256,), args
        size = width * width
        yield (f"1 x 1, {width}", "by_points", (planes * size // 256 * 256,), (256,),
               [floats(64 * size), floats(planes * 64), np.zeros(planes * size, np.float32), i(width), i(width), i(size), i(64)])
        columns = (width + 1) // 2
        count = 64 * columns * columns
        yield (f"greatest of 3 x 3, {width} by 2", "greatest", (-(-count // 256) * 256,), (256,),
               [floats(64 * size), np.zeros(count, np.float32), i(count), i(width), i(width), i(columns), i(columns)])


if __name__ == "__main__":
    walks.main(__doc__, SOURCE.replace("STEP", "2"), cases, items=56)
