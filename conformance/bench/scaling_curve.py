#!/usr/bin/env python3
"""What more processors give, beside native code on OpenMP: weft-bench with 1, 2, 4, ... workers and threads, each bound to as many processors.

    scaling_curve.py [--bench build/release/bin/weft-bench] [--rounds 3] [--only TEXT] [--native haswell] [--json FILE]

A row a number of workers: native code's time by Weft's (geometric mean, cases below 0.7), and how many times as fast as with one worker each of
the two is (geometric means). OCL_ICD_VENDORS names the platform; --json keeps each case's times.
"""
import argparse
import json
import math
import os
import subprocess
import tempfile


def measure(arguments, processors):
    """Milliseconds of each case: Weft's and native code's."""
    environment = dict(os.environ, WEFT_NUM_WORKERS=str(len(processors)), OMP_NUM_THREADS=str(len(processors)))
    with tempfile.NamedTemporaryFile() as out:
        command = ["taskset", "-c", ",".join(map(str, processors)), arguments.bench, "--platform", "Weft,C++", "--rounds", str(arguments.rounds),
                   "--best", "--no-latency", "--json", out.name]
        for option in ("only", "native"):
            if getattr(arguments, option):
                command += ["--" + option, getattr(arguments, option)]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        report = json.load(open(out.name))
    times = {row["name"]: [t.get("kernel_ms") for t in row["times"][:2]] for row in report["rows"]}
    return {name: both for name, both in times.items() if all(both)}


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/release/bin/weft-bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--native")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    print("| workers | native code's time by Weft's | below 0.7 | Weft, times as fast as one worker | OpenMP |\n|---:|---:|---:|---:|---:|", flush=True)
    runs = {}
    for count in sorted({min(1 << i, len(processors)) for i in range(len(processors).bit_length() + 1)}):
        times = runs[count] = measure(arguments, processors[:count])
        ratios = [native / weft for weft, native in times.values()]
        common = [name for name in times if name in runs[1]]
        faster = [mean([runs[1][name][i] / times[name][i] for name in common]) for i in (0, 1)]
        print(f"| {count} | {mean(ratios):.2f} | {sum(r < 0.7 for r in ratios)} | {faster[0]:.3g} | {faster[1]:.3g} |", flush=True)
    if arguments.json:
        json.dump(runs, open(arguments.json, "w"), indent=1)


if __name__ == "__main__":
    main()
