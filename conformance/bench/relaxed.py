#!/usr/bin/env python3
"""Kernels of floating-point functions with and without -cl-fast-relaxed-math, on every platform that the loader finds, in turn.

    relaxed.py [--rounds 6] [--items 65536] [KERNEL ...]

Prints the shortest times of each platform, in microseconds, without the option and with it, how many times as fast that is, and the
greatest relative difference of the results from those of the first platform without it. Needs Debian's python3-pyopencl.
"""
import argparse

import numpy as np
import pyopencl as cl

HEAD = ("kernel void k(global const float* a, global const float* b, global float* o) {"
        "const int i = get_global_id(0); const float x = a[i], y = b[i]; float s = 0;")


def many(expression):
    """A function alone: of 64 arguments a work-item."""
    return "for (int n = 0; n < 64; n++) { const float u = x + n * 0.01f, v = y + n * 0.02f; s += " + expression + "; } o[i] = s; }"


KERNELS = {
    "exp": many("exp(u)"),
    "exp10": many("exp10(u)"),
    "log": many("log(u)"),
    "log2": many("log2(u)"),
    "sin": many("sin(u)"),
    "cos": many("cos(u)"),
    "tan": many("tan(u)"),
    "pow": many("pow(u, v)"),
    "powr": many("powr(u, v)"),
    "pow, double": many("pow((double)u, (double)v)"),
    "tanh": many("tanh(u)"),
    "atan2": many("atan2(u, v)"),
    "acos": many("acos(u * 0.6f)"),
    "sqrt": many("sqrt(u)"),
    "rsqrt": many("rsqrt(u)"),
    "quotient": many("u / v"),
    "fmin": many("fmin(u, v) * fmax(v, u)"),
    "length": many("length((float3)(u, v, n))"),
    "normalize": many("dot(normalize((float3)(u, v, n)), (float3)(1, 2, 3))"),
    "normal numbers": "for (int n = 0; n < 32; n++) { const float u = x + n * 0.01f, r = sqrt(-2 * log(u)), w = 6.2831853f * y;"
                      "s += r * cos(w + n) + r * sin(w + n); } o[i] = s; }",
    "softmax of 32": "float z[32]; for (int n = 0; n < 32; n++) { z[n] = exp(x * n - y); s += z[n]; }"
                     "float m = 0; for (int n = 0; n < 32; n++) m = fmax(m, z[n] / s); o[i] = m; }",
    "shading": "for (int n = 0; n < 16; n++) { const float3 l = normalize((float3)(n + 1, x, y)),"
               "v = normalize((float3)(x, y, 1)), h = normalize(l + v);"
               "s += fmax(l.z, 0.0f) + pow(fmax(h.z, 0.0f), 20.0f) / length((float3)(x, y, n)); } o[i] = s; }",
    "gamma curve": "for (int n = 0; n < 16; n++) { const float c = x + n * 0.02f;"
                   "s += c < 0.04f ? c / 12.92f : pow((c + 0.055f) / 1.055f, 2.4f); } o[i] = s; }",
    "haversine": "for (int n = 0; n < 16; n++) { const float p = sin((x - n * 0.05f) / 2), q = sin((y - n * 0.03f) / 2);"
                 "s += 2 * asin(sqrt(fmin(p * p + cos(x) * cos(n * 0.05f) * q * q, 1.0f))); } o[i] = s; }",
}


def prepare(device, source, option, data):
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    kernel = cl.Kernel(cl.Program(context, HEAD + source).build(option), "k")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    return queue, kernel, [cl.Buffer(context, flags, hostbuf=one) for one in (*data, data[0])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--items", type=int, default=65536)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="of " + ", ".join(KERNELS))
    arguments = parser.parse_args()
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    print(f"{'':16}" + " ".join(f"{d.platform.name + ' ' + d.driver_version:>27.27}" for d in devices))
    random = np.random.default_rng(1)
    data = [random.random(arguments.items, dtype=np.float32) * np.float32(0.6) + np.float32(0.05) for _ in range(2)]
    for name in arguments.kernels or KERNELS:
        prepared = [prepare(device, KERNELS[name], option, data) for device in devices for option in ("", "-cl-fast-relaxed-math")]
        least = [float("inf")] * len(prepared)
        for _ in range(arguments.rounds):
            for i, (queue, kernel, buffers) in enumerate(prepared):
                events = [kernel(queue, (arguments.items,), (64,), *buffers) for _ in range(4)]
                queue.finish()
                least[i] = min([least[i]] + [(e.profile.end - e.profile.start) * 1e-3 for e in events[1:]])
        results = []
        for queue, _, buffers in prepared:
            results.append(np.empty_like(data[0]))
            cl.enqueue_copy(queue, results[-1], buffers[2])
        off = [np.max(np.abs(result - results[0]) / np.maximum(np.abs(results[0]), 1e-6)) for result in results]
        columns = [f"{least[i]:9.1f} {least[i + 1]:9.1f} {least[i] / least[i + 1]:6.2f}x" for i in range(0, len(least), 2)]
        print(f"{name:16}" + " ".join(columns) + "  off by " + " ".join(f"{one:.0e}" for one in off[1:]), flush=True)


if __name__ == "__main__":
    main()
