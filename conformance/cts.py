#!/usr/bin/env python3
"""Runs binaries of an existing OpenCL-CTS build on one OpenCL library, test by test, and tells what came out.

    cts.py BUILD --icd LIBRARY [--loader LIBRARY] [--time-out SECONDS] [--jobs N] [--results FILE] [--markdown FILE]
           ["BINARY[:TEST,TEST...] [ARGUMENT...]" ...]

BUILD is the folder of a CTS build (it holds test_conformance/, or is that folder). LIBRARY of --icd is the OpenCL
implementation, for example build/lib/libweft.so; --loader is a Khronos loader's libOpenCL.so, where the one that
the binaries were linked to is not wanted. Without binaries the selection below runs. A test may have wildcards;
arguments such as -w go to each test: "select -w". With --results several runs, each of some suites, make one table.

Each test is a process of its own, so that a crash or a hang is the result of one test. The exit status is 0 when
no test failed, crashed or timed out.
"""

import argparse
import concurrent.futures
import datetime
import fnmatch
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

# What the first slice of Weft must pass: everything in these, images excepted.
SELECTION = [
    "computeinfo",
    "basic",
    "thread_dimensions:quick_*",
    "atomics",
    "vectors",
    "buffers",
]

# Folders whose binary has another name.
BINARY_OF_FOLDER = {"multiple_device_context": "multiples", "math_brute_force": "bruteforce", "SVM": "svm",
                    "images/clGetInfo": "cl_get_info", "images/clReadWriteImage": "cl_read_write_images",
                    "images/clCopyImage": "cl_copy_images", "images/clFillImage": "cl_fill_images",
                    "images/kernel_read_write": "image_streams", "images/samplerlessReads": "samplerless_reads",
                    "extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch": "cl_khr_mutable_dispatch"}

# Whose arguments are not names of tests: they run whole.
WHOLE = {"conversions"}


def library_environment(icd, loader):
    environment = dict(os.environ)
    # The Khronos loader takes one driver by its file name; Debian's ocl-icd wants the same through its own variable.
    environment["OCL_ICD_FILENAMES"] = str(icd)
    environment["OCL_ICD_VENDORS"] = str(icd)
    if loader:
        folder = str(pathlib.Path(loader).resolve().parent)
        environment["LD_LIBRARY_PATH"] = folder + ":" + environment.get("LD_LIBRARY_PATH", "")
    return environment


def tests_of(binary, environment):
    """Names that the binary lists under `Test names:`."""
    said = subprocess.run([binary, "--help"], env=environment, capture_output=True, text=True, errors="replace", timeout=60)
    names = []
    for line in said.stdout.splitlines():
        if line.strip() == "Test names:":
            names = []  # the harness's own list is the last
        elif line.startswith("\t"):
            names.append(line.strip())
    return names


def judge(status, output, results):
    """pass, fail, skip, crash or nothing ran; `results` is what CL_CONFORMANCE_RESULTS_FILENAME got."""
    if status < 0:
        return "crash " + signal.Signals(-status).name
    said = set(results.values())
    if "fail" in said or status != 0:
        return "fail"
    if said == {"skip"} or (not said and re.search(r"\bskipp(ed|ing)\b", output, re.IGNORECASE) and "passed" not in output):
        return "skip"
    return "pass" if said else "nothing ran"


def run_test(binary, test, arguments, environment, time_out):
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "results.json"
        environment = dict(environment, CL_CONFORMANCE_RESULTS_FILENAME=str(report))
        command = [binary, *arguments, *([] if test in WHOLE else [test])]
        process = subprocess.Popen(command, env=environment, cwd=binary.parent, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=time_out)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return "timeout", time.monotonic() - start, output
        try:
            results = json.loads(report.read_text()).get("results", {})
        except (OSError, ValueError):
            results = {}
    return judge(process.returncode, output, results), time.monotonic() - start, output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--icd", type=pathlib.Path, required=True)
    parser.add_argument("--loader", type=pathlib.Path)
    parser.add_argument("--time-out", type=float, default=120, help="seconds a test (default 120)")
    parser.add_argument("--jobs", type=int, default=1, help="tests at once (default 1)")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the table to this file")
    parser.add_argument("--results", type=pathlib.Path, action="append", default=[],
                        help="JSON of earlier runs, taken into the table; the first is updated after each test")
    parser.add_argument("--logs", type=pathlib.Path, help="keep the output of what did not pass in this folder")
    parser.add_argument("binaries", nargs="*", default=SELECTION)
    options = parser.parse_intermixed_args()

    folder = options.build.resolve()
    if (folder / "test_conformance").is_dir():
        folder = folder / "test_conformance"
    if not options.icd.exists():
        sys.exit(f"cts.py: no library {options.icd}")
    environment = library_environment(options.icd.resolve(), options.loader)
    if options.logs:
        options.logs.mkdir(parents=True, exist_ok=True)

    # (suite, test) to (result, seconds); a suite is a binary and its arguments.
    table = {}
    for file in reversed(options.results):
        if file.exists():
            table.update({(suite, test): (result, seconds) for suite, test, result, seconds in json.loads(file.read_text())})

    def note(suite, test, result, seconds):
        table.pop((suite, "-"), None)
        table[suite, test] = result, seconds
        if options.results:
            options.results[0].write_text(json.dumps([(*key, *value) for key, value in table.items()], indent=0))

    wanted = []
    for item in options.binaries:
        item, *arguments = item.split()
        name, _, patterns = item.partition(":")
        # The wildcards tell what of the binary was run; single tests belong to its row.
        suite = " ".join([item if "*" in patterns else name, *arguments])
        binary = folder / name / ("test_" + BINARY_OF_FOLDER.get(name, pathlib.Path(name).name))
        if not binary.exists():
            note(suite, "-", "not built", 0.0)
            print(f"{suite}: no {binary}", flush=True)
            continue
        names = tests_of(binary, environment)
        if patterns:
            names = [n for n in names if any(fnmatch.fnmatch(n, p) for p in patterns.split(","))]
        wanted += [(suite, binary, test, arguments) for test in names]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(run_test, binary, test, arguments, environment, options.time_out): (suite, test)
                   for suite, binary, test, arguments in wanted}
        for (suite, test) in running.values():
            table.setdefault((suite, test), ("nothing ran", 0.0))  # the order of the table is that of the suites
        for done in concurrent.futures.as_completed(running):
            suite, test = running[done]
            result, seconds, output = done.result()
            note(suite, test, result, seconds)
            print(f"{suite:20} {test:45} {result:14} {seconds:7.1f}", flush=True)
            if options.logs and result not in ("pass", "skip"):
                (options.logs / f"{suite}.{test}.log".replace("/", "-").replace(" ", "_")).write_text(output)

    rows = [(*key, *value) for key, value in table.items()]
    counts = {}
    for row in rows:
        kind = row[2].split()[0]
        counts[kind] = counts.get(kind, 0) + 1
    summary = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    print(f"{len(rows)} tests: {summary}; {sum(r[3] for r in rows):.0f} s")

    if options.markdown:
        lines = ["# OpenCL-CTS on Weft", "",
                 f"{datetime.date.today()}: {len(rows)} tests: {summary}.", "",
                 "Each test is a process of its own. To run suites again, with a build of OpenCL-CTS in BUILD:", "",
                 "    conformance/cts.py BUILD --icd build/release/lib/libweft.so --results cts.json --markdown docs/cts.md SUITE...",
                 "",
                 "A suite is written as in the table, in quotes; `--results` adds a run to those before. `-w` is the suite's own",
                 "short form, `-1` its scalar form; `conversions` is one test of 900 conversions; the `x` of",
                 "`non_uniform_work_group` is there since that binary ignores its first argument.", "",
                 "| suite | pass | skip | fail | crash | timeout | seconds |",
                 "|---|---:|---:|---:|---:|---:|---:|"]
        for name in dict.fromkeys(r[0] for r in rows):
            mine = [r for r in rows if r[0] == name]
            cells = [str(sum(r[2].split()[0] == kind for r in mine)) for kind in ("pass", "skip", "fail", "crash", "timeout")]
            lines.append(f"| {name} | " + " | ".join(cells) + f" | {sum(r[3] for r in mine):.0f} |")
        bad = [r for r in rows if r[2] not in ("pass", "skip")]
        if bad:
            lines += ["", "## What did not pass", "", "| suite | test | result | seconds |", "|---|---|---|---:|"]
            lines += [f"| {r[0]} | {r[1]} | {r[2]} | {r[3]:.1f} |" for r in bad]
        skipped = {}
        for row in rows:
            if row[2] == "skip":
                skipped.setdefault(row[0], []).append(row[1])
        if skipped:
            lines += ["", "## Skipped by the suite itself", "",
                      "Half arithmetic, what the device does not report, and mipmaps where they are tested apart.", ""]
            for suite, tests in skipped.items():
                whole = len(tests) == sum(r[0] == suite for r in rows)
                lines.append(f"- {suite}: " + ("all" if whole else ", ".join(tests)))
        options.markdown.write_text("\n".join(lines) + "\n")
    return 0 if all(r[2] in ("pass", "skip") for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
