#!/usr/bin/env python3
"""Kernels that read images at coordinates in floating point, of several images, and sums of texels, on every platform that the loader finds, in turn.

    images.py [--rounds 8] [--side 1024] [KERNEL ...]

Prints the shortest time of each platform, in milliseconds, and by how much results differ at most, in steps of a byte or of 1/255. Two builds of
Weft, each named by an .icd file in the folder of OCL_ICD_VENDORS, are two platforms: that is what docs/benchmarks.md compares. Needs Debian's
python3-pyopencl.
"""
import argparse

import numpy as np
import pyopencl as cl

HEAD = "".join(
    f"constant sampler_t {name} = {bits};"
    for name, bits in {
        "linear": "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR",
        "bordered": "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR",
        "near": "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST",
        "rimmed": "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST",
        "tiled": "CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST",
    }.items()
) + (
    "kernel void k(read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, write_only image2d_t o) {"
    "const int2 p = (int2)(get_global_id(0), get_global_id(1)); const float2 f = convert_float2(p); write_imagef(o, p, "
)
R, RGBA, BGRA = cl.channel_order.R, cl.channel_order.RGBA, cl.channel_order.BGRA
BYTE, SHORT, HALF, FLOAT = cl.channel_type.UNORM_INT8, cl.channel_type.UNORM_INT16, cl.channel_type.HALF_FLOAT, cl.channel_type.FLOAT
SUM3 = " + ".join(f"{{weight{abs(x) + abs(y)}}}read_imagef(a, near, p + (int2)({x}, {y}))" for y in (-1, 0, 1) for x in (-1, 0, 1))
SUM7 = " + ".join(f"read_imagef(a, near, p + (int2)({x}, {y}))" for y in range(-3, 4) for x in range(-3, 4))
# Channels and their type; what is written.
KERNELS = {
    "enlarged 3.3 times, RGBA8": (RGBA, BYTE, "read_imagef(a, linear, f * 0.3f)"),
    "reduced by 1.6, RGBA8": (RGBA, BYTE, "read_imagef(a, linear, f * 1.6f)"),
    "shifted, R8": (R, BYTE, "read_imagef(a, linear, f + (float2)(0.3f, 7.6f))"),
    "stretched, border, R32F": (R, FLOAT, "read_imagef(a, bordered, f * (float2)(0.9f, 1.2f) - 20.0f)"),
    "enlarged, nearest, RGBA8": (RGBA, BYTE, "read_imagef(a, near, f * 0.4f)"),
    "reduced, nearest, R8": (R, BYTE, "read_imagef(a, near, f * 1.7f)"),
    "enlarged, R16": (R, SHORT, "read_imagef(a, linear, f * 0.6f)"),
    "repeated, 0.7, RGBA8": (RGBA, BYTE, "read_imagef(a, tiled, f * 0.0007f)"),
    "a lens, RGBA8": (RGBA, BYTE, "read_imagef(a, linear, 512.0f + (f - 512.0f) * (1.0f + 3e-7f * dot(f - 512.0f, f - 512.0f)))"),
    "turned by a right angle, R32F": (R, FLOAT, "read_imagef(a, linear, f.yx)"),
    "Gauss 3x3, RGBA8": (RGBA, BYTE, "(" + SUM3.format(weight0="4.0f * ", weight1="2.0f * ", weight2="") + ") / 16.0f"),
    "Gauss 3x3, R32F": (R, FLOAT, "(" + SUM3.format(weight0="4.0f * ", weight1="2.0f * ", weight2="") + ") / 16.0f"),
    "columns of 5, RGBA half": (RGBA, HALF, "(" + " + ".join(f"read_imagef(a, near, p + (int2)(0, {y}))" for y in range(-2, 3)) + ") * 0.2f"),
    "box 3x3, RGBA half": (RGBA, HALF, "(" + SUM3.format(weight0="", weight1="", weight2="") + ") * (1.0f / 9)"),
    "box 3x3, border, RGBA half": (RGBA, HALF, "(" + SUM3.format(weight0="", weight1="", weight2="").replace("near", "rimmed") + ") * (1.0f / 9)"),
    "greatest of a cross, R16": (R, SHORT, "fmax(fmax(fmax(read_imagef(a, near, p + (int2)(-1, 0)), read_imagef(a, near, p + (int2)(1, 0))),"
                                 "fmax(read_imagef(a, near, p + (int2)(0, -1)), read_imagef(a, near, p + (int2)(0, 1)))), read_imagef(a, near, p))"),
    "box 3x3, BGRA8": (BGRA, BYTE, "(" + SUM3.format(weight0="", weight1="", weight2="") + ") * (1.0f / 9)"),
    "mean of two images, RGBA8": (RGBA, BYTE, "(read_imagef(a, near, p) + read_imagef(b, near, p)) * 0.5f"),
    "mean of three images, RGBA8": (RGBA, BYTE, "(read_imagef(a, near, p) + read_imagef(b, near, p) + read_imagef(c, near, p)) * (1.0f / 3)"),
    "box 3x3, RGBA16": (RGBA, SHORT, "(" + SUM3.format(weight0="", weight1="", weight2="") + ") * (1.0f / 9)"),
    "Gauss 3x3, RGBA16": (RGBA, SHORT, "(" + SUM3.format(weight0="4.0f * ", weight1="2.0f * ", weight2="") + ") / 16.0f"),
    "mean of two images, RGBA16": (RGBA, SHORT, "(read_imagef(a, near, p) + read_imagef(b, near, p)) * 0.5f"),
    "box 7x7, RGBA8": (RGBA, BYTE, "(" + SUM7 + ") * (1.0f / 49)"),
    "columns of 9, RGBA16": (RGBA, SHORT, "(" + " + ".join(f"read_imagef(a, near, p + (int2)(0, {y}))" for y in range(-4, 5)) + ") / 9.0f"),
    "copied, RGBA8 to BGRA8": (RGBA, BYTE, "read_imagef(a, near, p).zyxw"),
    "copied, R32F": (R, FLOAT, "read_imagef(a, near, p)"),
    "red alone, RGBA8": (RGBA, BYTE, "(float4)(read_imagef(a, near, p).x, 0.0f, 0.0f, 1.0f)"),
    "a checkerboard, R8": (R, BYTE, "(float4)((p.x / 16 + p.y / 16) & 1)"),
    "slices, enlarged, R8": (R, BYTE, "read_imagef(a, linear, (float4)(f * 0.24f, 7.3f, 0))"),
    "slices, enlarged, RGBA8": (RGBA, BYTE, "read_imagef(a, linear, (float4)(f * 0.24f, 7.3f, 0))"),
    "slices, mean of four, R16": (R, SHORT, "(" + " + ".join(f"read_imagef(a, linear, (float4)(f.x * 0.2f + {z}.4f, f.y * 0.24f, {z}.9f, 0))" for z in range(4)) + ") * 0.25f"),
    "slices, mean of eight in their middles, RGBA8": (RGBA, BYTE, "(" + " + ".join(f"read_imagef(a, linear, (float4)(f.x * 0.2f + {z}.4f, f.y * 0.24f, {z}.5f, 0))" for z in range(8)) + ") * 0.125f"),
    "product of three, R32F": (R, FLOAT, "read_imagef(a, near, p) * read_imagef(b, near, p) * read_imagef(c, near, p)"),
}


def prepare(device, order, kind, source, data, slices):
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    head = HEAD.replace("image2d_t a", "image3d_t a") if slices else HEAD
    kernel = cl.Kernel(cl.Program(context, head + source + "); }").build(), "k")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    memory = [cl.Image(context, flags, cl.ImageFormat(order, kind), shape=each.shape[1::-1], hostbuf=each) for each in data]
    if slices:  # sixteen of the first image, a quarter as wide and high
        height, width = data[0].shape[:2]
        memory[0] = cl.Image(context, flags, cl.ImageFormat(order, kind), shape=(width // 4, height // 4, 16), hostbuf=data[0])
    return context, queue, kernel, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="of " + "; ".join(KERNELS))
    arguments = parser.parse_args()
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    print(f"{'':30}" + " ".join(f"{d.platform.name + ' ' + d.driver_version:>24.24}" for d in devices) + "   differ by")
    side = arguments.side
    random = np.random.default_rng(1)
    for name in arguments.kernels or KERNELS:
        order, kind, source = KERNELS[name]
        shape = (side, side, 1 if order == R else 4)
        if kind in (HALF, FLOAT):
            data = [random.random(shape, dtype=np.float32).astype(np.float16 if kind == HALF else np.float32) for _ in range(4)]
        else:
            element = np.uint16 if kind == SHORT else np.uint8
            data = [random.integers(0, np.iinfo(element).max, shape, dtype=element, endpoint=True) for _ in range(4)]
        prepared = [prepare(device, order, kind, source, data, name.startswith("slices")) for device in devices]
        least = [float("inf")] * len(devices)
        for _ in range(arguments.rounds):
            for i, (_, queue, kernel, memory) in enumerate(prepared):
                events = [kernel(queue, (side, side), (32, 8), *memory) for _ in range(6)]
                queue.finish()
                least[i] = min([least[i]] + [(e.profile.end - e.profile.start) * 1e-6 for e in events[1:]])
        results = []
        for _, queue, _, memory in prepared:
            results.append(np.empty_like(data[0]))
            cl.enqueue_copy(queue, results[-1], memory[3], origin=(0, 0), region=shape[1::-1])
        step = 1 / 255 if kind in (HALF, FLOAT) else 1
        most = max(np.abs(result.astype(np.float64) - results[0].astype(np.float64)).max() / step for result in results)
        print(f"{name:30}" + " ".join(f"{ms:24.4f}" for ms in least) + f"{most:12.2g}", flush=True)


if __name__ == "__main__":
    main()
