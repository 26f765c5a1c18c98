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
kernel void farther(global float* x, int n, global float* out) {
  const int i = get_global_id(0);
  out[i] = 0;
  for (int k = 0; k < n; ++k)
    if (fabs(x[k] - x[i]) > 0.5f) out[i] += x[k];
}
typedef struct { float x, y, z, vx, vy, vz; int hits; float energy; } Ball;
kernel void balls(global Ball* all, int n, float dt) {
  global Ball* const own = all + get_global_id(0);
  for (int k = 0; k < n; ++k) {
    own->x += own->vx * dt;
    own->y += own->vy * dt;
    own->z += own->vz * dt;
    own->vy -= 9.8f * dt;
    if (own->y < 0) {
      own->y = -own->y;
      own->vy *= -0.9f;
      own->hits++;
    }
    if (own->x < 0 || own->x > 1) {
      own->vx = -own->vx;
      own->hits++;
    }
    own->energy = own->vx * own->vx + own->vy * own->vy + own->vz * own->vz;
  }
}
typedef struct { float x, z, ux, uz, weight, absorbed, escaped; uint seed; int state, layer, count, rest; } Photon;
float next(global Photon* p) {
  p->seed = p->seed * 1664525u + 1013904223u;
  return (p->seed >> 8) * (1 / 16777216.0f);
}
kernel void photons(global Photon* all, int n) {
  global Photon* const p = all + get_global_id(0);
  for (int k = 0; k < n; ++k)
    switch (p->state) {
      case 0: {
        const float s = 0.1f / (next(p) + 0.05f);
        p->x += p->ux * s;
        p->z += p->uz * s;
        p->layer = p->z < 0 ? -1 : p->z > 4 ? 4 : (int)p->z;
        p->state = p->layer < 0 || p->layer > 3 ? 3 : 1;
        break;
      }
      case 1: {
        p->absorbed += p->weight * 0.1f;
        p->weight *= 0.9f;
        const float c = 2 * next(p) - 1;
        p->ux = p->layer & 1 ? sqrt(1 - c * c) : -sqrt(1 - c * c);
        p->uz = c;
        p->state = p->weight < 0.3f ? 2 : 0;
        break;
      }
      case 2:
        if (next(p) < 0.2f) {
          p->weight *= 5;
          p->state = 0;
        } else {
          p->state = 4;
        }
        break;
      case 3:
        p->escaped += p->weight;
        p->state = 4;
        break;
      default:
        p->x = p->z = p->ux = 0;
        p->uz = p->weight = 1;
        p->count++;
        p->state = 0;
    }
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
    yield "sums of what is far", "farther", (4 * items,), (64,), [floats(4 * items), ints(512), floats(4 * items)]
    balls = floats(8 * 4 * items)
    balls[6::8] = 0
    yield "balls in structs", "balls", (4 * items,), (64,), [balls, ints(128), np.float32(0.01)]
    photons = np.zeros((4 * items, 12), np.uint32)
    photons[:, 7] = random.integers(0, 1 << 32, 4 * items, dtype=np.uint32)
    photons[:, 8] = 4
    yield "photons in structs", "photons", (4 * items,), (64,), [photons.ravel(), ints(128)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1024)
