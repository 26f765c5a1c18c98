#!/usr/bin/env python3
"""Kernels whose work-items read and write vectors of several numbers, on every platform that the loader finds, in turn.

    elements.py [--rounds 8] [--items 1048576] [--settled] [NAME ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft are two platforms, as for
rows.py. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

SOURCE = """
#define SUMS(type) kernel void sums_##type(const float a, global const type* x, global type* y) { const size_t i = get_global_id(0); y[i] += a * x[i]; }
SUMS(float) SUMS(float2) SUMS(float4) SUMS(float8) SUMS(float16) SUMS(double2) SUMS(double4)
kernel void two_apart(const float a, global const float4* x, global float4* y) {
  for (int k = 0; k < 2; ++k) {
    const size_t i = k * get_global_size(0) + get_global_id(0);
    y[i] += a * x[i];
  }
}
kernel void steps(const float a, global float4* position, global float4* velocity, global const float4* force) {
  const size_t i = get_global_id(0);
  const float4 v = velocity[i] + a * force[i];
  velocity[i] = v;
  position[i] += a * v;
}
kernel void mixed(const float a, global const uchar4* x, global float4* y) {
  const size_t i = get_global_id(0);
  y[i] = mix(y[i], convert_float4(x[i]), a);
}
kernel void integers(const int a, global const int4* x, global int4* y) {
  const size_t i = get_global_id(0);
  y[i] = max(y[i], x[i] * a) ^ x[i] >> 3;
}
kernel void repeated(global float* y) {
  const uint i = get_global_id(0);
  for (uint k = 0; k < 16; ++k) y[i * 16 + k] = i;
}
kernel void bytes(global const uchar4* x, global float4* y) {
  const size_t i = get_global_id(0);
  y[i] = convert_float4(x[i]) * (1 / 255.0f);
}
kernel void bytes_of_image(global const uchar4* x, global float4* y) {
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  y[i] = convert_float4(x[i]) * (1 / 255.0f);
}
kernel void copied(global const float4* x, global float4* y) {
  const size_t i = get_global_id(0);
  y[i] = x[i];
}
kernel void numbered(global uint* y) {
  const uint i = get_global_id(0);
  uint x = i * 747796405u + 2891336453u;
  x = (x >> (x >> 28) + 4 ^ x) * 277803737u;
  y[i] = x >> 22 ^ x;
}
kernel void powers(global const float* x, global float* y) {
  const uint i = get_global_id(0);
  float power = 1;
  for (uint k = 0; k < 8; ++k) y[i * 8 + k] = power *= x[i];
}
// Shapes of arrays, and how far their elements lie from each other, in structs.
typedef struct { ulong of[2]; } Shape;
kernel void shaped_sums(const float a, global const float* x, Shape x_strides, global float* y, Shape y_strides, Shape limits) {
  const ulong column = get_global_id(0), row = get_global_id(1);
  if (row >= limits.of[0] || column >= limits.of[1]) return;
  y[row * y_strides.of[0] + column * y_strides.of[1]] += a * x[row * x_strides.of[0] + column * x_strides.of[1]];
}
"""


def cases(items):
    """As walks.py's."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    a = np.float32(0.001)
    for width in ("", 2, 4, 8, 16):
        yield f"a x + y, float{width}", f"sums_float{width}", (4 * items // int(width or 1),), (128,), [a, floats(4 * items), floats(4 * items)]
    for width in (2, 4):
        yield f"a x + y, double{width}", f"sums_double{width}", (2 * items // width,), (128,), [a, random.random(2 * items), random.random(2 * items)]
    shape = lambda *numbers: np.void(np.array(numbers, np.uint64).tobytes())
    for rows in (1, 64):
        columns = 4 * items // rows
        yield (f"a x + y, {rows} rows, strides in structs", "shaped_sums", (columns, rows), None,
               [a, floats(4 * items), shape(columns, 1), floats(4 * items), shape(columns, 1), shape(rows, columns)])
    yield "a x + y, two float4 far apart", "two_apart", (items // 2,), (128,), [a, floats(4 * items), floats(4 * items)]
    yield "steps of particles", "steps", (items // 2,), (64,), [a, floats(2 * items), floats(2 * items), floats(2 * items)]
    yield "bytes into floats, by fours", "mixed", (items,), (256,), [a, random.integers(0, 256, 4 * items, dtype=np.uint8), floats(4 * items)]
    bytes_and_floats = lambda count: [random.integers(0, 256, count, dtype=np.uint8), np.zeros(count, np.float32)]
    for share in (1, 2, 4):
        yield f"{16 // share} MiB of floats out of bytes", "bytes", (items // share,), (256,), bytes_and_floats(4 * items // share)
    yield "16 MiB of floats out of bytes, 32x8", "bytes_of_image", (1024, items // 1024), (32, 8), bytes_and_floats(4 * items)
    yield "copy of 16 MiB", "copied", (items,), (256,), [floats(4 * items), np.zeros(4 * items, np.float32)]
    yield "random numbers, 16 MiB", "numbered", (4 * items,), (256,), [np.zeros(4 * items, np.uint32)]
    yield ("greatest of int4", "integers", (items,), (256,),
           [np.int32(7), random.integers(-99, 99, 4 * items, dtype=np.int32), random.integers(-99, 99, 4 * items, dtype=np.int32)])
    yield "sixteen elements each", "repeated", (items // 4,), (64,), [floats(4 * items)]
    yield "eight powers each", "powers", (items // 2,), (64,), [floats(items // 2), floats(4 * items)]


if __name__ == "__main__":
    main(__doc__, SOURCE, cases, items=1 << 20)
