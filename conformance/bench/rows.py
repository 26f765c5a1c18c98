#!/usr/bin/env python3
"""Kernels of rows, columns and bounded indices in work-groups of several shapes, on every platform that the loader finds, in turn.

    rows.py [--shapes 16x16,8x8,4x64] [--rounds 8] [--side 1024] [--turned] [KERNEL ...]

Prints the shortest time of each platform, in milliseconds, and whether all have the same results. Two builds of Weft, each named by an .icd
file in the folder of OCL_ICD_VENDORS, are two platforms: that is what docs/benchmarks.md compares. Needs Debian's python3-pyopencl.
"""
import argparse

import numpy as np
import pyopencl as cl

HEAD = "kernel void k(global const T* a, global const T* b, global T* o, int pitch) { const int x = get_global_id(0), y = get_global_id(1); "
TURNED_HEAD = HEAD.replace("x = get_global_id(0), y = get_global_id(1)", "y = get_global_id(0), x = get_global_id(1)")
KERNELS = {
    "five points": ("float", "const int i = (y + 1) * pitch + x + 1; o[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - pitch] + a[i + pitch] - b[i]); }"),
    "rows added": ("float", "const int i = y * pitch + x; o[i] = 0.25f * a[i] + b[i]; }"),
    "box 3x3": ("float", "const int i = (y + 1) * pitch + x + 1; float s = 0;"
                "for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) s += a[i + dy * pitch + dx]; o[i] = s / 9; }"),
    "box 5x5, clamped": ("float", "float s = 0; for (int dy = -2; dy <= 2; dy++) for (int dx = -2; dx <= 2; dx++)"
                         "s += a[clamp(y + dy, 0, pitch - 9) * pitch + clamp(x + dx, 0, pitch - 9)]; o[y * pitch + x] = s; }"),
    "7 taps up and down, clamped": ("float", "float s = 0; for (int dy = -3; dy <= 3; dy++) s += b[dy + 3] * a[clamp(y + dy, 0, pitch - 9) * pitch + x];"
                                    "o[y * pitch + x] = s; }"),
    "Gauss 3x3, clamped": ("float", "float s = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) s += a[clamp(y + dy, 0, pitch - 9) * pitch +"
                           "clamp(x + dx, 0, pitch - 9)] * (2 - abs(dx)) * (2 - abs(dy)); o[y * pitch + x] = s / 16; }"),
    "sums of 3x3, zeros beyond": ("float", "float s = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)"
                                  "if (x + dx >= 0 && x + dx < pitch - 8 && y + dy >= 0 && y + dy < pitch - 8) s += a[(y + dy) * pitch + x + dx];"
                                  "o[y * pitch + x] = s; }"),
    "bytes inverted": ("uchar", "const int i = y * pitch + x; o[i] = 255 - a[i]; }"),
    "Life": ("uchar", "const int i = (y + 1) * pitch + x + 1; const int n = a[i - pitch - 1] + a[i - pitch] + a[i - pitch + 1] + a[i - 1] + a[i + 1] +"
             "a[i + pitch - 1] + a[i + pitch] + a[i + pitch + 1]; o[i] = n == 3 || (n == 2 && a[i]); }"),
    "product": ("float", "float s = 0; for (int i = 0; i < 256; i++) s += a[y * pitch + i] * b[i * pitch + x]; o[y * pitch + x] = s; }"),
    "17 taps down": ("float", "float s = 0; for (int i = 0; i < 17; i++) s += a[min(y + i, pitch - 9) * pitch + x] * 0.1f; o[y * pitch + x] = s; }"),
    "tile with a rim": ("float", "local float t[66][66]; const int w = get_local_size(0), h = get_local_size(1), u = get_local_id(0) + 1, v = get_local_id(1) + 1;"
                        "const int i = (y + 1) * pitch + x + 1; t[v][u] = a[i]; if (u == 1) t[v][0] = a[i - 1]; if (u == w) t[v][w + 1] = a[i + 1];"
                        "if (v == 1) t[0][u] = a[i - pitch]; if (v == h) t[h + 1][u] = a[i + pitch]; barrier(CLK_LOCAL_MEM_FENCE);"
                        "o[i] = 0.25f * (t[v][u - 1] + t[v][u + 1] + t[v - 1][u] + t[v + 1][u] - b[i]); }"),
    "blend by mad": ("uchar4", "const int i = y * pitch + x; const float4 p = convert_float4(a[i]), q = convert_float4(b[i]);"
                     "o[i] = convert_uchar4_sat(mad(p - q, (float4)(0.25f, 0.5f, 0.75f, 1.0f), q)); }"),
    "tone curve": ("uchar4", "const int i = y * pitch + x; const float4 p = fmin(fabs(convert_float4(a[i]) - 16), 219.0f);"
                   "o[i] = convert_uchar4_sat_rte(sqrt(fma(p, 1.164f * 255, 0.5f))); }"),
    "unsharp 5x5": ("float", "const int i = (y + 2) * pitch + x + 2; float s = 0;"
                    "for (int dy = -2; dy <= 2; dy++) for (int dx = -2; dx <= 2; dx++) s += a[i + dy * pitch + dx] * (6 >> abs(dx)) * (6 >> abs(dy));"
                    "o[i] = 2 * a[i] - s * (1.0f / 196); }"),
    "weighted 5x5": ("float", "float s = 0; for (int dy = 0; dy < 5; dy++) for (int dx = 0; dx < 5; dx++) s += b[5 * dy + dx] * a[(y + dy) * pitch + x + dx];"
                     "o[y * pitch + x] = s; }"),
    "erosion 3x3": ("uchar", "uchar m = 255; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)"
                    "m = min(m, a[clamp(y + dy, 0, pitch - 9) * pitch + clamp(x + dx, 0, pitch - 9)]); o[y * pitch + x] = m; }"),
    "gradients": ("float", "if (x < 1 || y < 1 || x > pitch - 10 || y > pitch - 10) return; global const float* c = a + y * pitch + x;"
                  "const float h = c[1 - pitch] - c[-1 - pitch] + 2 * (c[1] - c[-1]) + c[1 + pitch] - c[-1 + pitch],"
                  "v = c[-1 + pitch] - c[-1 - pitch] + 2 * (c[pitch] - c[-pitch]) + c[1 + pitch] - c[1 - pitch]; o[y * pitch + x] = sqrt(h * h + v * v); }"),
    "9 taps down": ("float", "const int i = y * pitch + x; float s = 0; for (int k = 0; k < 9; k++) s += a[min(y + k, pitch - 9) * pitch + x] * b[k]; o[i] = s; }"),
    "census 3x3": ("uchar", "const int i = (y + 1) * pitch + x + 1; uchar c = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)"
                   "if (dx || dy) c = (c << 1) | (a[i + dy * pitch + dx] > a[i]); o[i] = c; }"),
    "down in a border": ("float", "if (x == 0 || x == pitch - 9 || y > 15) return; float s = 0; for (int j = y * 64 + 1; j < y * 64 + 64; j++) {"
                         "const int i = j * pitch + x; s = 0.5f * s + a[i - 1] + a[i + 1] + a[i - pitch] + b[i]; o[i] = s; } }"),
    "bounded product": ("float", "if (x >= pitch - 8 || y >= pitch - 8) return; float s = 0; for (int i = 0; i < 256; i++) s += a[y * pitch + i] * b[i * pitch + x];"
                        "o[y * pitch + x] = s; }"),
    "transpose": ("float", "o[x * pitch + y] = a[y * pitch + x]; }"),
}


def prepare(device, kind, source, data, turned):
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    kernel = cl.Kernel(cl.Program(context, (TURNED_HEAD if turned else HEAD).replace("T*", kind + "*") + source).build(), "k")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return queue, kernel, [cl.Buffer(context, flags, hostbuf=data) for _ in range(3)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", default="16x16,8x8,4x64")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("--turned", action="store_true", help="a row's number is along the first dimension")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="of " + ", ".join(KERNELS))
    arguments = parser.parse_args()
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    print(f"{'':24}" + " ".join(f"{d.platform.name + ' ' + d.driver_version:>24.24}" for d in devices))
    pitch = arguments.side + 8
    random = np.random.default_rng(1)
    for shape in arguments.shapes.split(","):
        local = tuple(int(size) for size in shape.split("x"))
        for name in arguments.kernels or KERNELS:
            kind, source = KERNELS[name]
            count = pitch * pitch * (4 if kind.endswith("4") else 1)
            data = random.random(count, dtype=np.float32) if kind == "float" else random.integers(0, 255, count, dtype=np.uint8)
            prepared = [prepare(device, kind, source, data, arguments.turned) for device in devices]
            least = [float("inf")] * len(devices)
            for _ in range(arguments.rounds):
                for i, (queue, kernel, buffers) in enumerate(prepared):
                    events = [kernel(queue, (arguments.side, arguments.side), local, *buffers, np.int32(pitch)) for _ in range(6)]
                    queue.finish()
                    least[i] = min([least[i]] + [(e.profile.end - e.profile.start) * 1e-6 for e in events[1:]])
            results = []
            for queue, _, buffers in prepared:
                results.append(np.empty_like(data))
                cl.enqueue_copy(queue, results[-1], buffers[2])
            same = all((result == results[0]).all() for result in results)
            print(f"{shape:>6} {name:17}" + " ".join(f"{ms:24.4f}" for ms in least) + ("" if same else "   DIFFERENT"), flush=True)


if __name__ == "__main__":
    main()
