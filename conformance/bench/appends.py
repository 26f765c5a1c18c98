#!/usr/bin/env python3
"""Kernels that append what they keep, take turns, count, or shuffle arrays of their own, on every platform that the loader finds, in turn.

    appends.py [--rounds 8] [--items 1048576] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void append(global const uint* in, global uint* out, const uint limit, const uint mask, global uint* taken) {
  const uint v = in[get_global_id(0)];
  if (v > limit) out[atomic_inc(taken) & mask] = v;
}
kernel void bounded(global const uint* in, global uint2* out, const uint limit, const uint mask, global uint* taken) {
  const uint i = get_global_id(0);
  if (i <= mask - 3) {
    const uint v = in[i];
    if (v > limit) out[atomic_add(taken, 1) & mask / 2] = (uint2)(i, v);
  }
}
kernel void tickets(global const uint* in, global uint* out, const uint limit, const uint mask, global uint* taken) {
  local uint turn;
  if (get_local_id(0) == 0) turn = atomic_inc(taken);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[turn * get_local_size(0) + get_local_id(0) & mask] = in[get_global_id(0)] + limit;
}
kernel void compact(global const uint* in, global uint* out, const uint limit, const uint mask, global uint* taken) {
  local uint count, base;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint v = in[get_global_id(0)];
  uint mine = 0;
  if (v > limit) mine = atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) base = atomic_add(taken, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v > limit) out[base + mine & mask] = v;
}
kernel void histogram(global const uint* in, const uint count, global uint* bins) {
  local uint mine[1024];
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&mine[in[i] & 1023]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) atomic_add(&bins[i], mine[i]);
}
kernel void values(global const uint* in, const uint count, global uint* bins) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&bins[in[i] & 0xffff]);
}
kernel void shares(global const uint* rows, global const uint* edges, global const uint* weight, const uint mask, global uint* sums) {
  const uint from = rows[get_global_id(0)], to = rows[get_global_id(0) + 1];
  for (uint e = from; e < to; ++e) atomic_add(&sums[edges[e] & mask], weight[get_global_id(0)] / (to - from));
}
kernel void angles(global const int2* at, constant int2* directions, global uint* votes) {
  const int2 p = at[get_global_id(0)];
  for (int t = 0; t < 128; ++t) atomic_inc(&votes[t * 1024 + (p.x * directions[t].x + p.y * directions[t].y >> 10) + 512]);
}
kernel void digits(global const uint* in, const uint count, global uint* most) {
  uint bins[16] = {0};
  for (uint k = 0; k < count; ++k) ++bins[in[get_global_id(0) * count + k] >> 8 & 15];
  uint best = 0;
  for (uint k = 0; k < 16; ++k) best = max(best, bins[k]);
  most[get_global_id(0)] = best;
}
kernel void permutation(global const uint* in, const uint count, global uint* out) {
  uchar s[64];
  for (uint k = 0; k < 64; ++k) s[k] = k;
  uint x = in[get_global_id(0)], sum = 0;
  for (uint k = 0; k < count; ++k) {
    x = x * 1664525u + 1013904223u;
    const uint a = k & 63, b = x >> 26;
    const uchar c = s[a];
    s[a] = s[b];
    s[b] = c;
    sum = sum * 31 + s[c];
  }
  out[get_global_id(0)] = sum;
}
kernel void relaxed(global const uint* in, const uint mask, global uint* distance, global uint* changed) {
  const uint edge = in[get_global_id(0)], by_edge = edge >> 8;
  if (atomic_min(&distance[edge & mask], by_edge) > by_edge) *changed = 1;
}
"""


def cases(items):
    """As in walks.py; `items` is a power of two."""
    random = np.random.default_rng(1)
    numbers = random.integers(0, 1 << 24, items, dtype=np.uint32)
    count = lambda length: np.zeros(length, np.uint32)
    for name, kernel, local in (("append, half kept", "append", 256), ("append pairs, within bounds", "bounded", 64), ("turns of groups", "tickets", 256),
                                ("compaction, groups of 128", "compact", 128)):
        yield name, kernel, (items,), (local,), [numbers, count(items), np.uint32(1 << 23), np.uint32(items - 1), count(1)]
    yield "histogram of 1,024 bins", "histogram", (16384,), (256,), [numbers, np.uint32(items), count(1024)]
    yield "histogram of 16 bits, strides", "values", (16384,), (256,), [numbers, np.uint32(items), count(1 << 16)]
    rows = np.concatenate([[0], np.cumsum(random.integers(0, 16, items // 32))]).astype(np.uint32)
    yield ("shares along edges", "shares", (items // 32,), (64,), [rows, random.integers(0, 1 << 24, rows[-1], dtype=np.uint32), numbers,
            np.uint32(items // 32 - 1), count(items // 32)])
    rows = np.concatenate([[0], np.cumsum(random.integers(0, 2, items // 64))]).astype(np.uint32)
    yield "shares along an edge or none", "shares", (items // 64,), (64,), [rows, random.permutation(numbers), numbers, np.uint32(items // 16 - 1), count(items // 16)]
    turns = np.arange(128) * np.pi / 128
    yield ("votes for 128 angles", "angles", (items // 256,), (64,), [random.integers(0, 1024, (items // 256, 2), dtype=np.int32),
            np.rint(256 * np.stack([np.cos(turns), np.sin(turns)], 1)).astype(np.int32), count(128 * 1024)])
    yield "most frequent digit of 64", "digits", (items // 64,), (64,), [numbers, np.uint32(64), count(items // 64)]
    yield "permutation of 64, 256 steps", "permutation", (items // 64,), (64,), [numbers, np.uint32(256), count(items // 64)]
    yield "distances that have settled", "relaxed", (items,), (64,), [numbers, np.uint32(0x7FFF), count(0x8000), count(1)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 20)
