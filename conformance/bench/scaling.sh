#!/bin/bash
# What more workers give on this machine: compute-bound kernels of weft-bench on one worker and on all, in turn.
#   conformance/bench/scaling.sh [build folder, default build/release] [rounds, default 5]
# Beside each ratio the machine's own: how many times one processor's rate of float FMA all of them reach, measured with each kernel.
# Processors that share cores, with each other or with other machines, hold both down alike. About a minute a round.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "${1:-$root/build/release}")
export OCL_ICD_VENDORS=$build/etc/OpenCL/vendors/weft.icd
exec python3 - "$build/bin/weft-bench" "${2:-5}" <<'END'
import json, os, subprocess, sys, tempfile
bench, rounds = sys.argv[1], int(sys.argv[2])
KERNELS = ["matmul naive 1024², 16x16", "matmul tiled 1024²", "Mandelbrot", "Black-Scholes", "convolution", "N-body", "k-means",
           "Lennard-Jones", "SHA-256", "Monte Carlo", "Sobel", "DCT", "bitonic", "divergent switch"]

def measure(kernel, workers):
    """Milliseconds of the kernel, and the rate of FMA of the processors that the process may use."""
    with tempfile.NamedTemporaryFile() as out:
        environment = dict(os.environ, **({"WEFT_NUM_WORKERS": str(workers)} if workers else {}))
        subprocess.run([bench, "--only", kernel, "--rounds", "3", "--no-latency", "--json", out.name], check=True,
                       env=environment, stdout=subprocess.DEVNULL)
        report = json.load(open(out.name))
    return report["rows"][0]["times"][0]["kernel_ms"], report["peak_gflops"]

def median(values):
    values = sorted(values)
    return values[len(values) // 2]

def peak_of_one():
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(mine)})
    try:
        return measure("Mandelbrot", 1)[1]
    finally:
        os.sched_setaffinity(0, mine)

print(f"{len(os.sched_getaffinity(0))} processors; medians of {rounds} rounds in turn (least, most)")
one, every, fma, fma_one = {}, {}, [], []
for _ in range(rounds):
    for kernel in KERNELS:
        one.setdefault(kernel, []).append(measure(kernel, 1)[0])
        ms, peak = measure(kernel, None)
        every.setdefault(kernel, []).append(ms)
        fma.append(peak)
    fma_one.append(peak_of_one())
base = median(fma_one)
print(f"{'float FMA':30} {median(fma) / base:6.1f} times   ({min(fma) / base:.1f}, {max(fma) / base:.1f})   {base:.0f} GFLOP/s of one")
for kernel in KERNELS:
    ratios = [a / b for a, b in zip(one[kernel], every[kernel])]
    print(f"{kernel:30} {median(ratios):6.1f} times   ({min(ratios):.1f}, {max(ratios):.1f})   "
          f"{min(one[kernel]) / min(every[kernel]):6.1f} of the shortest times   {median(every[kernel]):.3f} ms on all")
END
