"""What weftprof costs beside the counters that it reads (docs/weftprof.md): programs of several kinds, each as it is, counted by the
extension (left unread, and read for each launch and its lines) or by WEFT_PROFILE, and under weftprof, in turn; whole processes, from start
to end, with the report made.

    weftprof_cost.py BUILD [--rounds 7] [KIND...]

Needs the target counted-program and Debian's python3-pyopencl. An extension's queue that is
never asked for a counter is the least that counting costs. A program that asks, and WEFT_PROFILE, take the counters of each launch, as weftprof
does; the exit status is 1 where weftprof costs more than 1.1 times as much as either.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PYTHON = '''
import sys
import numpy as np, pyopencl as cl
device = next(d for p in cl.get_platforms() if p.name == "Weft" for d in p.get_devices())
context = cl.Context([device])
reads = "--read" in sys.argv
if reads or "--extension" in sys.argv:
    sys.path.insert(0, {package!r})
    from weft.counting import CountingQueue, counters, line_counters
    queue = CountingQueue(context, ["gld_efficiency", "gst_efficiency"])
else:
    queue = cl.CommandQueue(context)
program = cl.Program(context, """
kernel void blur(global float* out, global const float* in, int n) {{
  int i = get_global_id(0);
  float sum = 0;
  for (int k = -8; k <= 8; k++) sum += in[clamp(i + k, 0, n - 1)];
  out[i] = sum / 17;
}}
kernel void add(global float* a, global const float* b, float f) {{ a[get_global_id(0)] += f * b[get_global_id(0)]; }}
""").build()
blur, add = cl.Kernel(program, "blur"), cl.Kernel(program, "add")
host = np.random.rand(1 << 16).astype(np.float32)
a, b = (cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes) for _ in range(2))
for i in range(300):
    cl.enqueue_copy(queue, a, host)
    launches = [blur(queue, host.shape, (64,), b, a, np.int32(host.size)), add(queue, host.shape, (64,), a, b, np.float32(i))]
    cl.enqueue_copy(queue, host, a)
    if reads:
        for launch in launches:
            counters(launch), line_counters(launch)
    host /= 1 + i
'''


def commands(kind, build, folder):
    if kind != "python":
        return [build / "bin" / "counted-program", kind]
    script = folder / "program.py"
    script.write_text(PYTHON.format(package=str(pathlib.Path(__file__).parents[2] / "packaging" / "python")))
    return ["/usr/bin/python3", script]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("kinds", nargs="*", default=["long", "ordinary", "medium", "short", "kernels", "python"])
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = dict(os.environ, OCL_ICD_VENDORS=str(build / "etc/OpenCL/vendors"), WEFT_CACHE_DIR=str(folder / "cache"),
                           PYOPENCL_NO_CACHE="1")

        def timed(command, **more):
            began = time.monotonic()
            subprocess.run([str(word) for word in command], check=True, env=dict(environment, **more), cwd=folder)
            return time.monotonic() - began

        def logged(command):
            took = timed(command, WEFT_PROFILE=str(folder / "profile.csv"))
            (folder / "profile.csv").unlink()
            os.sync()  # else the disk is still busy with it when the next side is timed
            return took

        print("kind         plain   counted   counted and read   WEFT_PROFILE   weftprof   beside counted   counted and read   WEFT_PROFILE")
        worst = 0
        for kind in arguments.kinds:
            command = commands(kind, build, folder)
            sides = {
                "plain": lambda: timed(command),
                "counted": lambda: timed([*command, "--extension"]),
                "read": lambda: timed([*command, "--read"]),
                "environment": lambda: logged(command),
                "weftprof": lambda: timed([build / "bin" / "weftprof", "-q", "-o", "page.html", *command]),
            }
            for side in sides.values():  # compiled
                side()
            rounds = [{name: side() for name, side in sides.items()} for _ in range(arguments.rounds)]
            medians = [statistics.median(one[name] for one in rounds) for name in sides]
            beside = {name: statistics.median(one["weftprof"] / one[name] for one in rounds) for name in ("counted", "read", "environment")}
            worst = max(worst, beside["read"], beside["environment"])
            print(f"{kind:8}" + "".join(f"{median:10.3f} s" for median in medians) +
                  "".join(f"{100 * (ratio - 1):+10.1f} %" for ratio in beside.values()), flush=True)
        return worst > 1.1


if __name__ == "__main__":
    sys.exit(main())
