"""weftprof as people call it: exits, files, bad input, what a run's record holds, and each piece of advice.

    weftprof_test.py WEFTPROF [unittest's arguments]
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import advice_cases

HERE = pathlib.Path(__file__).parent
KERNELS = HERE.parent.parent / "conformance" / "guides" / "kernels"
WEFTPROF = sys.argv.pop(1) if len(sys.argv) > 1 else "weftprof"
PYTHON = "/usr/bin/python3"

HELLO = """
import numpy as np, pyopencl as cl, os, sys
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
program = cl.Program(context, '''kernel void first(global float* a) {
  a[get_global_id(0)] = 1;
}
kernel void second(global float* a) { a[2 * get_global_id(0)] += 1; }''').build()
host = np.zeros(1 << 18, np.float32)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes)
cl.enqueue_copy(queue, buffer, host)
for _ in range(3):
    program.first(queue, (1 << 18,), (64,), buffer)
    program.second(queue, (1 << 17,), (64,), buffer)
queue.finish()
"""


# Two sources and a header, compiled apart: line 4 is a line of each source.
LINKED = r"""
import numpy as np, pyopencl as cl
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
header = cl.Program(context, "inline int far(int i, int n) {\n  return i * n;\n}")
first = cl.Program(context, '''#include "place.h"
float scaled(global float* a, int i);
kernel void strided(global float* a, int n) {
  a[far(get_global_id(0), n)] = scaled(a, get_global_id(0));
}''')
second = cl.Program(context, '''// another source

float scaled(global float* a, int i) {
  return a[i * 8] * 2.0;
}''')
first.compile(headers=[("place.h", header)])
second.compile()
program = cl.link_program(context, [first, second])
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 << 20)
cl.Kernel(program, "strided")(queue, (1 << 14,), (64,), buffer, np.int32(16))
queue.finish()
"""


class Weftprof(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def run_it(self, *arguments, timeout=220):
        return subprocess.run([WEFTPROF, *map(str, arguments)], capture_output=True, text=True, timeout=timeout, cwd=self.at)

    def script(self, text, name="program.py"):
        (self.at / name).write_text(text)
        return [PYTHON, str(self.at / name)]

    def profile(self, text, *options):
        """The report's data, of a Python program."""
        result = self.run_it("--json", "data.json", *options, *self.script(text))
        self.assertTrue((self.at / "data.json").exists(), result.stderr)
        return json.loads((self.at / "data.json").read_text()), result

    def profile_kernels(self, specs, *options):
        (self.at / "spec.json").write_text(json.dumps(specs))
        result = self.run_it("--json", "data.json", "--no-report", *options, PYTHON, HERE / "run_kernel.py", self.at / "spec.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.at / "data.json").read_text()), result


class Running(Weftprof):
    def test_report_summary_and_files(self):
        data, result = self.profile(HELLO, "--csv", "rows.csv", "--trace", "trace.json", "-o", "page.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({kernel["name"]: kernel["launches"] for kernel in data["kernels"]}, {"first": 3, "second": 3})
        self.assertTrue(all(len(line) <= 80 for line in result.stderr.splitlines()), result.stderr)
        self.assertIn("second", result.stderr)
        self.assertIn("strides", result.stderr)
        self.assertIn("§3.2.1.4", result.stderr)
        rows = list(csv.DictReader((self.at / "rows.csv").read_text().splitlines()))
        self.assertTrue(any(r["kernel"] == "first" and r["counter"] == "gst_request" and r["line"] == "2" for r in rows))
        trace = json.loads((self.at / "trace.json").read_text())["traceEvents"]
        self.assertEqual(sum(event.get("cat") == "kernel" for event in trace), 6)
        self.assertTrue((self.at / "page.html").stat().st_size > 200000)

    def test_commands(self):
        data, _ = self.profile(HELLO)
        kinds, columns = data["commands"]["kinds"], data["commands"]["columns"]
        write = [i for i, kind in enumerate(columns["kind"]) if kinds[kind] == "write_buffer"]
        self.assertEqual(len(write), 1)
        self.assertEqual(columns["bytes"][write[0]], 1 << 20)
        self.assertEqual(columns["flags"][write[0]] & 3, 2)  # not pinned, blocking
        for i in range(len(columns["kind"])):
            self.assertLessEqual(columns["queued"][i], columns["submitted"][i])
            self.assertLessEqual(columns["submitted"][i], columns["started"][i])
            self.assertLessEqual(columns["started"][i], columns["ended"][i])
        self.assertIn("unpinned_transfers", [finding["id"] for finding in data["findings"]])

    def test_pinned_memory(self):
        pinned = HELLO.replace("cl.enqueue_copy(queue, buffer, host)", """
pin = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, host.nbytes)
mapped, _ = cl.enqueue_map_buffer(queue, pin, cl.map_flags.WRITE, 0, host.shape, host.dtype)
cl.enqueue_copy(queue, buffer, mapped, is_blocking=False)""")
        data, _ = self.profile(pinned)
        kinds, columns = data["commands"]["kinds"], data["commands"]["columns"]
        flags = {kinds[kind]: columns["flags"][i] for i, kind in enumerate(columns["kind"])}
        self.assertEqual(flags["write_buffer"] & 3, 1)
        self.assertEqual(flags["map_buffer"] & 1, 1)
        self.assertNotIn("unpinned_transfers", [finding["id"] for finding in data["findings"]])

    def test_linked_sources(self):
        data, result = self.profile(LINKED)
        self.assertEqual(result.returncode, 0, result.stderr)
        texts = {file["name"]: file["text"].splitlines() for file in data["programs"][0]["files"]}
        self.assertEqual(len(texts), 3)
        text = {(line["file"], line["line"]): texts[line["file"]][line["line"] - 1].strip() for line in data["kernels"][0]["lines"]}
        self.assertIn("return i * n;", text.values())
        shown = {(finding["id"], text[finding["file"], finding["line"]]) for finding in data["findings"] if finding["line"]}
        self.assertIn(("strided", "return a[i * 8] * 2.0;"), shown)
        self.assertIn(("strided", "a[far(get_global_id(0), n)] = scaled(a, get_global_id(0));"), shown)
        self.assertIn(("double_literal", "return a[i * 8] * 2.0;"), shown)
        self.assertIn("| return a[i * 8] * 2.0;", result.stderr)

    def test_progress(self):
        result = self.run_it("--progress", "--no-report", *self.script(HELLO + "import time\ntime.sleep(2.5)\n"))
        self.assertRegex(result.stderr, r"weftprof: [0-9]+ s, [0-9]{2,} lines of record, 1 processes")
        self.assertEqual(result.returncode, 0)

    def test_watched_kernels(self):
        data, _ = self.profile(HELLO, "-k", "sec*:1-2")
        self.assertEqual({kernel["name"]: kernel["counted"] for kernel in data["kernels"]}, {"first": 0, "second": 2})

    def test_capability(self):
        data, _ = self.profile(HELLO, "-c", "1.3")
        self.assertEqual(data["capability"], "1.3")
        self.assertIn("gst_64b", data["kernels"][0]["counters"])

    def test_compare_and_read(self):
        self.profile(HELLO, "-o", "before.html", "--record", "run.jsonl")
        self.profile(HELLO.replace("a[2 * get", "a[get"), "-o", "after.html")
        result = self.run_it("--compare", "before.html", "after.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Gone:", result.stdout)
        self.assertIn("in strides (second)", result.stdout.replace("\n    ", " "))
        self.assertTrue(all(len(line) <= 80 for line in result.stdout.splitlines()), result.stdout)
        result = self.run_it("--read", "run.jsonl", "--json", "again.json", "--no-report")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(json.loads((self.at / "again.json").read_text())["kernels"]), 2)

    def read(self, text):
        """The report's data on a record of that text, or what is said of it."""
        (self.at / "some.jsonl").write_text(text)
        result = self.run_it("--read", "some.jsonl", "--json", "some.json", "--no-report", "-q")
        self.assertIn(result.returncode, (0, 125), result.stderr)  # no signal
        return json.loads((self.at / "some.json").read_text()) if result.returncode == 0 else result.stderr

    def test_damaged_records(self):
        self.profile(HELLO, "--record", "run.jsonl")
        record = (self.at / "run.jsonl").read_text()
        whole = self.read(record)
        launches = lambda data: sum(kernel["launches"] for kernel in data["kernels"])
        self.assertEqual(launches(whole), 6)
        lines = record.splitlines()
        # As of a process that was killed: the last line cut, empty ones behind it.
        cut = self.read(record[:-4] + "\n" * 70000)
        self.assertEqual(len(cut["commands"]["columns"]["kind"]), len(whole["commands"]["columns"]["kind"]) - 1)
        # Of two processes, one after the other: a time line each, all launches.
        both = self.read(record + record)
        self.assertEqual((launches(both), len(both["processes"]), len(both["queues"])), (12, 2, 2))
        self.assertEqual(both["kernels"][0]["counters"]["inst_executed"], 2 * whole["kernels"][0]["counters"]["inst_executed"])
        self.assertEqual(both["commands"]["columns"]["started"][::2], whole["commands"]["columns"]["started"])
        # A line that is missing or of nonsense takes with it what needs it, no more.
        for i in range(1, len(lines)):
            for nonsense in ((), ("[]",), ("[0]",), ("[0,0,9]",), ("[1,2",), ("[18446744073709551616]",), ("[1,,2]",), ("[-1]",), ("[0,99999999999999,1,0,0]",),
                             ("[0,9,1,0,18446744073709551615]",), ("[0,9,1,0,0,18446744073709551615,1]",), ('{"shape":1}',), ('{"command":1}',)):
                self.read("\n".join([*lines[:i], *nonsense, *lines[i + 1:]]))


class Devices(Weftprof):
    TOO_LARGE = HELLO + """
for size, local in ((1024, None), (512, 20000), (512, 8)):
    kernel = cl.Kernel(cl.Program(context, "kernel void k(global float* a, local float* b) { b[get_local_id(0)] = 1; a[get_global_id(0)] = b[0]; }").build(), "k")
    try:
        kernel(queue, (1 << 17,), (size,), buffer, cl.LocalMemory(local or 8192))
        print("runs")
    except cl.Error as error:
        print(cl.status_code.to_string(error.code))
print(context.devices[0].max_work_group_size, context.devices[0].max_work_item_sizes, context.devices[0].local_mem_size, context.devices[0].max_compute_units)
"""

    def test_limits_of_a_device(self):
        data, result = self.profile(self.TOO_LARGE, "-d", "GeForce GTX 280", "--no-report")
        lines = result.stdout.split("\n")
        self.assertEqual(lines[:4], ["INVALID_WORK_GROUP_SIZE", "OUT_OF_RESOURCES", "runs", "512 [512, 512, 64] 16384 30"], result.stderr)
        self.assertIn("weft: kernel k: work-groups of 1024 work-items; at most 512 on a GeForce GTX 280", result.stderr)
        self.assertIn("bytes of local memory, arguments among them; at most 16384 on a GeForce GTX 280", result.stderr)
        self.assertEqual((data["gpu"], data["capability"]), ("GeForce GTX 280", "1.3"))
        self.assertGreater(data["kernels"][0]["estimate"]["ns"], 0)
        self.assertIn("Estimated for a GeForce GTX 280, not measured", result.stderr)
        self.assertTrue(all(len(line) <= 80 for line in result.stderr.splitlines() if not line.startswith("weft: ")), result.stderr)

    def test_names(self):
        data, _ = self.profile(HELLO, "-q", "--no-report", "-d", "gtx280")
        self.assertEqual(data["gpu"], "GeForce GTX 280")
        data, _ = self.profile(HELLO, "-q", "--no-report", "-d", "H200")
        self.assertEqual(data["capability"], "9.0")
        self.assertIn("second-level cache", data["kernels"][0]["estimate"]["assumptions"])
        result = self.run_it("-d", "GTX 281", "true")
        self.assertEqual(result.returncode, 125)
        self.assertIn('no model of "GTX 281"; known: GeForce GTX 295', result.stderr)


class Ranks(Weftprof):
    """Of an MPI program."""

    def launch(self, *words):
        # Open MPI kills ranks a second after it asked them to end, which is short on a machine with much to do.
        launcher = ["mpirun", "-n", "4", "--oversubscribe", "--mca", "odls_base_sigkill_timeout", "10"]
        launcher += ["--allow-run-as-root"] if os.getuid() == 0 else []
        return subprocess.run([*launcher, WEFTPROF, *map(str, words)], capture_output=True, text=True, timeout=220, cwd=self.at)

    def setUp(self):
        super().setUp()
        if not shutil.which("mpirun"):
            self.skipTest("no Open MPI")

    def test_one_report_with_a_row_a_rank(self):
        result = self.launch("--json", "data.json", "-o", "page.html", *self.script(HELLO))
        self.assertEqual(result.returncode, 0, result.stderr)
        data = json.loads((self.at / "data.json").read_text())
        self.assertEqual([process["label"] for process in data["processes"]], [f"rank {i}" for i in range(4)])
        self.assertEqual([queue["process"] for queue in data["queues"]], [0, 1, 2, 3])
        self.assertEqual({kernel["name"]: kernel["launches"] for kernel in data["kernels"]}, {"first": 12, "second": 12})
        self.assertEqual(result.stderr.count("Report:"), 1)
        self.assertEqual(sorted(path.name for path in self.at.iterdir()), ["data.json", "page.html", "program.py"])

    def test_a_rank_that_fails(self):
        result = self.launch("-q", "--json", "data.json", "--no-report", *self.script(HELLO + "sys.exit(3 if os.environ['OMPI_COMM_WORLD_RANK'] == '2' else 0)"))
        self.assertNotEqual(result.returncode, 0)
        data = json.loads((self.at / "data.json").read_text())
        self.assertIn("rank 2: exit 3", data["ending"])


class Endings(Weftprof):
    def test_asked_to_end(self):
        command = [WEFTPROF, "-q", "--no-report", "--json", "data.json", *self.script(HELLO + "import time\nprint('ran', flush=True)\ntime.sleep(60)")]
        process = subprocess.Popen(command, cwd=self.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "ran\n")
        process.terminate()
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("SIGTERM", json.loads((self.at / "data.json").read_text())["ending"])

    def test_exit_status(self):
        _, result = self.profile(HELLO + "sys.exit(7)")
        self.assertEqual(result.returncode, 7)

    def test_crash_keeps_what_ran(self):
        data, result = self.profile(HELLO + "os.kill(os.getpid(), 11)")
        self.assertEqual(result.returncode, 128 + signal.SIGSEGV)
        self.assertIn("SIGSEGV", result.stderr)
        self.assertEqual(sum(kernel["counted"] for kernel in data["kernels"]), 6)
        self.assertIn("SIGSEGV", data["ending"])

    def test_forks(self):
        data, result = self.profile("import os\nif os.fork() == 0:\n    pass\n" + HELLO + "\nif 'child' not in os.environ:\n    try: os.wait()\n    except ChildProcessError: pass\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(data["processes"]), 2)
        self.assertEqual({kernel["name"]: kernel["launches"] for kernel in data["kernels"]}, {"first": 6, "second": 6})

    def test_no_opencl(self):
        result = self.run_it("true")
        self.assertEqual(result.returncode, 0)
        self.assertIn("ran no OpenCL command", result.stderr)
        self.assertFalse((self.at / "weftprof.html").exists())
        self.assertEqual(self.run_it("false").returncode, 1)

    def test_no_program(self):
        result = self.run_it("./not-there")
        self.assertEqual(result.returncode, 127)
        self.assertIn("./not-there: No such file", result.stderr)
        (self.at / "data").write_text("no program")
        self.assertEqual(self.run_it("./data").returncode, 126)

    def test_bad_options(self):
        for arguments, message in (((), "which program"), (("--capability", "4.2", "true"), "no model of 4.2"), (("--nonsense", "true"), "nonsense"),
                                   (("-o", "/nonexistent/x.html", "true"), "No such file"), (("--json", "/proc/x", "true"), "/proc/x"),
                                   (("--compare", "a.html", "b.html"), "a.html cannot be read"), (("--read", "none.jsonl"), "cannot be read"),
                                   (("--device-type", "fpga", "true"), "fpga")):
            result = self.run_it(*arguments)
            self.assertEqual(result.returncode, 125, (arguments, result.stderr))
            self.assertIn(message, result.stdout + result.stderr, arguments)
        (self.at / "junk.jsonl").write_text("{}\nno json\n")
        self.assertIn("no record of a run", self.run_it("--read", "junk.jsonl").stderr)
        (self.at / "junk.html").write_text("<html></html>")
        self.assertIn("no report", self.run_it("--compare", "junk.html", "junk.html").stderr)

    def test_source_that_looks_like_markup(self):
        evil = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"
        data, _ = self.profile(HELLO.replace("kernel void first", f"// {evil}\nkernel void first"), "-o", "page.html")
        page = (self.at / "page.html").read_text()
        self.assertIn(evil, data["programs"][0]["source"])
        self.assertNotIn(evil, page)
        self.assertEqual(page.count("</script>"), 3)


class Advice(Weftprof):
    """No case may earn another's advice for its good kernel, and each bad kernel earns its own."""

    def test_cases(self):
        names = list(advice_cases.CASES)
        specs = []
        for name in names:
            for which, spec in zip(("bad", "good"), advice_cases.CASES[name]):
                specs.append(dict(spec, kernel=f"{name}_{which}", source=spec["source"].replace("void k(", f"void {name}_{which}(")))
        data, _ = self.profile_kernels(specs)
        found = {}
        for finding in data["findings"]:
            if finding["kernel"] >= 0:
                found.setdefault(data["kernels"][finding["kernel"]]["name"], set()).add(finding["id"])
        for name in names:
            with self.subTest(advice=name):
                self.assertIn(name, found.get(name + "_bad", set()))
                self.assertNotIn(name, found.get(name + "_good", set()))


    def test_partition_camping(self):
        for spec, wanted in zip(advice_cases.CAMPING, (True, False)):
            data, _ = self.profile_kernels([spec], "-c", "1.3", "--traced")
            self.assertEqual("partition_camping" in {finding["id"] for finding in data["findings"]}, wanted)


class RunAdvice(Weftprof):
    """Of commands."""

    def test_cases(self):
        for name, (bad, good) in advice_cases.RUN_CASES.items():
            if name == "divergent_barrier":  # one program, of which the bound differs
                programs = [("BOUND, WAITS = 16, 1\n", bad), ("BOUND, WAITS = 16, 0\n", bad), ("BOUND, WAITS = 256, 0\n", bad)]
            else:
                programs = [("BOUND, WAITS = 256, 0\n", bad), ("BOUND, WAITS = 256, 0\n", good)]
            for (head, body), wanted in zip(programs, (True,) * (len(programs) - 1) + (False,)):
                with self.subTest(advice=name, wanted=wanted):
                    ending = "\ntry: queue.finish()\nexcept cl.Error: pass\n"
                    data, _ = self.profile(head + advice_cases.RUN_HEAD + body + ending, "-q", "--no-report")
                    self.assertEqual(name in {finding["id"] for finding in data["findings"]}, wanted)


class Guides(Weftprof):
    """The guides' kernels: what is wrong is named at its line; the good versions have nothing wrong."""

    def findings(self, spec, *options):
        data, _ = self.profile_kernels([dict(options="-cl-mad-enable", **spec) if "options" not in spec else spec], *options)
        source = data["programs"][0]["source"].split("\n")
        return {(finding["id"], source[finding["line"] - 1].strip() if finding["line"] else "") for finding in data["findings"] if finding["kernel"] >= 0}

    def transpose(self, kernel, pad):
        source = (KERNELS / "transposes.cl").read_text()
        arguments = [["buffer", 1 << 20], ["buffer", 1 << 20], ["int", 1024], ["int", 1024]]
        size, local = [1024, 1024], [32, 32]
        if kernel != "transpose_plain":
            arguments.append(["local", 32 * (32 + pad) * 4])
        return dict(source=source, kernel=kernel, arguments=arguments, options=f"-cl-mad-enable -D TILE_DIM=32 -D PAD={pad}", local=local, **{"global": size})

    def test_transposes(self):
        self.assertIn(("uncoalesced", "out[base + x * height + y] = in[base + y * width + x];"), self.findings(self.transpose("transpose_plain", 0)))
        self.assertEqual(self.findings(self.transpose("transpose_tile", 0)),
                         {("bank_conflicts", "out[base + (x + ly) * height + y + lx] = tile[lx][ly];")})
        self.assertEqual(self.findings(self.transpose("transpose_tile", 1)), set())

    def test_multiply_and_copies(self):
        def spec(file, kernel, arguments, size, local):
            return dict(source=(KERNELS / file).read_text(), kernel=kernel, arguments=arguments, options="-cl-mad-enable -D TILE_DIM=32", local=local, **{"global": size})
        buffers = [["buffer", 32 * 1024], ["buffer", 32 * 1024], ["buffer", 1 << 20]]
        plain = spec("multiply_ab.cl", "ab_plain", buffers + [["int", 1024], ["int", 1024]], [1024, 1024, 1], [32, 32, 1])
        tiled = spec("multiply_ab.cl", "ab_local_both", buffers + [["int", 1024], ["local", 4096], ["local", 4096]], [1024, 1024], [32, 32])
        self.assertIn("redundant_reads", {one for one, _ in self.findings(plain)})
        self.assertEqual(self.findings(tiled), set())
        copy = [["buffer", 1 << 20], ["buffer", 1 << 20]]
        for kernel, value, wanted in (("offset_copy", 1, {"misaligned"}), ("offset_copy", 0, set()), ("stride_copy", 2, {"strided"}), ("stride_copy", 1, set())):
            found = self.findings(spec("copies.cl", kernel, copy + [["int", value]], [1 << 18], [256]))
            self.assertEqual({one for one, _ in found}, wanted, (kernel, value))

    def test_divisions_of_integer_variables(self):
        bodies = {"a[i] = i / n;": True, "int q = get_group_id(0), r = i + q / n; a[i] = r;": True, "a[i] = f / n;": False, "a[i] = f * i / n;": False,
                  "a[i] = (float)i / n;": False, "int c = 8; a[i] = i / c;": False, "{ float i = a[0]; a[1] = i / n; }": False,
                  "const size_t c = 4, d = n; a[i] = i / d;": True, "uint4 v = (uint4)(n); a[i] = (i / v).x;": False, "int* p = &n; a[i] = i/ *p;": False}
        for body, is_division in bodies.items():
            source = f"kernel void k(global float* a, int n, float f) {{\n  int i = get_global_id(0);\n  {body}\n}}\n"
            spec = dict(kernel="k", source=source, options="-cl-mad-enable", arguments=[["buffer", 1 << 17], ["int", 64], ["float", 1]],
                        local=[256], **{"global": [1 << 17]})
            self.assertEqual("integer_division" in {one for one, _ in self.findings(spec)}, is_division, body)

    def test_divergent_branch_of_a_reduction(self):
        modulo, strided, in_a_row = (self.findings(advice_cases.REDUCTIONS[name]) for name in ("modulo", "strided", "in_a_row"))
        # The condition, not what is under it, though the branch is a predicate.
        self.assertIn(("divergence", "if (lid % (2 * s) == 0) {"), modulo)
        self.assertNotIn("bank_conflicts", {one for one, _ in modulo})
        self.assertIn(("bank_conflicts", "part[2 * s * lid] += part[2 * s * lid + s];"), strided)
        # Whole warps go one way but in the last steps.
        self.assertEqual(in_a_row, set())

    def test_conditions_are_named(self):
        """Of a line under conditions the one that parts its lanes."""
        head, work = "kernel void k(global const float* a, global float* b, int n) {\n  int i = get_global_id(0);\n  float s = a[i];\n", "b[i] += s;"  # no select would do
        bodies = {f"for (int j = 0; j < n; j++) {{\n    if (i % 4 == j % 4)\n      {work}\n  }}": "if (i % 4 == j % 4)",
                  f"for (int j = 0; j < n; j++)\n    if (n > j) {{\n      if (i & 1)\n        {work}\n      else if (i & 2) {{\n        b[i] *= s;\n      }}\n    }}": None,
                  f"if (i & 1) for (int j = 0; j < n; j++) {work}": "if (i & 1) for (int j = 0; j < n; j++) " + work}
        for body, wanted in bodies.items():
            spec = dict(kernel="k", source=head + "  " + body + "\n}\n", arguments=[["buffer", 1 << 17], ["buffer", 1 << 17], ["int", 64]], local=[256], **{"global": [1 << 17]})
            lines = [line for one, line in self.findings(spec) if one == "divergence"]
            self.assertEqual(len(lines), 1, body)
            self.assertIn(lines[0], [wanted] if wanted else ["if (i & 1)", "else if (i & 2) {"], body)

    def test_wide_vectors_are_strided(self):
        source = "kernel void k(global float16* a, global const float16* b) {\n  int i = get_global_id(0);\n  a[i] = b[i];\n}\n"
        spec = dict(kernel="k", source=source, arguments=[["buffer", 1 << 20]] * 2, local=[256], **{"global": [1 << 16]})
        self.assertEqual(self.findings(spec), {("strided", "a[i] = b[i];")})

    def test_builds_of_one_program(self):
        """What tells kernels of one name apart, and what their text shows said once."""
        source = "kernel void k(global float* a) {\n  int i = get_global_id(0);\n  a[i] *= 0.5 * WIDTH;\n}\n"
        specs = [dict(kernel="k", source=source, options=f"-cl-mad-enable -D WIDTH={width}", arguments=[["buffer", 1 << 17]], local=[256], **{"global": [1 << 17]})
                 for width in (4, 8)]
        data, result = self.profile_kernels(specs)
        self.assertEqual({kernel["label"] for kernel in data["kernels"]}, {"k [WIDTH=4]", "k [WIDTH=8]"})
        self.assertIn("k [WIDTH=8]", result.stderr)
        self.assertEqual([finding["id"] for finding in data["findings"]].count("double_literal"), 1)

    def test_constant_exponents(self):
        for exponent, detail in {"3": "3", "-0.5f": "-0.5f", "1.0f / 3.0f": "1.0f/3.0f", "(2.0f)": "(2.0f)", "b[i]": None, "N / 2.0f": None}.items():
            source = f"kernel void k(global float* a, global float* b) {{\n  int i = get_global_id(0);\n  const float N = a[0];\n  a[i] = pow(b[i], {exponent});\n}}\n"
            data, _ = self.profile_kernels([dict(kernel="k", source=source, arguments=[["buffer", 1 << 17]] * 2, local=[256], **{"global": [1 << 17]})])
            found = [finding["detail"] for finding in data["findings"] if finding["id"] == "small_power"]
            self.assertEqual(found, [f"The exponent is {detail}."] if detail else [], exponent)

    def test_many_lines_with_one_fault(self):
        lines = "".join(f"  a[i] += b[i + {j}] * {j}.5;\n" for j in range(20))
        spec = dict(kernel="k", source="kernel void k(global float* a, global float* b) {\n  int i = get_global_id(0);\n" + lines + "}\n", options="-cl-mad-enable",
                    arguments=[["buffer", 1 << 18]] * 2, local=[256], **{"global": [1 << 17]})
        data, _ = self.profile_kernels([spec])
        found, = (finding for finding in data["findings"] if finding["id"] == "double_literal")
        self.assertEqual((found["line"], found["detail"]), (3, "0.5 is a double. 19 more lines are alike."))


if __name__ == "__main__":
    unittest.main()
