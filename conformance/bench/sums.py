#!/usr/bin/env python3
"""Kernels whose loops add to elements of buffers, as much of the world's code does: `y[i] += ...`, in one process on every platform that the
loader finds, in turn.

    sums.py [--rounds 8] [--items 1024] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
kernel void product(global float* m, global float* x, int n, global float* y) {
  const int i = get_global_id(0);
  y[i] = 0;
  for (int k = 0; k < n; ++k) y[i] += m[i * n + k] * x[k];
}
kernel void projected(global float* m, global float* x, int n, global float* y) {
  const int i = get_global_id(0);
  y[i] = 0;
  for (int k = 0; k < n; ++k) y[i] += m[k * n + i] * x[k];
}
kernel void gram(global float* m, int n, global float* g) {
  const int i = get_global_id(1), j = get_global_id(0);
  g[i * n + j] *= 0.5f;
  for (int k = 0; k < n; ++k) g[i * n + j] += m[i * n + k] * m[j * n + k];
}
kernel void moments(global float* m, int n, global float* upper) {
  const int i = get_global_id(0);
  for (int j = i; j < n; ++j) {
    upper[i * n + j] = 0;
    for (int k = 0; k < n; ++k) upper[i * n + j] += m[k * n + i] * m[k * n + j];
  }
}
typedef struct { float x, y, z, potential; } Force;
kernel void forces(global float4* bodies, int n, local float4* near, global Force* force) {
  const int i = get_global_id(0), l = get_local_id(0), width = get_local_size(0);
  const float4 own = bodies[i];
  force[i].x = force[i].y = force[i].z = force[i].potential = 0;
  for (int first = 0; first < n; first += width) {
    near[l] = bodies[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < width; ++k) {
      const float4 d = near[k] - own;
      const float r = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f, w = near[k].w / (r * sqrt(r));
      force[i].x += d.x * w;
      force[i].y += d.y * w;
      force[i].z += d.z * w;
      force[i].potential += w * r;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
kernel void strided_sums(global const float* a, int n, local float* t, global float* sums) {
  const int l = get_local_id(0);
  t[l] = 0;
  for (int k = get_global_id(0); k < n; k += get_global_size(0)) t[l] += a[k];
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] += t[l + s]; }
  if (l == 0) sums[get_group_id(0)] = t[0];
}
kernel void by_list(global const int* order, global float* weights, int n, global float* out) {
  const int i = order[get_global_id(0)];
  out[i] = 0;
  for (int k = 0; k < n; ++k) out[i] += weights[k] * (i & k);
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = np.int32
    matrix = lambda: floats(items * items)
    yield "matrix by a vector", "product", (items,), (64,), [matrix(), floats(items), ints(items), floats(items)]
    yield "vector by a matrix", "projected", (items,), (64,), [matrix(), floats(items), ints(items), floats(items)]
    half = items // 2
    for local in ((32, 8), (16, 16)):
        yield (f"products of rows, {local[0]}x{local[1]}", "gram", (half, half), local,
               [floats(half * half), ints(half), floats(half * half)])
    yield "products of columns, a triangle", "moments", (half,), (64,), [floats(half * half), ints(half), np.zeros(half * half, np.float32)]
    yield "forces in structs", "forces", (4 * items,), (128,), [floats(16 * items), ints(4 * items), cl.LocalMemory(16 * 128), floats(16 * items)]
    yield "sums in local memory", "strided_sums", (256 * 64,), (256,), [matrix(), ints(items * items), cl.LocalMemory(4 * 256), floats(64)]
    yield "sums at places of a list", "by_list", (4 * items,), (64,), [random.permutation(4 * items).astype(np.int32), floats(512), ints(512), floats(4 * items)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1024)
