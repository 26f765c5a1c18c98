#!/usr/bin/env python3
"""Compile time against the size of a kernel, for kernels that programs generate.

compile_time.py --check WEFTC     each kernel at two sizes: what twice the size takes, in times the time and memory of the size
compile_time.py --table           each kernel at two sizes on each platform that the loader finds: build and first launch, nothing cached
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

HEAD = "kernel void k(global int* o, global const int* a, int s) { int g = get_global_id(0); int v = o[g];"


def switch(n):
    return HEAD + "switch (v) {" + "".join(f"case {i}: v = v * {i * 7 + 3} + {i % 13}; break;" for i in range(n)) + "default: v = -1; } o[g] = v; }"


def else_if(n):
    return HEAD + "else ".join(f"if (v == {i * 5}) v = v * {i * 7 + 3} + {i % 13};" for i in range(n)) + "o[g] = v; }"


def loads(n):
    return HEAD + "".join(f"v += a[g * {i % 17 + 1} + {i * 3}];" for i in range(n)) + "o[g] = v; }"


def loops(n):
    return HEAD + "".join(f"for (int i{i} = 0; i{i} < s + {i}; ++i{i}) {{" for i in range(n)) + "v += g ^ i0;" + "}" * n + "o[g] = v; }"


def gotos(n, target):
    labels = "".join(f"L{i}: v = v * 3 + {i}; if (++t < 100 && v % {i + 2} == 1) goto L{target(i)};" for i in range(n))
    return HEAD + "int t = 0;" + labels + "o[g] = v; }"


def gotos_back(n):
    return gotos(n, lambda i: (i * 37 + 11) % n)


def gotos_forward(n):
    return gotos(n, lambda i: min(n - 1, i + 1 + i * 7 % 5))


# What it is, the kernel of a size, and the sizes: to check, and for the table.
KERNELS = [
    ("switch, cases", switch, (500, 1000), (500, 1000, 2000)),
    ("else-ifs", else_if, (500, 1000), (500, 1000, 2000)),
    ("sum of loads", loads, (500, 1000), (500, 1000, 2000)),
    ("nested loops", loops, (20, 40), (20, 30, 40)),
    ("labels, goto to any", gotos_back, (100, 200), (100, 200)),
    ("labels, goto forward", gotos_forward, (100, 200), (100, 200)),
]


def used(command, limit_s=60):
    """Seconds of processor time, seconds, and MiB at most, of a command with its children; it may take `limit_s` of the first."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=log, stderr=log,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s)))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        if status != 0:
            log.seek(0)
            sys.exit(f"{' '.join(command)}: {log.read().decode(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begin, usage.ru_maxrss / 1024


def check(weftc, limit):
    """Processor time is no clock: other processes take the caches. So the least of some runs, and more of them before it is a failure."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, make, sizes, _ in KERNELS:
            files = []
            for n in sizes:
                files.append(os.path.join(folder, f"{n}.cl"))
                with open(files[-1], "w") as file:
                    file.write(make(n))
            least = [(1e9, 1e9)] * 2
            for _ in range(5):
                for i, file in enumerate(files):
                    cpu, _, memory = used([weftc, "--emit=obj", "--local-size=64,1,1", "--ids-fit-31-bits", file, "-o", os.devnull])
                    least[i] = (min(least[i][0], cpu), min(least[i][1], memory))
                ratios = [least[1][k] / least[0][k] for k in (0, 1)]
                if max(ratios) <= limit:
                    break
            good = max(ratios) <= limit
            failures += not good
            print(f"{name}, {sizes[0]} and {sizes[1]}: {least[0][0]:.2f} s and {least[1][0]:.2f} s, {ratios[0]:.2f} times the time, "
                  f"{ratios[1]:.2f} times the memory{'' if good else ': TOO MUCH'}", flush=True)
    sys.exit(failures != 0)


def launch(platform, name, size):
    """One build and launch, in a process of its own."""
    import numpy
    import pyopencl
    device = pyopencl.get_platforms()[platform].get_devices()[0]
    context = pyopencl.Context([device])
    queue = pyopencl.CommandQueue(context)
    numbers = numpy.arange(1 << 17, dtype=numpy.int32)
    flags = pyopencl.mem_flags
    out = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=numbers[:1024])
    source = pyopencl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=numbers)
    make = next(kernel[1] for kernel in KERNELS if kernel[0] == name)
    before, begin = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    program = pyopencl._cl._Program(context, make(size))  # not pyopencl.Program, which has a cache of its own
    program._build("", [device])
    kernel = pyopencl.Kernel(program, "k")
    kernel.set_args(out, source, numpy.int32(-1000))
    pyopencl.enqueue_nd_range_kernel(queue, kernel, (1024,), (64,)).wait()
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{cpu:.2f} {wall:.2f} {after.ru_maxrss / 1024:.0f}", flush=True)
    os._exit(0)


def table():
    import pyopencl
    platforms = pyopencl.get_platforms()
    print("| kernel | " + " | ".join(f"{p.name}: processor time | memory" for p in platforms) + " |")
    print("|---|" + "---:|---:|" * len(platforms))
    for name, _, _, sizes in KERNELS:
        for size in sizes:
            cells = []
            for number in range(len(platforms)):
                with tempfile.TemporaryDirectory() as folder:
                    environment = dict(os.environ, WEFT_CACHE="0", WEFT_COMPILER_PROCESS="0", POCL_CACHE_DIR=folder, PYOPENCL_NO_CACHE="1")
                    command = [sys.executable, __file__, "--launch", str(number), name, str(size)]
                    out = subprocess.run(command, env=environment, capture_output=True, text=True)
                figures = out.stdout.split()
                cells.append(f"{figures[0]} s | {figures[2]} MiB" if len(figures) == 3 else "failed |")
            print(f"| {name}, {size} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", metavar="WEFTC")
    parser.add_argument("--limit", type=float, default=2.3, help="times the time and memory for twice the size (default 2.3)")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--launch", nargs=3, help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.check:
        check(settings.check, settings.limit)
    elif settings.launch:
        launch(int(settings.launch[0]), settings.launch[1], int(settings.launch[2]))
    else:
        table()


if __name__ == "__main__":
    main()
