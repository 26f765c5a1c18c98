#!/usr/bin/env python3
"""Kernels that would have more than 40,000 instructions with all their calls inlined, on every platform that the loader finds, in turn.

    calls.py [--rounds 8] [--items 4096] [NAME ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft are two platforms, as for
rows.py. Needs Debian's python3-pyopencl.
"""
import numpy as np

from walks import main

ROUNDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3]


def blake():
    """A hash's compression of one block, its ten rounds unrolled, as libraries have it."""
    quarters = ["0, 4, 8, 12", "1, 5, 9, 13", "2, 6, 10, 14", "3, 7, 11, 15", "0, 5, 10, 15", "1, 6, 11, 12", "2, 7, 8, 13", "3, 4, 9, 14"]
    text = "#define G(a, b, c, d, x, y) v[a] += v[b] + (x); v[d] = rotate(v[d] ^ v[a], 16u); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 20u);"
    text += " v[a] += v[b] + (y); v[d] = rotate(v[d] ^ v[a], 24u); v[c] += v[d]; v[b] = rotate(v[b] ^ v[c], 25u);\n"
    text += "void compress(uint* h, const uint* m, uint length) { uint v[16]; for (int i = 0; i < 8; ++i) { v[i] = h[i]; v[i + 8] = 0x6a09e667u * (i + 1); } v[12] ^= length;\n"
    for r in range(10):
        for q, places in enumerate(quarters):
            x, y = (ROUNDS[(r % 2 * 16 + 2 * q + i + r) % 32] for i in (0, 1))
            text += f"G({places}, m[{x}], m[{y}]) "
    return text + "for (int i = 0; i < 8; ++i) h[i] ^= v[i] ^ v[i + 8]; }\n"


def keccak():
    """A permutation of 25 words of 64 bits, its rounds a loop."""
    text = "void permute(ulong* s) { for (uint round = 0; round < 24; ++round) { ulong c[5], t[25];\n"
    text += "for (int x = 0; x < 5; ++x) c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];\n"
    for i in range(25):
        x, y = i % 5, i // 5
        text += f"t[{y + 5 * ((2 * x + 3 * y) % 5)}] = rotate(s[{i}] ^ c[{(x + 4) % 5}] ^ rotate(c[{(x + 1) % 5}], 1ul), {(i * i + i) // 2 % 64}ul);\n"
    for i in range(25):
        row = i - i % 5
        text += f"s[{i}] = t[{i}] ^ (~t[{row + (i + 1) % 5}] & t[{row + (i + 2) % 5}]);\n"
    return text + "s[0] ^= 0x8000000080008081ul * (round + 1); } }\n"


def noise():
    """Octaves of a value noise."""
    text = "float corner(float3 p) { uint n = 1619u * (int)p.x + 31337u * (int)p.y + 6971u * (int)p.z; n ^= n << 13;\n"
    text += "return (n * (n * n * 15731u + 789221u) + 1376312589u >> 8) * 0x1p-24f; }\n"
    text += "float noise(float3 p, float falloff) { float sum = 0, weight = 1;\n"
    for _ in range(6):
        text += "{ const float3 f = floor(p), t = p - f; const float3 u = t * t * (3 - 2 * t);\n"
        corners = [f"corner(f + (float3)({i & 1}, {i >> 1 & 1}, {i >> 2}))" for i in range(8)]
        text += "sum += weight * mix(mix(mix({}, {}, u.x), mix({}, {}, u.x), u.y), mix(mix({}, {}, u.x), mix({}, {}, u.x), u.y), u.z);\n".format(*corners)
        text += "weight *= falloff; p = p * 2.03f + 0.17f; }\n"
    return text + "return sum; }\n"


def kernels():
    text = blake() + keccak() + noise()
    text += "kernel void hashes(global const uint* in, global uint* out) { const size_t i = get_global_id(0); uint h[8], m[16];\n"
    text += "for (int k = 0; k < 8; ++k) h[k] = in[i] + k; for (int k = 0; k < 16; ++k) m[k] = in[i] * k;\n"
    for site in range(40):
        text += f"m[{site % 16}] += h[{site % 8}]; " + ("if (h[0] & 7) " if site % 5 == 4 else "") + f"compress(h, m, {64 * site});\n"
    text += "out[i] = h[0] ^ h[7]; }\n"
    text += "kernel void sponges(global const ulong* in, global ulong* out) { const size_t i = get_global_id(0); ulong s[25];\n"
    text += "for (int k = 0; k < 25; ++k) s[k] = in[i] * k;\n"
    for site in range(120):
        text += f"s[{site % 17}] ^= in[i] + {site}; permute(s);\n"
    text += "out[i] = s[0] ^ s[24]; }\n"
    text += "kernel void landscape(global const float* in, global float* out) { const size_t i = get_global_id(0); float3 p = (float3)(in[i], i * 0.01f, in[i] * 0.5f); float h = 0;\n"
    for site in range(60):
        text += f"{'if (in[i] < 0.5f) ' if site % 4 == 3 else ''}h = h * 0.7f + noise(p + {site}, 0.{site % 4 + 3}f);\n"
    return text + "out[i] = h; }\n"


def cases(n):
    """As walks.py's."""
    random = np.random.default_rng(1)
    words, longs = random.integers(0, 1 << 32, n, dtype=np.uint32), random.integers(0, 1 << 63, n, dtype=np.uint64)
    yield "hashes of 32 bits", "hashes", (n,), None, [words, np.zeros(n, np.uint32)]
    yield "sponges of 64 bits", "sponges", (n // 4,), None, [longs, np.zeros(n, np.uint64)]
    yield "noise under conditions", "landscape", (n,), None, [random.random(n, dtype=np.float32), np.zeros(n, np.float32)]


if __name__ == "__main__":
    main(__doc__, kernels(), cases, items=4096)
