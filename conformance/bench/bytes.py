#!/usr/bin/env python3
"""Kernels of bytes and 16-bit numbers, on buffers and images, on every platform that the loader finds, in turn.

    bytes.py [--rounds 8] [--side 1024] [KERNEL ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft, each named by an .icd
file in the folder of OCL_ICD_VENDORS, are two platforms: that is what docs/benchmarks.md compares. Needs Debian's python3-pyopencl.
"""
import argparse

import numpy as np
import pyopencl as cl

BUFFERS = ("kernel void k(global const T* a, global const T* b, global T* o, int pitch) {"
           "const int x = get_global_id(0), y = get_global_id(1), i = y * pitch + x; ")
IMAGES = ("constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;"
          "kernel void k(read_only image2d_t a, read_only image2d_t b, write_only image2d_t o, int pitch) {"
          "const int2 p = (int2)(get_global_id(0), get_global_id(1)); const float4 c = read_imagef(a, edge, p); write_imagef(o, p, ")
R, RGBA, BGRA = cl.channel_order.R, cl.channel_order.RGBA, cl.channel_order.BGRA
BYTE, SHORT = cl.channel_type.UNORM_INT8, cl.channel_type.UNORM_INT16
# A type of elements, or the formats that are read and written; the kernel's text.
KERNELS = {
    "brighter": ("uchar4", "o[i] = convert_uchar4_sat_rte(convert_float4(a[i]) + 40.0f);"),
    "inverted, but for alpha": ("uchar4", "o[i] = (uchar4)(convert_uchar3_sat_rte((1.0f - convert_float3(a[i].xyz) / 255.0f) * 255.0f), a[i].w);"),
    "grey, within bounds": ("uchar", "o[i] = convert_uchar_sat_rte(clamp(a[i] / 255.0f, 0.1f, 0.8f) * 255.0f);"),
    "16 bits, darker": ("ushort", "o[i] = convert_ushort_sat_rte((a[i] / 65535.0f - 0.25f) * 65535.0f);"),
    "where sides differ": ("uchar", "const int q = i + pitch + 1; const uchar l = a[q - 1], r = a[q + 1], u = a[q - pitch], d = a[q + pitch];"
                           "o[q] = l > r && u > d ? a[q] : (uchar)((l + r) / 2);"),
    "edit distances": ("uchar", "uchar d[17]; for (int k = 0; k <= 16; ++k) d[k] = k;"
                       "for (int r = 0; r < 16; ++r) { uchar corner = d[0]; d[0] = r + 1; for (int k = 0; k < 16; ++k) { const uchar above = d[k + 1];"
                       "d[k + 1] = min(min((uchar)(above + 1), (uchar)(d[k] + 1)), (uchar)(corner + (a[i + r] != b[k]))); corner = above; } } o[i] = d[16];"),
    "peaks of 16 bits": ("ushort", "const int q = i + 4; const ushort l = a[q - 2], r = a[q + 2]; ushort s = l > r ? l : r;"
                         "if (s > b[q]) s = a[q]; o[q] = s;"),
    "image, RGBA to BGRA": ((RGBA, BGRA, BYTE), "c);"),
    "image, copied, opaque": ((RGBA, RGBA, BYTE), "(float4)(c.xyz, 1.0f));"),
    "image, brighter": ((RGBA, RGBA, BYTE), "c + 0.2f);"),
    "image, threshold of R8": ((R, R, BYTE), "c.x > 0.4f ? 1.0f : 0.0f);"),
    "image, solarized R8": ((R, R, BYTE), "c.x > 0.5f ? 1.0f - c : c);"),
    "image, darker RGBA16": ((RGBA, RGBA, SHORT), "c - 0.125f);"),
    "box 3x3, in float": ("uchar4", "float4 s = 0; for (int v = 0; v < 3; v++) for (int u = 0; u < 3; u++) s += convert_float4(a[i + v * pitch + u]);"
                          "o[i] = convert_uchar4_sat_rte(s * (1.0f / 9));"),
    "gauss 3x3, in int": ("uchar", "int s = 0; for (int v = 0; v < 3; v++) for (int u = 0; u < 3; u++)"
                          "s += (2 - abs(u - 1)) * (2 - abs(v - 1)) * a[i + v * pitch + u]; o[i] = (s + 8) >> 4;"),
    "sobel, |x| + |y|": ("uchar", "global const uchar *t = a + i, *m = t + pitch, *l = m + pitch;"
                         "const int h = t[2] + 2 * m[2] + l[2] - t[0] - 2 * m[0] - l[0], w = l[0] + 2 * l[1] + l[2] - t[0] - 2 * t[1] - t[2];"
                         "o[i] = min(abs(h) + abs(w), 255u);"),
    "sharpened": ("uchar", "global const uchar* m = a + i + pitch + 1;"
                  "o[i] = clamp(5 * m[0] - m[-1] - m[1] - m[-pitch] - m[pitch], 0, 255);"),
    "bright among four": ("uchar", "global const uchar* m = a + i + pitch + 1;"
                          "o[i] = 4 * m[0] > m[-1] + m[1] + m[-pitch] + m[pitch] + 40 ? 255 : 0;"),
    "dark around": ("uchar", "global const uchar* m = a + i + pitch + 1; o[i] = m[-pitch - 1] + m[-pitch] + m[-pitch + 1] + m[-1] + m[1] + m[pitch - 1] +"
                    "m[pitch] + m[pitch + 1] < 200 ? 255 : 0;"),
    "majority of nine": ("uchar", "int s = 0; for (int v = 0; v < 3; v++) for (int u = 0; u < 3; u++) s += a[i + v * pitch + u] > 127; o[i] = s > 4;"),
    "dark, where marked": ("uchar", "o[i] = a[i] + a[i + 1] + a[i + pitch] < 200 && b[i] > 9;"),
    "greatest of nine": ("uchar", "uchar m = 0; for (int v = 0; v < 3; v++) for (int u = 0; u < 3; u++) m = max(m, a[i + v * pitch + u]); o[i] = m;"),
    "median of a cross": ("uchar", "global const uchar* m = a + i + pitch + 1; const uchar t = m[-pitch], l = m[-1], r = m[1], d = m[pitch];"
                          "o[i] = max(min(max(min(t, l), min(r, d)), min(max(t, l), max(r, d))), min(max(max(min(t, l), min(r, d)), min(max(t, l), max(r, d))), m[0]));"),
    "three of eight neighbours": ("uchar", "const int q = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1; const int n = (a[q - pitch - 1] & 1) + (a[q - pitch] & 1) +"
                                  "(a[q - pitch + 1] & 1) + (a[q - 1] & 1) + (a[q + 1] & 1) + (a[q + pitch - 1] & 1) + (a[q + pitch] & 1) + (a[q + pitch + 1] & 1);"
                                  "o[q] = n == 3 || (n == 2 && a[q] & 1);"),
    "holes filled": ("uchar", "uchar r = a[i]; if (r < 128) r = b[i] / 2 + 9; o[i] = r;"),
    "blended": ("uchar4", "const int4 s = convert_int4(a[i]), t = convert_int4(b[i]); o[i] = convert_uchar4((s * 77 + t * 179 + 128) >> 8);"),
    "BGRA to RGB": ("uchar4", "global uchar* p = (global uchar*)o + 3 * i; p[0] = a[i].z; p[1] = a[i].y; p[2] = a[i].x;"),
    "BGRA to RGB, vstore3": ("uchar4", "vstore3(a[i].zyx, i, (global uchar*)o);"),
    "RGB, two pixels a work-item": ("uchar8", "global const uchar* t = (global const uchar*)a + 6 * i; global uchar* p = (global uchar*)o + 6 * i;"
                                    "for (int c = 0; c < 3; c++) { const int l = t[c], r = t[c + 3]; p[c] = (3 * l + r + 2) >> 2; p[c + 3] = (l + 3 * r + 2) >> 2; }"),
    "RGB of a palette": ("uchar4", "vstore3(vload3(b[i].x + 256 * (b[i].y & 3), (global const uchar*)a), i, (global uchar*)o);"),
    "RGB, every second pixel's mean": ("uchar4", "global const uchar* t = (global const uchar*)a; const int j = 2 * (y * (pitch / 2) + x / 2);"
                                       "vstore3(rhadd(vload3(j, t), vload3(j + 1, t)), i, (global uchar*)o);"),
    "three greys merged": ("uchar4", "global const uchar* q = (global const uchar*)b + i; global uchar* p = (global uchar*)o + 3 * i;"
                           "p[0] = q[0]; p[1] = q[pitch]; p[2] = q[2 * pitch];"),
    "16 bits, RGBA to RGB": ("ushort4", "global ushort* p = (global ushort*)o + 3 * i; p[0] = a[i].x; p[1] = a[i].y; p[2] = a[i].z;"),
    "NV12 to RGBA": ("uchar4", "global const uchar* c = (global const uchar*)b + (y >> 1) * pitch + (x & ~1); const int l = ((global const uchar*)a)[i],"
                     "u = c[0] - 128, v = c[1] - 128; o[i] = (uchar4)(clamp(l + (359 * v >> 8), 0, 255), clamp(l - (88 * u + 183 * v >> 8), 0, 255),"
                     "clamp(l + (454 * u >> 8), 0, 255), 255);"),
    "twice as large": ("uchar", "o[i] = a[(y >> 1) * pitch + (x >> 1)];"),
    "half as large": ("uchar4", "global const uchar* t = (global const uchar*)a + 4 * y * pitch + 2 * x;"
                      "((global uchar*)o)[i] = t[0] + t[1] + t[2 * pitch] + t[2 * pitch + 1] + 2 >> 2;"),
    "planes of RGB": ("uchar4", "global const uchar* t = (global const uchar*)a + 3 * i; global uchar* p = (global uchar*)o + i;"
                      "p[0] = t[0]; p[pitch * pitch] = t[1]; p[2 * pitch * pitch] = t[2];"),
    "grey of RGBA bytes": ("uchar4", "global const uchar* t = (global const uchar*)a + 4 * i;"
                           "((global uchar*)o)[i] = t[0] * 77 + t[1] * 151 + t[2] * 28 >> 8;"),
    "16 bits, neighbours changed": ("ushort", "o[y * pitch + (x ^ 1)] = a[y * pitch + (x ^ 3)];"),
    "16 bits, one channel of two": ("ushort4", "((global ushort*)o)[i] = ((global const ushort*)a)[2 * i + 1];"),
    "Bayer to RGBA, 16 bits, within a border": ("ushort4", "if (x < 1 || y < 1 || x >= get_global_size(0) - 1 || y >= get_global_size(1) - 1) return;"
                                                "global const ushort *m = (global const ushort*)a + i, *t = m - pitch, *l = m + pitch;"
                                                "const int c = m[0], h = m[-1] + m[1], v = t[0] + l[0], d = (t[-1] + t[1] + l[-1] + l[1]) / 4, s = (h + v) / 4;"
                                                "const bool even = !(x & 1); o[i] = y & 1 ? even ? (ushort4)(v / 2, c, h / 2, 65535) : (ushort4)(d, s, c, 65535)"
                                                ": even ? (ushort4)(c, s, d, 65535) : (ushort4)(h / 2, c, v / 2, 65535);"),
    "sobel, within a border": ("uchar", "if (x < 1 || y < 1 || x >= get_global_size(0) - 1 || y >= get_global_size(1) - 1) return;"
                               "global const uchar *m = a + i, *t = m - pitch, *l = m + pitch;"
                               "const int h = t[1] + 2 * m[1] + l[1] - t[-1] - 2 * m[-1] - l[-1], w = l[-1] + 2 * l[0] + l[1] - t[-1] - 2 * t[0] - t[1];"
                               "o[i] = min(abs(h) + abs(w), 255u);"),
    "weighted 3x3 in float, within a border": ("uchar", "if (x < 1 || y < 1 || x >= get_global_size(0) - 1 || y >= get_global_size(1) - 1) return; float s = 0;"
                                               "for (int v = -1; v <= 1; v++) for (int u = -1; u <= 1; u++) s += a[i + v * pitch + u] * (1.0f / (2 + u * u + v * v));"
                                               "o[i] = convert_uchar_sat(s);"),
    "16 bytes, mixed": ("uchar16", "uchar16 v = a[i]; v.s3 ^= v.s7 + x; v.s9 = mul_hi(v.s1, v.sf); v.s5 = x * v.s6; o[i] = v.s0a1b2c3d4e5f6879;"),
    "rows of 16 bytes by bytes": ("uchar16", "const int r = (y * 8 + x % 8) * pitch % (pitch * 500); int s = 0; for (int j = 0; j < 8; j++) { const short16 p ="
                                  "convert_short16(a[r + j]) * convert_short16(b[j]); const int8 h = convert_int8(p.lo) + convert_int8(p.hi);"
                                  "const int4 q = h.lo + h.hi; s += q.x + q.y + q.z + q.w; } ((global int*)o)[i] = s;"),
    "8 of 16 bits, mixed": ("ushort8", "ushort8 v = a[i]; v.s0 += x; v.s3 ^= v.s7 + x; v.s5 = x * v.s6; o[i] = v.s61234570;"),
    "16 bits, mean": ("ushort", "o[i] = (a[i] + a[i + 1] + a[i + pitch] + a[i + pitch + 1] + 2) >> 2;"),
}


def prepare(device, kind, source, data):
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    head = BUFFERS.replace("T*", f"{kind}*") if isinstance(kind, str) else IMAGES
    kernel = cl.Kernel(cl.Program(context, head + source + " }").build(), "k")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    if isinstance(kind, str):
        return context, queue, kernel, [cl.Buffer(context, flags, hostbuf=data) for _ in range(3)]
    formats = [cl.ImageFormat(order, kind[2]) for order in (kind[0], kind[0], kind[1])]
    return context, queue, kernel, [cl.Image(context, flags, f, shape=data.shape[1::-1], hostbuf=data) for f in formats]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="of " + ", ".join(KERNELS))
    arguments = parser.parse_args()
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    print(f"{'':28}" + " ".join(f"{d.platform.name + ' ' + d.driver_version:>24.24}" for d in devices))
    side = arguments.side
    random = np.random.default_rng(1)
    for name in arguments.kernels or KERNELS:
        kind, source = KERNELS[name]
        is_short = kind.startswith(("ushort", "short")) if isinstance(kind, str) else kind[2] == SHORT
        channels = int(kind.strip("uchartso") or 1) if isinstance(kind, str) else 1 if kind[0] == R else 4
        shape = (side + 8, side + 8, channels)
        data = random.integers(0, 65535 if is_short else 255, shape, dtype=np.uint16 if is_short else np.uint8, endpoint=True)
        prepared = [prepare(device, kind, source, data) for device in devices]
        least = [float("inf")] * len(devices)
        for _ in range(arguments.rounds):
            for i, (_, queue, kernel, memory) in enumerate(prepared):
                events = [kernel(queue, (side, side), (32, 8), *memory, np.int32(side + 8)) for _ in range(6)]
                queue.finish()
                least[i] = min([least[i]] + [(e.profile.end - e.profile.start) * 1e-6 for e in events[1:]])
        results = []
        for _, queue, _, memory in prepared:
            results.append(np.empty_like(data))
            where = {} if isinstance(kind, str) else {"origin": (0, 0), "region": shape[1::-1]}
            cl.enqueue_copy(queue, results[-1], memory[2], **where)
        same = all((result == results[0]).all() for result in results)
        print(f"{name:28}" + " ".join(f"{ms:24.4f}" for ms in least) + ("" if same else "   DIFFERENT"), flush=True)


if __name__ == "__main__":
    main()
