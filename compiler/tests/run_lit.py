#!/usr/bin/env python3
"""Runs lit-style tests: every *.ll and *.cl under the folders (or files) given.

A test's lines `RUN: command` go to the shell, in order and with pipefail; all must succeed. Replaced in them:
%s the test, %S its folder, %t a temporary path of its own, `weftc`, `FileCheck` and `not` by the tools.
A line `REQUIRES: word` skips the test unless --feature=word is given.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile


def commands_of(path):
    """The RUN lines (a trailing backslash continues one) and the required features."""
    runs, required, pending = [], [], ""
    for line in path.read_text().splitlines():
        if match := re.search(r"RUN:\s*(.*)$", line):
            text = pending + match.group(1).rstrip()
            if text.endswith("\\"):
                pending = text[:-1]
            else:
                runs.append(text)
                pending = ""
        elif match := re.search(r"REQUIRES:\s*(.*)$", line):
            required += match.group(1).split()
    return runs, required


def run_test(path, tools, features, folder):
    runs, required = commands_of(path)
    if missing := [word for word in required if word not in features]:
        return "SKIP", "needs " + ", ".join(missing)
    if not runs:
        return "FAIL", "no RUN line"
    stem = os.path.join(folder, re.sub(r"\W", "_", str(path)))
    for run in runs:
        command = run.replace("%s", str(path)).replace("%S", str(path.parent)).replace("%t", stem)
        for name, tool in tools.items():
            command = re.sub(rf"(?<![\w./-]){name}(?![\w.-])", tool, command)
        # A session of its own: what the shell has started ends with it.
        run = subprocess.Popen(["bash", "-o", "pipefail", "-c", command], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            output, _ = run.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.communicate()
            return "FAIL", f"$ {command}\ntimed out"
        if run.returncode != 0:
            return "FAIL", f"$ {command}\n{output}"
    return "PASS", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--weftc", required=True)
    parser.add_argument("--tools", required=True, help="folder of FileCheck and not")
    parser.add_argument("--feature", action="append", default=[])
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    tests = []
    for path in arguments.paths:
        tests += [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".ll", ".cl"))
    tests = [t for t in tests if "inputs" not in t.parts]
    tools = {"weftc": arguments.weftc, "FileCheck": os.path.join(arguments.tools, "FileCheck"),
             "not": os.path.join(arguments.tools, "not")}
    counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for path, (status, text) in zip(tests, pool.map(
                lambda t: run_test(t, tools, arguments.feature, folder), tests)):
            counts[status] += 1
            print(f"{status}: {path}" + (f"\n{text}" if text else ""), flush=True)
    print(", ".join(f"{n} {status.lower()}" for status, n in counts.items()))
    return 1 if counts["FAIL"] or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
