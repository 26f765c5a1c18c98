#!/usr/bin/env python3
"""Arrays of dpnp (pip install dpnp): SYCL's kernels as SPIR-V, shared allocations, through the OpenCL platform of DPC++'s runtime. Each platform in a process of
its own, in turn; results are compared with NumPy's. `dpnp_arrays.py Weft=FOLDER Intel=FOLDER ...`, the folder of the platform's .icd file; Python is the one
that has dpnp. The first time counts what is compiled for it, which Weft keeps (WEFT_CACHE=0)."""
import argparse
import json
import os
import subprocess
import sys
import time

SIDE = 512


def operations(np, dp):
    random = np.random.default_rng(1)
    a, b = (random.random((SIDE, SIDE), dtype=np.float32) for _ in range(2))
    x, y = dp.asarray(a), dp.asarray(b)
    whole, few = (a * 100).astype(np.int32), np.sort(a[0])
    w, f = dp.asarray(whole), dp.asarray(few)
    return {
        "add": (lambda: x + y, lambda: a + b),
        "sin": (lambda: dp.sin(x), lambda: np.sin(a)),
        "power": (lambda: x**y, lambda: a**b),
        "sin of doubles": (lambda: dp.sin(x.astype(dp.float64)), lambda: np.sin(a.astype(np.float64))),
        "complex product": (lambda: (x + 1j * y) * (x - 1j * y), lambda: (a + 1j * b) * (a - 1j * b)),
        "sum": (lambda: dp.sum(x), lambda: a.sum(dtype=np.float64)),
        "sums of columns": (lambda: dp.sum(x, axis=0), lambda: a.sum(0)),
        "greatest of rows": (lambda: dp.max(x, axis=1), lambda: a.max(1)),
        "places of the greatest": (lambda: dp.argmax(x, axis=1), lambda: a.argmax(1)),
        "running sums": (lambda: dp.cumsum(x, axis=1), lambda: a.cumsum(1)),
        "rows sorted": (lambda: dp.sort(x, axis=1), lambda: np.sort(a, 1)),
        "all sorted": (lambda: dp.sort(x.ravel()), lambda: np.sort(a.ravel())),
        "order of rows": (lambda: dp.take_along_axis(x, dp.argsort(x, axis=1), 1), lambda: np.sort(a, 1)),
        "unique": (lambda: dp.unique(w), lambda: np.unique(whole)),
        "median of rows": (lambda: dp.median(x, axis=1), lambda: np.median(a, 1)),
        "search": (lambda: dp.searchsorted(f, y), lambda: np.searchsorted(few, b)),
        "where": (lambda: dp.where(x > 0.5, x, y), lambda: np.where(a > 0.5, a, b)),
        "masked": (lambda: x[x > 0.9], lambda: a[a > 0.9]),
        "transposed": (lambda: dp.ascontiguousarray(x.T), lambda: a.T),
        "histogram": (lambda: dp.histogram(x, bins=20)[0], lambda: np.histogram(a, bins=20)[0]),
        "deviation": (lambda: dp.std(x, axis=0), lambda: a.std(0)),
    }


def measure(rounds):
    import dpnp as dp
    import numpy as np

    found = {}
    for name, (run, expected) in operations(np, dp).items():
        times = []
        for _ in range(rounds + 1):
            start = time.perf_counter()
            result = dp.asnumpy(run())
            times.append(time.perf_counter() - start)
        found[name] = [times[0] * 1e3, min(times[1:]) * 1e3, bool(np.allclose(result, expected(), rtol=1e-3, atol=1e-3))]
    json.dump(found, sys.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("platforms", nargs="*", metavar="NAME=FOLDER")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    if options.measure:
        return measure(options.rounds)
    folders = dict(platform.split("=", 1) for platform in options.platforms)
    best = {}
    for _ in range(options.turns):
        for name, folder in folders.items():
            out = subprocess.run([sys.executable, __file__, "--measure", "--rounds", str(options.rounds)], check=True, stdout=subprocess.PIPE,
                                 env={**os.environ, "OCL_ICD_VENDORS": folder}).stdout
            for operation, (first, again, right) in json.loads(out).items():
                earlier = best.setdefault(operation, {}).setdefault(name, [first, again, right])
                best[operation][name] = [min(first, earlier[0]), min(again, earlier[1]), right and earlier[2]]
    print("| ms: first, again | " + " | ".join(folders) + " |\n|---|" + "---:|" * len(folders))
    for operation, by_platform in best.items():
        print(f"| {operation} | " + " | ".join(f"{first:.0f}, {again:.2f}{'' if right else ' WRONG'}" for first, again, right in by_platform.values()) + " |")
    return 0 if all(right for by_platform in best.values() for _, _, right in by_platform.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
