"""What weftprof costs beside the counters that it reads (docs/weftprof.md): programs of several kinds, each as it is, counted by the
extension or by WEFT_PROFILE, and under weftprof, in turn; whole processes, from start to end, with the report made.

    weftprof_cost.py BUILD [--rounds 7] [KIND...]

Needs the target counted-program and Debian's python3-pyopencl. The extension's queue counts and is
never asked for a counter: that is the least that counting costs. WEFT_PROFILE writes each launch's counters down, as weftprof does; the exit
status is 1 where weftprof costs more than 1.1 times as much.
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
if "--extension" in sys.argv:
    sys.path.insert(0, {package!r})
    from weft.counting import CountingQueue
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
    blur(queue, host.shape, (64,), b, a, np.int32(host.size))
    add(queue, host.shape, (64,), a, b, np.float32(i))
    cl.enqueue_copy(queue, host, a)
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
    parser.add_argument("kinds", nargs="*", default=["long", "medium", "short", "kernels", "python"])
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

        print("kind         plain   counted by the extension   by WEFT_PROFILE   weftprof   beside the extension   beside WEFT_PROFILE")
        worst = 0
        for kind in arguments.kinds:
            command = commands(kind, build, folder)
            sides = {
                "plain": lambda: timed(command),
                "extension": lambda: timed([*command, "--extension"]),
                "environment": lambda: timed(command, WEFT_PROFILE=str(folder / "profile.csv")),
                "weftprof": lambda: timed([build / "bin" / "weftprof", "-q", "-o", "page.html", *command]),
            }
            for side in sides.values():  # compiled
                side()
            rounds = [{name: side() for name, side in sides.items()} for _ in range(arguments.rounds)]
            plain, extension, by_file, weftprof = (statistics.median(one[name] for one in rounds) for name in sides)
            beside = {name: statistics.median(one["weftprof"] / one[name] for one in rounds) for name in ("extension", "environment")}
            worst = max(worst, beside["environment"])
            print(f"{kind:8} {plain:7.3f} s {extension:23.3f} s {by_file:15.3f} s {weftprof:8.3f} s "
                  f"{100 * (beside['extension'] - 1):+20.1f} % {100 * (beside['environment'] - 1):+20.1f} %", flush=True)
        return worst > 1.1


if __name__ == "__main__":
    sys.exit(main())
