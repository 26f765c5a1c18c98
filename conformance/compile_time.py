#!/usr/bin/env python3
"""Compile time against the size of a kernel, for kernels that programs generate.

compile_time.py --check WEFTC     each kernel at two sizes: what twice the size takes, in times the time and memory of the size
compile_time.py --images WEFTC    each kernel on images of four bytes, and the same on buffers: what the one takes, in times the other
compile_time.py --launches WEFTC... kernels of the benchmarks and long ones: instructions from source to machine code, of each compiler
                                  ("weftc --cpu=znver3 --soon": of first code, for another processor than znver4)
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


def records(n):
    return (f"struct record {{ int words[{n}]; }}; kernel void k(global struct record* all, int s) {{ struct record own = all[get_global_id(0)];"
            "if (own.words[0] < s) { own.words[s & 15] += own.words[all[0].words[1] & 15]; all[get_global_id(0)] = own; } }")


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
    ("words of a record", records, (32, 64), (32, 64, 128)),
    ("nested loops", loops, (20, 40), (20, 30, 40)),
    ("labels, goto to any", gotos_back, (100, 200), (100, 200)),
    ("labels, goto forward", gotos_forward, (100, 200), (100, 200)),
]

# `at(x, y)` is the pixel there, at an edge the next one, and `put` writes the work-item's own.
ON_IMAGES = """constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define at(column, row) read_imagef(in, edge, (int2)(column, row))
#define put(v) write_imagef(out, p, v)
kernel void k(read_only image2d_t in, write_only image2d_t out) {"""
ON_BUFFERS = """#define at(column, row) (convert_float4(in[clamp(row, 0, size.y - 1) * size.x + clamp(column, 0, size.x - 1)]) * (1.0f / 255))
#define put(v) out[p.y * size.x + p.x] = convert_uchar4_sat_rte((v) * 255.0f)
kernel void k(global const uchar4* in, global uchar4* out, int2 size) {"""
RGBA8 = "e0000205"  # compiler/argument_formats.h: padded and small, CL_RGBA and CL_UNORM_INT8
AROUND = "for (int y = -{0}; y <= {0}; ++y) for (int x = -{0}; x <= {0}; ++x)"
IMAGE_KERNELS = [
    ("invert", "put(1.0f - at(p.x, p.y));"),
    ("box 5x5", f"float4 s = 0; {AROUND.format(2)} s += at(p.x + x, p.y + y); put(s * 0.04f);"),
    ("weights 7x7", f"float4 s = 0; {AROUND.format(3)} s += (float)(4 + x * y) * at(p.x + x, p.y + y); put(s / 196.0f);"),
    ("Sobel 3x3", "float t[3][3]; for (int y = 0; y < 3; ++y) for (int x = 0; x < 3; ++x) t[y][x] = at(p.x + x - 1, p.y + y - 1).x;"
                  "float h = t[0][2] + 2 * t[1][2] + t[2][2] - t[0][0] - 2 * t[1][0] - t[2][0];"
                  "float v = t[2][0] + 2 * t[2][1] + t[2][2] - t[0][0] - 2 * t[0][1] - t[0][2]; put((float4)(sqrt(h * h + v * v)));"),
    ("bilateral 5x5", f"float4 m = at(p.x, p.y), s = 0; float n = 0; {AROUND.format(2)} {{ float4 c = at(p.x + x, p.y + y), d = c - m;"
                      "float w = native_exp(-(d.x * d.x + d.y * d.y + d.z * d.z) * 10.0f - (float)(x * x + y * y) * 0.1f); s += w * c; n += w; }"
                      "put(s / n);"),
    ("mirror, blend", "int w = get_global_size(0); put(mix(at(p.x, p.y), at(w - 1 - p.x, p.y), 0.25f));"),
    ("threshold", "float4 c = at(p.x, p.y); float g = dot(c.xyz, (float3)(0.3f, 0.59f, 0.11f)); put(g > 0.5f ? (float4)(1.0f) : c * g);"),
    ("loop to a bound", "float4 s = 0; for (int i = 0; i < p.y % 9; ++i) s += at(p.x + i, p.y - i) * 0.1f; put(s);"),
]


# Of the benchmarks (bench/kernels): the file, the kernel, and the local size that it is launched with.
LAUNCHES = [
    ("memory.cl", "copy", "256,1,1"), ("memory.cl", "vector_add", "256,1,1"), ("transpose.cl", "transpose_tiled", "16,16,1"),
    ("matmul.cl", "matmul_naive", "16,16,1"), ("matmul.cl", "matmul_tiled", "16,16,1"), ("black_scholes.cl", "black_scholes", "256,1,1"),
    ("convolution.cl", "convolution", "16,16,1"), ("nbody.cl", "nbody", "256,1,1"), ("stencil.cl", "jacobi_tiled", "16,16,1"),
    ("reduction.cl", "reduction", "256,1,1"), ("fields.cl", "tridiagonal", "64,1,1"),
]

# Long functions: what they are, the kernel and the local size.
LONG = [
    ("star of 25 points, marching", "kernel void k(global const float* a, global float* o, int w, int h, int n) {"
     "size_t i = get_global_id(1) * w + get_global_id(0), p = w * h; for (int z = 4; z < n; ++z) { size_t j = i + z * p; float s = 0;"
     "for (int r = 1; r < 5; ++r) s += (a[j - r] + a[j + r] + a[j - r * w] + a[j + r * w] + a[j - r * p] + a[j + r * p]) / r; o[j] = 6 * a[j] - s; } }", "32,4,1"),
    ("LU of 9x9, private", "kernel void k(global float* a) { float m[81]; size_t i = get_global_id(0);"
     "for (int j = 0; j < 81; ++j) m[j] = a[i * 81 + j];"
     "for (int c = 0; c < 9; ++c) for (int r = c + 1; r < 9; ++r) { m[r * 9 + c] /= m[c * 9 + c];"
     "for (int j = c + 1; j < 9; ++j) m[r * 9 + j] -= m[r * 9 + c] * m[c * 9 + j]; } for (int j = 0; j < 81; ++j) a[i * 81 + j] = m[j]; }", "64,1,1"),
    ("kernel of 80 dimensions", "kernel void k(global const float* x, global const float* y, global const float* v, global float* o, int n) {"
     "float q[80], s[80]; size_t i = get_global_id(0); for (int d = 0; d < 80; ++d) { q[d] = x[i * 80 + d]; s[d] = 0; } float all = 0;"
     "for (int j = 0; j < n; ++j) { float e = 0; for (int d = 0; d < 80; ++d) { float g = q[d] - y[j * 80 + d]; e += g * g; } e = native_exp(-e); all += e;"
     "for (int d = 0; d < 80; ++d) s[d] += e * v[j * 80 + d]; } for (int d = 0; d < 80; ++d) o[i * 80 + d] = s[d] / all; }", "64,1,1"),
    ("deformed by 4x4x4 points", "kernel void k(global const float* at, global float* o, int n, float step) {"
     "int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2); float fx = x / step, fy = y / step, fz = z / step; int ix = fx, iy = fy, iz = fz;"
     "float w[3][4], t[3] = {fx - ix, fy - iy, fz - iz}, d[3] = {0}; for (int e = 0; e < 3; ++e) { float u = t[e], v = 1 - u; w[e][0] = v * v * v;"
     "w[e][1] = 3 * u * u * v; w[e][2] = 3 * u * v * v; w[e][3] = u * u * u; } for (int c = 0; c < 4; ++c) for (int b = 0; b < 4; ++b)"
     "for (int a = 0; a < 4; ++a) { int p = ((iz + c) * n + iy + b) * n + ix + a; for (int e = 0; e < 3; ++e) d[e] += w[0][a] * w[1][b] * w[2][c] * at[p + e * n * n * n]; }"
     "o[(z * get_global_size(1) + y) * get_global_size(0) + x] = d[0] + d[1] + d[2]; }", "32,4,1"),
    ("an automaton's states", "kernel void k(global const uchar* text, int n, global const int* next, global const int* found, global int* counts, int chunk, int more) {"
     "int g = get_global_id(0), s = g * chunk, e = min(s + chunk + more, n), state = 0, c = 0; for (int i = s; i < e; ++i) {"
     "state = next[state * 256 + text[i]]; if (found[state] && i >= s + (s ? more : 0)) c += found[state]; } counts[g] = c; }", "64,1,1"),
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
            for _ in range(10):
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


def instructions(command):
    """That a command executes: no other process changes their number."""
    process = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], capture_output=True, text=True)
    found = [line.split()[-1] for line in process.stderr.splitlines() if "Collected :" in line]
    if process.returncode or not found:
        sys.exit(f"{' '.join(command)}: {process.stderr[-2000:]}")
    return int(found[0])


def compare_images(weftc, limit):
    """Instructions of the compiler alone, from a source to machine code for one size of groups and known formats, as a first launch is, less
    those of an empty kernel."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:

        def cost(text, *options):
            file = os.path.join(folder, "k.cl")
            with open(file, "w") as source:
                source.write(text)
            return instructions([weftc, "--emit=obj", "--local-size=32,8,1", "--ids-fit-31-bits", *options, file, "-o", os.devnull])

        nothing = cost("kernel void k() {}")
        begin = "const int2 p = (int2)(get_global_id(0), get_global_id(1));"
        for name, body in IMAGE_KERNELS:
            on_images = cost(ON_IMAGES + begin + body + "}", f"--formats={RGBA8},{RGBA8}") - nothing
            on_buffers = cost(ON_BUFFERS + begin + body + "}") - nothing
            ratio = on_images / on_buffers
            good = ratio <= limit
            failures += not good
            print(f"{name}: {on_images / 1e6:.0f} and {on_buffers / 1e6:.0f} million instructions, {ratio:.2f} times{'' if good else ': TOO MUCH'}", flush=True)
    sys.exit(failures != 0)


def compare_launches(compilers):
    """Millions of instructions from source to machine code, the start of the process with them. For one processor: valgrind has no AVX-512 to find."""
    kernels = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench", "kernels")
    print("| kernel | " + " | ".join(compilers) + " |")
    print("|---|" + "---:|" * len(compilers))
    with tempfile.TemporaryDirectory() as folder:
        cases = [(kernel, kernel, size, os.path.join(kernels, file)) for file, kernel, size in LAUNCHES]
        for name, text, size in LONG:
            cases.append((name, "k", size, os.path.join(folder, f"{len(cases)}.cl")))
            with open(cases[-1][-1], "w") as file:
                file.write(text)
        for name, kernel, size, path in cases:
            options = ["--emit=obj", "--cpu=znver4", f"--kernel={kernel}", f"--local-size={size}", "--ids-fit-31-bits", "--aligned-offsets", path]
            cells = []
            for compiler in compilers:
                file, *more = compiler.split()
                cells.append(f"{instructions([file, *options, *more, '-o', os.devnull]) / 1e6:.0f}")
            print(f"| {name}, {size} | " + " | ".join(cells) + " |", flush=True)


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
    parser.add_argument("--images", metavar="WEFTC", help="needs valgrind")
    parser.add_argument("--launches", metavar="WEFTC", nargs="+", help="needs valgrind")
    parser.add_argument("--limit", type=float, help="times the time and memory for twice the size (default 2.3), or times the same on buffers (default 1.5)")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--launch", nargs=3, help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.check:
        check(settings.check, settings.limit or 2.3)
    elif settings.images:
        compare_images(settings.images, settings.limit or 1.5)
    elif settings.launches:
        compare_launches(settings.launches)
    elif settings.launch:
        launch(int(settings.launch[0]), settings.launch[1], int(settings.launch[2]))
    else:
        table()


if __name__ == "__main__":
    main()
