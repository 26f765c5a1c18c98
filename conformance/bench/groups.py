#!/usr/bin/env python3
"""Kernels whose groups work together or write much: what is chosen kept together, warps in volatile memory, large outputs, columns; on
every platform that the loader finds, in turn.

    groups.py [--rounds 8] [--items 4194304] [NAME ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft are two platforms, as
for rows.py. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

SOURCE = """
#define GROUP 256
kernel void queue(global const int* in, global int* out, int limit) {  // indices of what is chosen, by a counter of the group
  local int count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int i = get_global_id(0), x = in[i];
  if (x > limit) out[get_group_id(0) * GROUP + atomic_inc(&count)] = i;
}
kernel void partition(global const float* in, global float* out, float limit) {  // the chosen ones from the left, the others from the right
  const float x = in[get_global_id(0)];
  const uint one = x < limit, rank = work_group_scan_exclusive_add(one), all = work_group_reduce_add(one);
  global float* own = out + get_group_id(0) * GROUP;
  if (one) own[rank] = x;
  else own[all + get_local_id(0) - rank] = x;
}
kernel void scan_flags(global const double* in, global double* out, double limit) {  // places from a scan in local memory
  local uint t[2][GROUP];
  const uint l = get_local_id(0);
  const double x = in[get_global_id(0)];
  int from = 0;
  t[0][l] = l > 0 ? in[get_global_id(0) - 1] > limit : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < GROUP; s *= 2) {
    t[1 - from][l] = t[from][l] + (l >= s ? t[from][l - s] : 0);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x > limit) out[get_group_id(0) * GROUP + t[from][l]] = x;
}
kernel void expand(global const uchar* flags, global const float* in, global float* out) {  // packed values back to their places
  const uint one = flags[get_global_id(0)] & 1, rank = work_group_scan_exclusive_add(one);
  out[get_global_id(0)] = one ? in[get_group_id(0) * GROUP + rank] : 0;
}
kernel void warp_greatest(global const float* in, global float* out) {  // the greatest of each warp, in volatile local memory
  local volatile float t[GROUP + 16];
  const int l = get_local_id(0), lane = l & 31;
  t[l] = in[get_global_id(0)];
  if (lane < 16) {
    t[l] = fmax(t[l], t[l + 16]);
    t[l] = fmax(t[l], t[l + 8]);
    t[l] = fmax(t[l], t[l + 4]);
    t[l] = fmax(t[l], t[l + 2]);
    t[l] = fmax(t[l], t[l + 1]);
  }
  if (lane == 0) out[get_global_id(0) / 32] = t[l];
}
kernel void warp_sums(global const int* in, global int* out) {  // sums within warps, in volatile local memory
  local volatile int t[2 * GROUP];
  const int l = get_local_id(0), at = 2 * l - (l & 31);
  t[at] = 0;
  t[at + 32] = in[get_global_id(0)];
  t[at + 32] += t[at + 31];
  t[at + 32] += t[at + 30];
  t[at + 32] += t[at + 28];
  t[at + 32] += t[at + 24];
  t[at + 32] += t[at + 16];
  out[get_global_id(0)] = t[at + 32];
}
kernel void mirrored(global const float* in, global float* out) {  // through local memory
  local float t[GROUP];
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[GROUP - 1 - l];
}
kernel void differences(global const float* in, global float2* out) {  // two of a work-item
  local float t[GROUP + 1];
  const int l = get_local_id(0);
  t[l + 1] = in[get_global_id(0)];
  if (l == 0) t[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = (float2)(t[l + 1], t[l + 1] - t[l]);
}
kernel void transposed(global const double* in, global double* out, int width, int height) {
  out[get_global_id(0) * height + get_global_id(1)] = in[get_global_id(1) * width + get_global_id(0)];
}
kernel void scaled_columns(global const float* in, global const float* by, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = in[y * width + x] * by[x];
}
kernel void transposed_tiles(global const int* in, global int* out, int width, int height) {  // of 32, by 8 rows of work-items
  local int tile[32][33];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_group_id(0) * 32, y = get_group_id(1) * 32;
  for (int k = 0; k < 32; k += 8) tile[ly + k][lx] = in[(y + ly + k) * width + x + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; k += 8) out[(x + ly + k) * height + y + lx] = tile[lx][ly + k];
}
"""


def cases(items):
    """Name, kernel, global and local size, arguments; arrays become buffers."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = lambda count: random.integers(0, 1000, count, dtype=np.int32)
    flat, group = (items,), (256,)
    for part in (100, 500, 900):
        yield f"queue of {part / 10:.0f} %", "queue", flat, group, [ints(items), np.zeros(items, np.int32), np.int32(1000 - part)]
    yield "partition", "partition", flat, group, [floats(items), floats(items), np.float32(0.4)]
    yield "places from a scan, double", "scan_flags", flat, group, [random.random(items), np.zeros(items), np.float64(0.5)]
    yield "expanded", "expand", flat, group, [random.integers(0, 255, items, dtype=np.uint8), floats(items), floats(items)]
    yield "greatest of a warp, volatile", "warp_greatest", flat, group, [floats(items), floats(items // 32)]
    yield "sums in a warp, volatile", "warp_sums", flat, group, [ints(items), ints(items)]
    yield "mirrored in groups", "mirrored", (2 * items,), group, [floats(2 * items), floats(2 * items)]
    yield "differences", "differences", flat, group, [floats(items), floats(2 * items)]
    width = int(items**0.5) // 32 * 32
    for w, h in ((width, width), (width // 2 + 32, 2 * width)):
        size, numbers = w * h, [np.int32(w), np.int32(h)]
        yield f"double transposed, {w}x{h}", "transposed", (w, h), (16, 16), [random.random(size), np.zeros(size), *numbers]
        yield f"columns scaled, {w}x{h}", "scaled_columns", (w, h), (16, 16), [floats(size), floats(w), floats(size), *numbers]
        yield f"transposed tiles, {w}x{h}", "transposed_tiles", (w, h // 4), (32, 8), [ints(size), ints(size), *numbers]


if __name__ == "__main__":
    main(__doc__, SOURCE, cases, items=1 << 22, build_options=["-cl-std=CL3.0"])
