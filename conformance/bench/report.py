#!/usr/bin/env python3
"""Uses the figures of `weft-bench --json FILE`.

  report.py FILE                      the table of docs/benchmarks.md, on stdout
  report.py FILE --update             replaces the tables between the markers in README.md and docs/benchmarks.md
  report.py FILE --compare OLD [-p N] lists what changed against an older run by more than N % (default 10), and
                                      exits with 1 if anything became slower or wrong
  report.py FILE --slowdown OTHER     how many times as long each case takes as in another run: what counters cost, say

What is compared is the ratio to the peers that both runs have, since a machine's own speed differs from day to
day; without a common peer, the time. `--time` compares times in any case.
"""
import argparse
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def number(value):
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def duration(milliseconds):
    if milliseconds < 0.01:
        return number(1000 * milliseconds) + " µs"
    return number(milliseconds) + " ms"


def ratio(row, peer):
    """How many times longer the peer takes; None if either has no time."""
    first, other = row["times"][0], row["times"][peer]
    if not first.get("kernel_ms") or not other.get("kernel_ms"):
        return None
    return other.get("ratio") or other["kernel_ms"] / first["kernel_ms"]


def cell(times):
    """Empty where the peer has nothing to measure: native code that nobody wrote."""
    if not times:
        return ""
    return "wrong" if "problem" in times else duration(times["kernel_ms"])


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def rate(data, row):
    """Rate of the first peer, and its share of what the machine can do."""
    times = row["times"][0]
    if not row["work"] or not times.get("kernel_ms"):
        return "", ""
    value = row["work"] / (1e-3 * times["kernel_ms"])
    peak = {"GFLOP/s": data["peak_gflops"], "GB/s": data["peak_copy_gbs"]}.get(row["unit"])
    return f"{number(value)} {row['unit']}", f"{100 * value / peak:.0f} %" if peak else ""


def table(head, lines):
    widths = [max(len(line[i]) for line in [head, *lines]) for i in range(len(head))]
    out = []
    for line in [head, *lines]:
        cells = [line[0].ljust(widths[0])] + [text.rjust(w) for text, w in zip(line[1:], widths[1:])]
        out.append("| " + " | ".join(cells) + " |")
    out.insert(1, "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|")
    return "\n".join(out) + "\n"


def machine(data):
    how = "Medians" if data["summary"] == "median" else "Shortest times"
    return (f"{data['processors']} processors of {data['processor']}, {data['date']}. Their peaks, measured in the "
            f"same run: {number(data['peak_gflops'])} GFLOP/s of float FMA, {number(data['peak_copy_gbs'])} GB/s of "
            f"memcpy (bytes read and written). {how} of {data['rounds']} rounds in turn.\n")


def full_table(data):
    peers = data["peers"]
    head = ["kernel", *peers, *[f"ratio to {name}" for name in peers[1:]], f"{peers[0]}'s rate", "of the peak"]
    lines = []
    for row in data["rows"]:
        ratios = [ratio(row, i) for i in range(1, len(peers))]
        lines.append([row["name"], *map(cell, row["times"]),
                      *[f"{r:.2f}x" if r else "" for r in ratios], *rate(data, row)])
    if len(peers) > 1:
        means = [geometric_mean(ratio(row, i) for row in data["rows"]) for i in range(1, len(peers))]
        lines.append(["geometric mean", *[""] * len(peers), *[f"{mean:.2f}x" if mean else "" for mean in means], "", ""])
    return table(head, lines) + "\n" + machine(data)


def short_table(data):
    """One peer (PoCL, if it was there), the native code, the ratios and their means, the share of the peak."""
    peers = data["peers"]
    others = range(1, len(peers))
    native = next((i for i in others if peers[i].startswith("C++")), None)
    shown = next((i for i in others if peers[i].startswith("PoCL")), next((i for i in others if i != native), None))
    columns = [i for i in (shown, native) if i is not None]
    head = ["kernel", peers[0]]
    for i in columns:
        head += [peers[i], "ratio"]
    lines = []
    for row in data["rows"]:
        line = [row["name"], cell(row["times"][0])]
        for i in columns:
            r = ratio(row, i)
            line += [cell(row["times"][i]), f"{r:.3g}x" if r else ""]
        lines.append(line + [rate(data, row)[1]])
    if columns:
        mean = ["geometric mean", ""]
        for i in columns:
            value = geometric_mean(ratio(row, i) for row in data["rows"])
            mean += ["", f"{value:.3g}x" if value else ""]
        lines.append(mean + [""])
    return table(head + ["of the peak"], lines) + "\n" + machine(data)


def replace(path, text):
    pattern = re.compile(r"(<!-- bench[^>]*-->\n).*?(<!-- /bench -->)", re.S)
    old = path.read_text()
    new, count = pattern.subn(lambda m: m.group(1) + text + m.group(2), old)
    if count != 1:
        sys.exit(f"{path}: no place for the table")
    path.write_text(new)


def compare(new, old, percent, by_time):
    common = [] if by_time else [name for name in new["peers"][1:] if name in old["peers"]]
    if new["peers"][0] not in old["peers"]:
        sys.exit(f"{new['peers'][0]} is not in the older run")
    old_rows = {row["name"]: row for row in old["rows"]}
    worse = 0
    for row in new["rows"]:
        before = old_rows.pop(row["name"], None)
        if before is None:
            continue
        # The older run's columns in the order of the newer's first peer.
        at = old["peers"].index(new["peers"][0])
        before = {**before, "times": [before["times"][at]] + before["times"][:at] + before["times"][at + 1:]}
        names = [old["peers"][at]] + old["peers"][:at] + old["peers"][at + 1:]
        if not before["times"][0] or "problem" in before["times"][0] or not row["times"][0]:
            continue
        if "problem" in row["times"][0]:
            worse += 1
            print(f"{row['name']}: {row['times'][0]['problem']}")
            continue
        changes = []
        for name in common:
            now, then = ratio(row, new["peers"].index(name)), ratio(before, names.index(name))
            if now and then:
                changes.append((now / then, f"{then:.3g}x to {now:.3g}x of {name}"))
        if not changes:
            now, then = row["times"][0]["kernel_ms"], before["times"][0]["kernel_ms"]
            changes.append((then / now, f"{duration(then)} to {duration(now)}"))
        # A peer that was disturbed changes one ratio; what really changed changes all.
        change, text = max(changes, key=lambda c: c[0]) if changes[0][0] < 1 else min(changes, key=lambda c: c[0])
        if change < 1 - percent / 100:
            worse += 1
            print(f"slower: {row['name']}: {text} ({100 * (change - 1):+.0f} %)")
        elif change > 1 + percent / 100:
            print(f"faster: {row['name']}: {text} ({100 * (change - 1):+.0f} %)")
    for name in old_rows:
        print(f"not measured: {name}")
    print(f"{worse} worse by more than {percent:g} %")
    return 1 if worse else 0


def slowdown(data, other):
    before = {row["name"]: row["times"][0] for row in other["rows"]}
    factors = []
    for row in data["rows"]:
        now, then = row["times"][0], before.get(row["name"], {})
        if now.get("kernel_ms") and then.get("kernel_ms"):
            factors.append((now["kernel_ms"] / then["kernel_ms"], row["name"]))
    for factor, name in sorted(factors):
        print(f"{factor:7.2f}  {name}")
    mean = geometric_mean(factor for factor, _ in factors) or math.nan
    print(f"{mean:7.2f}  geometric mean of {len(factors)}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--compare", type=pathlib.Path, metavar="OLD")
    parser.add_argument("-p", "--percent", type=float, default=10)
    parser.add_argument("--time", action="store_true")
    parser.add_argument("--slowdown", type=pathlib.Path, metavar="OTHER")
    arguments = parser.parse_args()
    data = json.loads(arguments.file.read_text())
    if arguments.compare:
        return compare(data, json.loads(arguments.compare.read_text()), arguments.percent, arguments.time)
    if arguments.slowdown:
        return slowdown(data, json.loads(arguments.slowdown.read_text()))
    if arguments.update:
        replace(ROOT / "docs" / "benchmarks.md", full_table(data))
        replace(ROOT / "README.md", short_table(data))
    else:
        print(full_table(data), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
