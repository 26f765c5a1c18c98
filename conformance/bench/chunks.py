#!/usr/bin/env python3
"""Kernels whose work-items go through chunks of their own, as programs write them for processors, on every platform that the loader finds, in turn.

    chunks.py [--rounds 8] [--items 1048576] [NAME ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft are two platforms, as for
rows.py. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

SOURCE = """
#define CHUNK const int begin = get_global_id(0) * chunk, end = min(begin + chunk, n)
#define SHARE const long begin = get_global_id(0) * (long)n / get_global_size(0), end = (get_global_id(0) + 1) * (long)n / get_global_size(0)
kernel void limited(global const double* in, global double* out, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i)
    if (fabs(in[i]) > 0.25) out[i] = out[i] * 0.5 + in[i];
}
kernel void decays(global const float* in, global float* out, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i) out[i] = exp(-in[i]) * sqrt(in[i]);
}
kernel void shares(global const short* in, global short* out, int n) {
  SHARE;
  for (long i = begin; i < end; ++i) out[i] = add_sat(in[i], (short)(out[i] / 2));
}
kernel void backwards(global const int* in, global int* out, uint n, uint chunk) {
  const uint begin = get_global_id(0) * chunk, end = begin + chunk > n ? n : begin + chunk;
  for (uint i = end; i > begin; --i) out[i - 1] = out[i - 1] * 3 + in[i - 1];
}
kernel void products(global const uint* in, global uint* out, int n, int chunk) {
  CHUNK;
  uint sum = 0;
  for (int i = begin; i < end; ++i) sum += in[i] * in[i];
  out[get_global_id(0)] = sum;
}
kernel void lengths(global const double* in, global double* out, int n, int chunk) {
  CHUNK;
  double sum = 0;
  for (int i = begin; i < end; ++i) sum += in[i] * in[i];
  out[get_global_id(0)] = sum;
}
kernel void sharpened(global const uchar* in, global uchar* out, int n, int width, int chunk) {
  CHUNK;
  for (int y = begin; y < end; ++y)
    for (int x = 1; x < width - 1; ++x) {
      const int i = y * width + x;
      out[i] = clamp(3 * in[i] - in[i - 1] - in[i + 1], 0, 255);
    }
}
kernel void sparse(global const int* row, global const int* column, global const double* value, global const double* x, global double* out, int n, int chunk) {
  CHUNK;
  for (int i = begin; i < end; ++i) {
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; ++k) sum += value[k] * x[column[k]];
    out[i] = sum;
  }
}
// As kernels for FPGAs have it, whose registers all shift at once.
kernel void shifted(global const int* in, global int* out, int n) {
  int rows[2 * 480 + 3];
  for (int i = 0; i < 2 * 480 + 3; ++i) rows[i] = 0;
  for (int k = 0; k < n; ++k) {
    __attribute__((opencl_unroll_hint)) for (int i = 2 * 480 + 2; i > 0; --i) rows[i] = rows[i - 1];
    rows[0] = in[k];
    int least = rows[0];
    __attribute__((opencl_unroll_hint)) for (int j = 0; j < 3; ++j)
      __attribute__((opencl_unroll_hint)) for (int i = 0; i < 3; ++i) least = min(least, rows[j * 480 + i]);
    out[k] = least;
  }
}
"""


def cases(n):
    """As walks.py's."""
    random = np.random.default_rng(1)
    ints = np.int32
    floats = random.random(n, dtype=np.float32)
    doubles, whole = random.random(n) - 0.5, random.integers(-9, 9, n, dtype=ints)
    shorts, image = random.integers(-30000, 30000, n).astype(np.int16), random.integers(0, 256, n).astype(np.uint8)
    rows, width = n // 8, 1024
    of_row = random.integers(1, 16, rows)
    first = np.concatenate([[0], np.cumsum(of_row)]).astype(ints)
    column = (np.repeat(np.arange(rows), of_row) + random.integers(-100, 100, first[-1])).clip(0, rows - 1).astype(ints)
    value = random.random(first[-1])
    for items, local in ((1, None), (2, None), (8, (1,)), (64, None), (64, (64,))):
        chunk = lambda count: ints(-(-count // items))
        launch = f"{items} {'of none' if local is None else 'of ' + str(local[0])}"
        yield f"under a condition, {launch}", "limited", (items,), local, [doubles, np.zeros(n), ints(n), chunk(n)]
        yield f"functions, {launch}", "decays", (items,), local, [floats, np.zeros(n, np.float32), ints(n), chunk(n)]
        yield f"shares, {launch}", "shares", (items,), local, [shorts, np.zeros(n, np.int16), ints(n)]
        yield f"backwards, {launch}", "backwards", (items,), local, [whole, np.zeros(n, ints), np.uint32(n), np.uint32(chunk(n))]
        yield f"sums of ints, {launch}", "products", (items,), local, [whole.astype(np.uint32), np.zeros(items, np.uint32), ints(n), chunk(n)]
        yield f"sums of doubles, {launch}", "lengths", (items,), local, [doubles, np.zeros(items), ints(n), chunk(n)]
        yield f"rows of bytes, {launch}", "sharpened", (items,), local, [image, np.zeros(n, np.uint8), ints(n // width), ints(width), chunk(n // width)]
        if items == 1:
            yield "shift register of 963", "shifted", (1,), (1,), [whole, np.zeros(n, ints), ints(n // 64)]
        yield f"sparse rows, {launch}", "sparse", (items,), local, [first, column, value, doubles, np.zeros(rows), ints(rows), chunk(rows)]


if __name__ == "__main__":
    main(__doc__, SOURCE, cases, items=1 << 20)
