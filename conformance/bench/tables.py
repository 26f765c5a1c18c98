#!/usr/bin/env python3
"""Kernels that look up bytes in tables, or compute what a table of 256 would hold, on every platform that the loader finds, in turn.

    tables.py [--rounds 8] [--items 1048576] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

RANDOM = np.random.default_rng(7)


def constants(kind, name, numbers):
    return f"constant {kind} {name}[{len(numbers)}] = {{{', '.join(str(n) for n in numbers)}}};\n"


def polynomial(value, which, bits):
    for _ in range(8):
        value = value >> 1 ^ (which if value & 1 else 0)
    return value & ((1 << bits) - 1)


BOX = constants("uchar", "box", RANDOM.permutation(256))
LETTERS = constants("uchar", "letters", b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
DIGITS = constants("uchar", "digits", b"0123456789abcdef")
CURVE = constants("float", "curve", [f"{(i / 255) ** 2.2:.8e}f" for i in range(256)])
CRC16 = constants("ushort", "crc16", [polynomial(i, 0xA001, 16) for i in range(256)])
CRC32 = constants("uint", "crc32", [f"{polynomial(i, 0x82F63B78, 32)}u" for i in range(256)])
PLACES = (constants("int", "places", [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]) +
          constants("int", "turns", [(k + 1) * (k + 2) // 2 % 64 for k in range(24)]))


def rounds(words):
    """Each word of the state made of a lookup by each word of the round before, as in ciphers and hashes of wide blocks."""
    each = f"\n#pragma unroll\nfor (int k = 0; k < {words}; ++k)"
    return (f"ulong s[{words}], t[{words}]; for (int k = 0; k < {words}; ++k) s[k] = ((global const ulong*)a)[{words} * i + k];"
            f"for (int r = 0; r < 10; ++r) {{ {each} {{ t[k] = r;\n#pragma unroll\n"
            f"for (int b = 0; b < 8; ++b) t[k] ^= table[256 * b + (s[(k + b) % {words}] >> 8 * b & 255)]; }} {each} s[k] = t[k]; }}"
            f"for (int k = 0; k < {words}; ++k) ((global ulong*)o)[{words} * i + k] = s[k];")


PLAIN = "global const uchar* a, global const T* table, global uchar* o, float amount"
# Before the kernel, the type of the table's elements, work-items for each byte of input, the kernel's text.
KERNELS = {
    "tone curve": ("", "uchar", 1, "o[i] = table[a[i]];"),
    "tone curve, under a bound": ("", "uchar", 1, "if (i < 1000000) o[i] = table[a[i]];"),
    "tone curve of RGBA": ("", "uchar", 0.25, "const uchar4 c = vload4(i, a);"
                           "vstore4((uchar4)(table[c.x], table[c.y], table[c.z], c.w), i, o);"),
    "S-box": (BOX, "uchar", 1, "o[i] = box[a[i] ^ 0x5a] ^ 0x63;"),
    "S-box, 10 rounds": (BOX, "uchar", 1, "uchar x = a[i]; for (int k = 0; k < 10; ++k) x = box[x ^ (uchar)i] + k; o[i] = x;"),
    "hexadecimal": (DIGITS, "uchar", 0.5, "o[2 * i] = digits[a[i] >> 4]; o[2 * i + 1] = digits[a[i] & 15];"),
    "base64": (LETTERS, "uchar", 0.25, "const uint w = a[3 * i] << 16 | a[3 * i + 1] << 8 | a[3 * i + 2];"
               "vstore4((uchar4)(letters[w >> 18], letters[w >> 12 & 63], letters[w >> 6 & 63], letters[w & 63]), i, o);"),
    "bits of words": (constants("uchar", "bits", [bin(i).count("1") for i in range(256)]), "uchar", 0.25,
                      "const uchar4 c = vload4(i, a); o[i] = bits[c.x] + bits[c.y] + bits[c.z] + bits[c.w];"),
    "to linear floats": (CURVE, "uchar", 0.25, "vstore4(convert_uchar4_sat(amount * (float4)(curve[a[i]])), i, o);"),
    "floats by a table": ("", "float", 0.25, "((global float*)o)[i] = table[a[i]];"),
    "CRC-16 of 64 bytes": (CRC16, "ushort", 1 / 64, "uint c = 0; for (int k = 0; k < 64; ++k)"
                           "c = crc16[(c ^ a[64 * i + k]) & 255] ^ c >> 8;"
                           "((global ushort*)o)[i] = c;"),
    "CRC-32C of 64 bytes": (CRC32, "uint", 1 / 64, "uint c = ~0u; for (int k = 0; k < 64; ++k)"
                            "c = crc32[(c ^ a[64 * i + k]) & 255] ^ c >> 8;"
                            "((global uint*)o)[i] = ~c;"),
    "the same, a table in memory": ("", "uint", 1 / 64, "uint c = ~0u; for (int k = 0; k < 64; ++k)"
                                    "c = table[(c ^ a[64 * i + k]) & 255] ^ c >> 8; ((global uint*)o)[i] = ~c;"),
    "tabulation hash": ("", "uint", 1 / 64, "uint h = 0; for (int k = 0; k < 64; ++k) h = rotate(h, 5u) ^ table[a[64 * i + k]];"
                        "((global uint*)o)[i] = h;"),
    "nine rounds of 16 look-ups": ("", "uint", 1 / 64, "global const uint4* w = (global const uint4*)a; uint4 s = w[i]; for (int r = 1; r < 10; ++r)"
                                   "s = w[r] ^ (uint4)(MIX(s.x, s.y, s.z, s.w), MIX(s.y, s.z, s.w, s.x), MIX(s.z, s.w, s.x, s.y), MIX(s.w, s.x, s.y, s.z));"
                                   "((global uint4*)o)[i] = s;"),
    "edit distance of rows": ("", "uchar", 1 / 64, "int row[33]; for (int k = 0; k <= 32; ++k) row[k] = k; for (int n = 1; n <= (int)(amount * 15); ++n) {"
                              "int before = row[0]; row[0] = n; for (int k = 1; k <= 32; ++k) { const int above = row[k]; row[k] ="
                              "min(min(above, row[k - 1]) + 1, before + (table[n] / 64 != a[64 * i + k] / 64)); before = above; } }"
                              "((global int*)o)[i] = row[32];"),
    "gamma, computed": ("", "uchar", 1, "o[i] = convert_uchar_sat_rte(255.0f * powr(a[i] * (1.0f / 255.0f), amount));"),
    "contrast, computed": ("", "uchar", 1, "const float x = a[i] / 255.0f - 0.5f;"
                           "o[i] = convert_uchar_sat_rte(255.0f * (0.5f + x * amount / (1 + fabs(x))));"),
    "false colours, computed": ("", "uchar", 0.25, "const float x = amount * a[i] * 0.02f; vstore4(convert_uchar4_sat_rte(127.5f + 127.5f *"
                                "(float4)(cos(x), cos(x + 2.1f), cos(x + 4.2f), 1)), i, o);"),
    "places by a table, 24 rounds": (PLACES, "ulong", 1 / 64, "ulong s[25], c[5], t; for (int k = 0; k < 25; ++k) s[k] = table[k] ^ (k < 8 ? ((global const ulong*)a)[8 * i + k] : 0);"
                                     "for (int r = 0; r < 24; ++r) { for (int k = 0; k < 5; ++k) c[k] = s[k] ^ s[k + 5] ^ s[k + 10] ^ s[k + 15] ^ s[k + 20];"
                                     "for (int k = 0; k < 5; ++k) { t = c[(k + 4) % 5] ^ rotate(c[(k + 1) % 5], 1ul); for (int j = k; j < 25; j += 5) s[j] ^= t; }"
                                     "t = s[1]; for (int k = 0; k < 24; ++k) { const int j = places[k]; c[0] = s[j]; s[j] = rotate(t, (ulong)turns[k]); t = c[0]; }"
                                     "for (int j = 0; j < 25; j += 5) { for (int k = 0; k < 5; ++k) c[k] = s[j + k]; for (int k = 0; k < 5; ++k) s[j + k] ^= ~c[(k + 1) % 5] & c[(k + 2) % 5]; }"
                                     "s[0] ^= table[r]; } for (int k = 0; k < 4; ++k) ((global ulong*)o)[8 * i + k] = s[k];"),
    **{f"rounds of {words} words": ("", "ulong", 1 / 8 / words, rounds(words)) for words in (4, 8, 16)},
}


MIX = "#define MIX(a, b, c, d) table[a & 255] ^ rotate(table[b >> 8 & 255], 8u) ^ rotate(table[c >> 16 & 255], 16u) ^ rotate(table[d >> 24], 24u)\n"
CONSTANTS = MIX + "".join(dict.fromkeys(before for before, _, _, _ in KERNELS.values()))  # each once
SOURCE = CONSTANTS + "".join(f"kernel void k{number}({PLAIN.replace('T*', kind + '*')}) {{ const size_t i = get_global_id(0); {text} }}\n"
                             for number, (_, kind, _, text) in enumerate(KERNELS.values()))


def cases(items):
    """As in walks.py."""
    data = RANDOM.integers(0, 256, items + 64, dtype=np.uint8)
    tables = {"uchar": RANDOM.integers(0, 256, 256, dtype=np.uint8), "ushort": RANDOM.integers(0, 65536, 256, dtype=np.uint16),
              "uint": RANDOM.integers(0, 2 ** 32, 256, dtype=np.uint32), "float": RANDOM.random(256, dtype=np.float32),
              "ulong": RANDOM.integers(0, 2 ** 64, 2048, dtype=np.uint64)}
    for number, (name, (_, kind, share, _)) in enumerate(KERNELS.items()):
        yield name, f"k{number}", (int(items * share),), (256,), [data, tables[kind], np.zeros_like(data), np.float32(2.2)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 20)
