#!/usr/bin/env python3
"""Trees, scans and sorting networks in local memory, in groups of many work-items, on every platform that the loader finds, in turn.

    trees.py [--rounds 8] [--items 1048576] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import pathlib

import numpy as np
import pyopencl as cl

import walks

SCANS = pathlib.Path(__file__).with_name("kernels") / "scan.cl"

SOURCE = """
kernel void tree(global const float* in, global float* out, local float* t) {
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
kernel void scaled_rows(global const float* in, global float* out, const int n, local float* t) {
  const int l = get_local_id(0), w = get_local_size(0);
  global const float* row = in + get_group_id(0) * n;
  float sum = 0;
  for (int i = l; i < n; i += w) sum += row[i] * row[i];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = w / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float f = rsqrt(t[0] / n);
  for (int i = l; i < n; i += w) out[get_group_id(0) * n + i] = row[i] * f;
}
kernel void sort(global const uint* keys, global uint* out, local uint* t) {
  const uint l = get_local_id(0);
  const uint n = 2 * get_local_size(0);
  global const uint* block = keys + get_group_id(0) * n;
  t[l] = block[l];
  t[l + n / 2] = block[l + n / 2];
  for (uint size = 2; size <= n; size <<= 1)
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * l - (l & (stride - 1));
      const uint high = low + stride;
      const bool rising = (low & size) == 0 || size == n;
      const uint a = t[low];
      const uint b = t[high];
      if ((a > b) == rising) { t[low] = b; t[high] = a; }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  global uint* to = out + get_group_id(0) * n;
  to[l] = t[l]; to[l + n / 2] = t[l + n / 2];
}
kernel void butterfly(global const float* in, global float* out, const uint bit) {
  const uint i = get_global_id(0);
  const float a = in[i], b = in[i ^ bit];
  out[i] = i & bit ? b - a : a + b;
}
kernel void exchange(global const uint* keys, global const uint* values, global uint* out_keys, global uint* out_values, const uint bit, const uint size) {
  const uint i = get_global_id(0), other = i ^ bit;
  if (other <= i) return;
  const bool turn = (keys[i] > keys[other]) == ((i & size) == 0);
  out_keys[i] = turn ? keys[other] : keys[i];
  out_keys[other] = turn ? keys[i] : keys[other];
  out_values[i] = turn ? values[other] : values[i];
  out_values[other] = turn ? values[i] : values[other];
}
kernel void doubled_sums(global const float* in, global float* out, const int n, local float* t) {
  const int l = get_local_id(0);
  float sum = in[get_global_id(0)];
  for (int bit = 1; bit < n; bit *= 2) {
    t[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[l ^ bit];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = random.random(items, dtype=np.float32)
    words = random.integers(0, 1 << 20, items).astype(np.int32)
    for group in (256, 512, 1024):
        yield f"tree of {group}", "tree", (items,), (group,), [floats, np.zeros(items // group, np.float32), cl.LocalMemory(4 * group)]
    for group, n in ((256, 1024), (512, 2048)):
        yield (f"rows of {n}, scaled by their squares", "scaled_rows", (items // n * group,), (group,),
               [floats, np.zeros(items, np.float32), np.int32(n), cl.LocalMemory(4 * group)])
    for group in (512, 1024):
        yield f"scan of {2 * group}", "scan", (items // 2,), (group,), [words, np.zeros(items, np.int32), cl.LocalMemory(8 * group)]
    for group in (512, 1024):
        yield f"sort of {2 * group}", "sort", (items // 2,), (group,), [words.view(np.uint32), np.zeros(items, np.uint32), cl.LocalMemory(8 * group)]
    words = words.view(np.uint32)
    for bit in (4, 1024):
        yield f"butterflies of {2 * bit}", "butterfly", (items,), (256,), [floats, np.zeros(items, np.float32), np.uint32(bit)]
        yield (f"exchanges at {bit}", "exchange", (items,), (256,),
               [words, words[::-1].copy(), np.zeros(items, np.uint32), np.zeros(items, np.uint32), np.uint32(bit), np.uint32(4096)])
    yield "sums by exchange, 256", "doubled_sums", (items,), (256,), [floats, np.zeros(items, np.float32), np.int32(256), cl.LocalMemory(1024)]


if __name__ == "__main__":
    walks.main(__doc__, SCANS.read_text() + SOURCE, cases, items=1 << 20)
