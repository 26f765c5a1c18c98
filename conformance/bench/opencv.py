#!/usr/bin/env python3
"""Filters on images beside OpenCV's own code for the CPU, both on one thread, in turn, in one process.

Needs pyopencl, numpy and cv2. The first platform that the loader finds is measured; of Weft set WEFT_NUM_WORKERS=1.
Times are of the processor (user time of all threads), the shortest of the rounds: another program's turn does not count.
"""
import pathlib
import sys
import time

import cv2
import numpy as np
import pyopencl as cl

SIDE = 1024
ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15


def shortest(work):
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1e3


def main():
    cv2.setNumThreads(1)
    cv2.ocl.setUseOpenCL(False)
    context = cl.Context(cl.get_platforms()[0].get_devices())
    queue = cl.CommandQueue(context)
    source = pathlib.Path(__file__).with_name("kernels") / "texture.cl"
    program = cl.Program(context, source.read_text()).build()
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    random = np.random.default_rng(1)
    weights = random.random((7, 7), dtype=np.float32)
    weights /= weights.sum()
    box = np.full((5, 5), 1 / 25, np.float32)
    rgba = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
    red = cl.ImageFormat(cl.channel_order.R, cl.channel_type.FLOAT)
    bytes4 = random.integers(0, 256, (SIDE, SIDE, 4), dtype=np.uint8)
    floats = random.random((SIDE, SIDE), dtype=np.float32)
    edge = cv2.BORDER_REPLICATE
    # Of the bilateral filter OpenCV takes three channels and reads its weights from tables.
    colors = np.ascontiguousarray(bytes4[..., :3])
    cases = [
        ("box 5x5, RGBA8", "box5", rgba, bytes4, [], lambda: cv2.filter2D(bytes4, -1, box, borderType=edge), 1),
        ("convolution 7x7, RGBA8", "convolve7", rgba, bytes4, [weights], lambda: cv2.filter2D(bytes4, -1, weights, borderType=edge), 1),
        ("box 5x5, R32F", "box5", red, floats, [], lambda: cv2.filter2D(floats, -1, box, borderType=edge), 1e-5),
        ("bilateral 5x5, RGBA8", "bilateral5", rgba, bytes4, [], lambda: cv2.bilateralFilter(colors, 5, 57, 2.24, borderType=edge), None),
    ]
    for name, kernel, form, data, more, other, tolerance in cases:
        image = cl.Image(context, flags, form, shape=(SIDE, SIDE), hostbuf=data)
        out = cl.Image(context, cl.mem_flags.WRITE_ONLY, form, shape=(SIDE, SIDE))
        buffers = [cl.Buffer(context, flags, hostbuf=each) for each in more]
        launched = cl.Kernel(program, kernel)
        launched.set_args(image, out, *buffers)

        def run():
            cl.enqueue_nd_range_kernel(queue, launched, (SIDE, SIDE), (32, 8))
            queue.finish()

        run()
        if tolerance is not None:
            result = np.empty_like(data)
            cl.enqueue_copy(queue, result, out, origin=(0, 0), region=(SIDE, SIDE))
            difference = np.max(np.abs(result.astype(np.float64) - other().astype(np.float64)))
            if difference > tolerance:
                sys.exit(f"{name}: differs by {difference}")
        mine, theirs = shortest(run), shortest(other)
        print(f"{name:26} {mine:8.2f} ms   OpenCV {theirs:8.2f} ms   {mine / theirs:5.2f}x its time")


if __name__ == "__main__":
    main()
