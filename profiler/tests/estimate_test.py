"""Estimated times beside the guide's measurements: Tables 3.2 and 3.3, the shapes of Figures 3.7 and 3.9 (OpenCL Best Practices Guide).

    estimate_test.py WEFTPROF [--table]      --table: prints the table of docs/devices.md instead of testing
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
KERNELS = HERE.parent.parent / "conformance" / "guides" / "kernels"
WEFTPROF = str(pathlib.Path(sys.argv.pop(1)).resolve())
GTX_280, GTX_8800 = "GeForce GTX 280", "GeForce 8800 GTX"
SIZE = 512

# The guide does not say which bytes its effective bandwidth of products counts. Two words for each element of C fit all twelve entries; with
# one, ab_local_a would move more than the memory's peak, and with all operands' 33 an instruction would take 50 cycles.
PRODUCT_BYTES = 2 * 4 * SIZE * SIZE

TABLES = {  # kernel, padding: what the guide measured on GTX 280 and 8800 GTX, GB/s
    "3.2": {("ab_plain", 0): (8.8, 0.7), ("ab_local_a", 0): (14.3, 8.2), ("ab_local_both", 0): (29.7, 15.7)},
    "3.3": {("aat_plain", 0): (1.1, 0.5), ("aat_tiled", 0): (24.8, 13.2), ("aat_tiled", 1): (30.3, 15.6)},
}


def product(kernel, pad):
    small, large, integer = ["buffer", 16 * SIZE], ["buffer", SIZE * SIZE], ["int", SIZE]
    arguments = {"ab_plain": [small, small, large, integer, integer], "ab_local_a": [small, small, large, integer, ["local", 1024]],
                 "ab_local_both": [small, small, large, integer, ["local", 1024], ["local", 1024]], "aat_plain": [small, large, integer],
                 "aat_tiled": [small, large, integer, ["local", 1024], ["local", 64 * (16 + pad)]]}[kernel]
    plain = kernel.endswith("plain")
    return dict(source=(KERNELS / f"multiply_{kernel.split('_')[0]}.cl").read_text(), kernel=kernel, arguments=arguments,
                options=f"-cl-mad-enable -D TILE_DIM=16 -D PAD={pad}", local=[16, 16] + [1] * plain, **{"global": [SIZE, SIZE] + [1] * plain})


def copy(kernel, value):
    items = 1 << 18
    return dict(source=(KERNELS / "copies.cl").read_text(), kernel=kernel, arguments=[["buffer", 20 * items]] * 2 + [["int", value]], local=[256],
                options="-cl-mad-enable -D TILE_DIM=16", **{"global": [items]})


def estimates(gpu, specs):
    """Of one launch of each, in order. An option tells apart those of one kernel, which would be one entry of the report."""
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        specs = [dict(spec, options=f"{spec['options']} -D CASE={i}") for i, spec in enumerate(specs)]
        (at / "specs.json").write_text(json.dumps(specs))
        subprocess.run([WEFTPROF, "-q", "-d", gpu, "--no-report", "--json", "data.json", "/usr/bin/python3", HERE / "run_kernel.py", "specs.json"],
                       check=True, cwd=at)
        data = json.loads((at / "data.json").read_text())
        # pyopencl adds options of its own.
        found = {int(re.search(r"-D *CASE=(\d+)", data["programs"][kernel["program"]]["options"])[1]): kernel["estimate"] for kernel in data["kernels"]}
        return [found[i] for i in range(len(specs))]


def table():
    """{(table, kernel, padding): ((measured, estimated) of the GTX 280, of the 8800 GTX)}"""
    entries = [(name, *key) for name, rows in TABLES.items() for key in rows]
    specs = [product(kernel, pad) for _, kernel, pad in entries]
    found = [[PRODUCT_BYTES / one["ns"] for one in estimates(gpu, specs)] for gpu in (GTX_280, GTX_8800)]
    return {entry: tuple((TABLES[entry[0]][entry[1:]][g], found[g][i]) for g in range(2)) for i, entry in enumerate(entries)}


def copies(gpu, kernel, values):
    return [one["bandwidth_gb_s"] for one in estimates(gpu, [copy(kernel, value) for value in values])]


class Estimates(unittest.TestCase):
    def test_tables_of_matrix_products(self):
        entries = table()
        for entry, pair in entries.items():
            for (measured, estimated), gpu in zip(pair, (GTX_280, GTX_8800)):
                # The guide rounds to a tenth.
                with self.subTest(entry=entry, gpu=gpu, measured=measured, estimated=round(estimated, 2)):
                    self.assertLess(abs(estimated - measured), 0.3 * measured)
        for name in TABLES:
            for g in range(2):
                rows = [pair[g] for entry, pair in entries.items() if entry[0] == name]
                by_measured = sorted(range(len(rows)), key=lambda i: rows[i][0])
                self.assertEqual(by_measured, sorted(range(len(rows)), key=lambda i: rows[i][1]), (name, g))

    def test_offset_copies(self):
        """Figure 3.7: 120 GB/s aligned and about 70 otherwise on the GTX 280; 74 and 7 on the 8800 GTX."""
        new, old = copies(GTX_280, "offset_copy", [0, 1, 8, 16]), copies(GTX_8800, "offset_copy", [0, 1, 8, 16])
        for found, measured in zip(new + old, [120, 70, 70, 120, 74, 7, 7, 74]):
            self.assertLess(abs(found - measured), 0.3 * measured, (new, old))

    def test_stride_copies(self):
        """Figure 3.9: ever slower with the stride on the GTX 280; slow from 2 on on the 8800 GTX, which is never the faster one."""
        strides = [1, 2, 4, 8, 16]
        new, old = copies(GTX_280, "stride_copy", strides), copies(GTX_8800, "stride_copy", strides)
        self.assertEqual(new, sorted(new, reverse=True))
        self.assertLess(new[1], 0.65 * new[0])
        self.assertLess(new[-1], 0.15 * new[0])
        self.assertLess(max(old[1:]), 0.15 * old[0])
        self.assertLess(max(old[1:]) / min(old[1:]), 1.1)
        self.assertTrue(all(a > b for a, b in zip(new, old)), (new, old))


class LaterEstimates(unittest.TestCase):
    """Of 2.x and higher there are no times to compare with: what must be so whatever the constants are."""

    def test_rankings(self):
        for gpu in ("Tesla C2050", "GeForce GTX 980", "H200"):
            with self.subTest(gpu=gpu):
                found = estimates(gpu, [copy("offset_copy", 0), copy("offset_copy", 1), copy("offset_copy", 32)] + [copy("stride_copy", n) for n in (1, 2, 4, 8)] +
                                  [product("aat_plain", 0), product("aat_tiled", 0), product("aat_tiled", 1)])
                aligned, off, aligned_again, *strides = (one["bandwidth_gb_s"] for one in found[:7])
                self.assertLessEqual(off, aligned)
                self.assertAlmostEqual(aligned, aligned_again)
                self.assertEqual(strides, sorted(strides, reverse=True))
                plain, tiled, padded = (one["ns"] for one in found[7:])
                self.assertLess(tiled, plain)
                self.assertLessEqual(padded, tiled)
                # A copy takes its share of the peak, and no more.
                peak = {"Tesla C2050": 144.0, "GeForce GTX 980": 224.3, "H200": 4800.0}[gpu]
                self.assertEqual(found[0]["bound"], "memory", found[0])
                self.assertLess(aligned, peak)
                self.assertIn("cache", found[0]["assumptions"])


def print_table():
    print("| | kernel | GTX 280 measured | estimated | 8800 GTX measured | estimated |\n|---|---|---:|---:|---:|---:|")
    for (name, kernel, pad), pair in table().items():
        cells = " | ".join(f"{measured} GB/s | {estimated:.2f}" if measured < 2 else f"{measured} GB/s | {estimated:.1f}" for measured, estimated in pair)
        print(f"| Table {name} | `{kernel}`{', padded' if pad else ''} | {cells} |")
    for kernel, values, figure in (("offset_copy", [0, 1, 8, 16], "3.7"), ("stride_copy", [1, 2, 4, 8, 16], "3.9")):
        new, old = copies(GTX_280, kernel, values), copies(GTX_8800, kernel, values)
        for value, a, b in zip(values, new, old):
            measured = {"3.7": {0: ("120 GB/s", "74 GB/s"), 16: ("120 GB/s", "74 GB/s")}.get(value, ("70 GB/s", "7 GB/s"))}.get(figure, ("", ""))
            print(f"| Figure {figure} | `{kernel}` by {value} | {measured[0]} | {a:.1f} | {measured[1]} | {b:.1f} |")


if __name__ == "__main__":
    print_table() if "--table" in sys.argv else unittest.main()
