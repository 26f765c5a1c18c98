#!/usr/bin/env python3
"""Elements that some work-items store, each to a place of its own in a table, and marks that each stores many of, on every platform that the loader finds, in
turn.

    marks.py [--rounds 8] [--items 65536]

Prints the shortest time of each platform, in microseconds, where 3, 50, 95 and 100 percent of the work-items store, and whether all results are
right; then the times of loops of marks. WEFT_CPU=haswell shows what processors without mask registers do. Needs Debian's python3-pyopencl.
"""
import argparse

import numpy as np
import pyopencl as cl

# What is stored where the flag f is set, and its numpy type.
KERNELS = {
    "a constant byte": ("uchar", "1", np.uint8, lambda f: np.ones_like(f)),
    "a byte": ("uchar", "f + 3", np.uint8, lambda f: f + 3),
    "16 bits": ("ushort", "f * 5", np.uint16, lambda f: f * 5),
    "four bytes": ("uchar4", "(uchar4)(f, 1, 2, f)", np.uint32, lambda f: f | 1 << 8 | 2 << 16 | f << 24),
}
# Loops over n marks of a row, of which each work-item has one, and of all.
LOOPS = {
    "a sieve of 4096 numbers each": """kernel void k(global uchar* set, global const int* primes, const int n) {
        const int first = get_global_id(0) * n, end = first + n;
        for (int i = first; i < end; ++i) set[i] = 1;
        for (int p = 0; p < 172; ++p) for (int i = (first + primes[p] - 1) / primes[p] * primes[p]; i < end; i += primes[p]) set[i] = 0; }""",
    "multiples of a number each": """kernel void k(global uchar* set, global const int* primes, const int n) {
        const int p = primes[get_global_id(0) % 172] * 64;
        for (int i = p; i < 256 * n; i += p) set[i] = 1; }""",
    "rows of floats, filled": """kernel void k(global float* set, global const int* primes, const int n) {
        for (int i = 0; i < n / 4; ++i) set[get_global_id(0) * (n / 4) + i] = 2.5f; }""",
    "places of a list each": """kernel void k(global uchar* restrict set, global const int* restrict primes, const int n) {
        const int first = get_global_id(0) % 100, last = first + 1 + (get_global_id(0) * 7) % 64;
        for (int i = first; i < last; ++i) set[primes[i] * 640 + get_global_id(0)] = 1; }""",
}
SHARES = (3, 50, 95, 100)


def source(kind, value):
    return (f"kernel void k(global const uchar* restrict set, global const int* restrict to, global {kind}* restrict out)"
            f"{{ const int i = get_global_id(0); const uchar f = set[i]; if (f) out[to[i]] = {value}; }}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--items", type=int, default=65536)
    arguments = parser.parse_args()
    items, random, flags = arguments.items, np.random.default_rng(1), cl.mem_flags
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    places = random.permutation(items).astype(np.int32)
    for name, (kind, value, element, expected) in KERNELS.items():
        for share in SHARES:
            marks = ((random.random(items) * 100 < share) * random.integers(1, 9, items)).astype(np.uint8)
            right = np.zeros(items, element)
            right[places] = np.where(marks, expected(marks.astype(np.uint32)), 0).astype(element)
            times, wrong = [], []
            for device in devices:
                context = cl.Context([device])
                queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
                memory = [cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=each) for each in (marks, places, np.zeros(items, element))]
                kernel = cl.Kernel(cl.Program(context, source(kind, value)).build(), "k")
                kernel.set_args(*memory)
                least = float("inf")
                for _ in range(20 * arguments.rounds):
                    event = cl.enqueue_nd_range_kernel(queue, kernel, (items,), (256,))
                    event.wait()
                    least = min(least, event.profile.end - event.profile.start)
                times.append(least / 1e3)
                result = np.empty_like(right)
                cl.enqueue_copy(queue, result, memory[2])
                if not np.array_equal(result, right):
                    wrong.append(device.platform.name)
            print(f"{name:16} {share:3} %" + "".join(f"{each:10.1f}" for each in times), "wrong on " + ", ".join(wrong) if wrong else "", flush=True)
    primes = np.array([p for p in range(2, 1024) if all(p % q for q in range(2, p))], np.int32)
    for name, text in LOOPS.items():
        times, results = [], []
        for device in devices:
            context = cl.Context([device])
            queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
            memory = [cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=each) for each in (np.zeros(256 * 4096, np.uint8), primes)]
            kernel = cl.Kernel(cl.Program(context, text).build(), "k")
            kernel.set_args(*memory, np.int32(4096))
            least = float("inf")
            for _ in range(5 * arguments.rounds):
                event = cl.enqueue_nd_range_kernel(queue, kernel, (256,), (64,))
                event.wait()
                least = min(least, event.profile.end - event.profile.start)
            times.append(least / 1e3)
            results.append(np.empty(256 * 4096, np.uint8))
            cl.enqueue_copy(queue, results[-1], memory[0])
        same = all(np.array_equal(result, results[0]) for result in results)
        print(f"{name:28}" + "".join(f"{each:10.1f}" for each in times), "" if same else "results differ", flush=True)


if __name__ == "__main__":
    main()
