#!/usr/bin/env python3
"""Groups of one work-item that look up in tables of their own where to look next, on every platform that the loader finds, in turn.

    own_tables.py [--rounds 8] [--items 64] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void chase(global const uint* tables, const uint steps, const uint count, global uint* out) {
  local uint next[1024];
  const size_t id = get_global_id(0);
  if (id >= count) return;
  for (uint i = 0; i < 1024; ++i) next[i] = tables[1024 * id + i] & 1023;
  uint at = id & 1023, sum = 0;
  for (uint i = 0; i < steps; ++i) {
    at = next[at];
    sum += at ^ i;
  }
  out[id] = sum;
}
#define CAST(x) (((s[(x) >> 24] ^ s[256 + ((x) >> 16 & 255)]) - s[512 + ((x) >> 8 & 255)]) + s[768 + ((x) & 255)])
kernel void cipher(global const uint* tables, const uint steps, const uint count, global uint* out) {
  local uint s[1024];
  const size_t id = get_global_id(0);
  for (uint i = 0; i < 1024; ++i) s[i] = tables[1024 * id + i];
  uint left = id, right = count, keys[8];
  for (uint i = 0; i < 8; ++i) keys[i] = tables[1024 * id + i] ^ count;
  for (uint i = 0; i < steps / 8; ++i)
    for (uint r = 0; r < 8; r += 2) {
      uint t = rotate(right + keys[r], r + 5);
      left ^= CAST(t);
      t = rotate(left ^ keys[r + 1], r + 11);
      right ^= CAST(t);
    }
  out[id] = left ^ right;
}
kernel void automaton(global const uint* tables, const uint steps, const uint count, global uint* out) {
  local ushort next[64 * 16];
  const size_t id = get_global_id(0);
  for (uint i = 0; i < 64 * 16; ++i) next[i] = tables[1024 * id + i] & 63;
  uint state = 0, accepted = 0;
  for (uint i = 0; i < steps; ++i) {
    state = next[16 * state + (tables[i & 1023] >> 28)];
    accepted += state < 8;
  }
  out[id] = accepted;
}
kernel void feistel(global const uint* tables, const uint steps, const uint count, global uint* out) {
  local uint s[512];
  const size_t id = get_global_id(0);
  if (id >= count) return;
  for (uint i = 0; i < 512; ++i) s[i] = tables[1024 * id + i];
  uint left = id, right = count;
  for (uint i = 0; i < steps; i += 2) {
    left ^= s[right & 255] + s[256 + (right >> 24)];
    right ^= s[left >> 8 & 255] ^ s[256 + (left >> 16 & 255)];
  }
  out[id] = left ^ right;
}
kernel void inverse(global const uint* tables, const uint steps, const uint count, global uint* out) {
  local uint value[256];
  const size_t id = get_global_id(0);
  for (uint i = 0; i < 256; ++i) value[i] = tables[1024 * id + i] | 1;
  uint x = id + 1;
  for (uint i = 0; i < steps; ++i) x = (x ^ value[x & 255]) * value[x >> 24];
  out[id] = x;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    tables = random.integers(0, 1 << 32, 1024 * items, dtype=np.uint32)
    for name, kernel in (("permutation followed", "chase"), ("cipher with tables of its key", "cipher"), ("Feistel network", "feistel"), ("automaton", "automaton"),
                         ("products of what is found", "inverse")):
        yield name, kernel, (items,), (1,), [tables, np.uint32(1 << 15), np.uint32(items), np.zeros(items, np.uint32)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=64)
