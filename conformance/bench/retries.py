#!/usr/bin/env python3
"""Kernels that update memory by compare and exchange, for want of an instruction, and lattices in local memory, on every platform that the
loader finds, in turn.

    retries.py [--rounds 8] [--items 262144] [NAME ...]

Prints what walks.py does; where floats are added to one place by many, sums differ in their last digits from run to run. Needs Debian's
python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ADD(NAME, SPACE, FLOAT, INT, AS_INT, AS_FLOAT, EXCHANGE) \\
  void NAME(volatile SPACE FLOAT* p, FLOAT x) { \\
    INT old; \\
    do { old = AS_INT(*p); } while (EXCHANGE((volatile SPACE INT*)p, old, AS_INT(AS_FLOAT(old) + x)) != old); \\
  }
ADD(add_float, global, float, uint, as_uint, as_float, atomic_cmpxchg)
ADD(add_local, local, float, uint, as_uint, as_float, atomic_cmpxchg)
ADD(add_double, global, double, ulong, as_ulong, as_double, atom_cmpxchg)
kernel void matrix_in_coordinates(global const int* row, global const int* column, global const float* a, global const float* x, volatile global float* y) {
  const int i = get_global_id(0);
  add_float(y + row[i], a[i] * x[column[i]]);
}
kernel void charges(global const float* at, global const float* charge, volatile global float* grid) {
  const float x = at[get_global_id(0)] * 4094;
  const int cell = (int)x;
  add_float(grid + cell, charge[get_global_id(0)] * (1 - (x - cell)));
  add_float(grid + cell + 1, charge[get_global_id(0)] * (x - cell));
}
kernel void doubles_by_key(global const int* key, global const double* a, volatile global double* sums) {
  add_double(sums + key[get_global_id(0)], a[get_global_id(0)]);
}
kernel void weights_by_bin(global const uchar* bin, global const float* a, global float* sums) {
  local float mine[256];
  const int l = get_local_id(0);
  mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; ++k) {
    const int i = (get_group_id(0) * 16 + k) * 256 + l;
    add_local(mine + bin[i], a[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[get_global_id(0)] = mine[l];
}
kernel void tagged_counts(global const uchar* bin, global uint* counts) {
  volatile local uint mine[8 * 256];
  const int l = get_local_id(0);
  for (int k = 0; k < 8; ++k) mine[k * 256 + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local uint* own = mine + (l >> 5) * 256;
  for (int k = 0; k < 16; ++k) {
    volatile local uint* p = own + bin[(get_group_id(0) * 16 + k) * 256 + l];
    uint count;
    do {
      count = (*p & 0x7ffffff) + 1 | l << 27;
      *p = count;
    } while (*p != count);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (int k = 0; k < 8; ++k) sum += mine[k * 256 + l] & 0x7ffffff;
  counts[get_global_id(0)] = sum;
}
kernel void moments(global const float* a, global float* out) {
  local float mine[4];
  const int l = get_local_id(0);
  if (l < 4) mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = l; k < 1024; k += get_local_size(0)) {
    const float x = a[get_group_id(0) * 1024 + k];
    add_local(mine, x);
    add_local(mine + 1, k * x);
    add_local(mine + 2, x * x);
    if (x > 0.5f) add_local(mine + 3, x);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 4) out[get_group_id(0) * 4 + l] = mine[l];
}
kernel void deepest(global const int* at, global const float* depth, global int* nearest) {
  global int* p = nearest + at[get_global_id(0)];
  const float mine = depth[get_global_id(0)];
  int old = *p;
  while (as_float(old) < mine) {
    const int tried = old;
    old = atomic_cmpxchg(p, tried, as_int(mine));
    if (old == tried) break;
  }
}
kernel void lattice(global const float* start, global float* price, int steps) {
  local float v[256];
  const int l = get_local_id(0);
  v[l] = fmax(start[get_group_id(0)] * pow(1.01f, 2.0f * l - steps) - 20, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = steps; k > 0; --k) {
    float t = 0;
    if (l < k) t = 0.49995f * (v[l] + v[l + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < k) v[l] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) price[get_group_id(0)] = v[0];
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = lambda below, count: random.integers(0, below, count).astype(np.int32)
    rows = items // 8
    for name, row in (("sorted", np.sort(ints(rows, items))), ("in any order", ints(rows, items))):
        yield (f"matrix in coordinates, {name}", "matrix_in_coordinates", (items,), (256,),
               [row, ints(rows, items), floats(items), floats(rows), np.zeros(rows, np.float32)])
    yield "charges to a grid", "charges", (items,), (128,), [floats(items), floats(items), np.zeros(4096, np.float32)]
    yield "doubles by sorted keys", "doubles_by_key", (items,), (256,), [np.sort(ints(rows, items)), random.random(items), np.zeros(rows)]
    yield ("weights by bin, local", "weights_by_bin", (items // 16,), (256,),
           [random.integers(0, 256, items).astype(np.uint8), floats(items), np.zeros(items // 16, np.float32)])
    yield ("counts by tagged stores", "tagged_counts", (items // 16,), (256,),
           [random.integers(0, 256, items).astype(np.uint8), np.zeros(items // 16, np.uint32)])
    yield "moments, local", "moments", (items // 8,), (128,), [floats(items), np.zeros(items // 1024 * 4, np.float32)]
    yield "greatest by place", "deepest", (items,), (256,), [ints(rows, items), floats(items), np.zeros(rows, np.int32)]
    yield "binomial lattice of 254", "lattice", (items // 4,), (256,), [5 + 30 * floats(items // 1024 * 4), np.zeros(items // 1024 * 4, np.float32), np.int32(254)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=262144)
