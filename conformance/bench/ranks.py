"""Four ranks of an MPI program, each with two workers, beside one process with two workers over the same work, in turn (docs/clusters.md).

    ranks.py [--rounds 5] [--ranks 4] [--workers 2]

Needs Debian's python3-pyopencl and Open MPI. Work: launches of a kernel that computes and of one that reads and writes memory, long and
short ones; each rank does its share. Times are from when all ranks have compiled until the last is done; what they used of the
processors meanwhile is less disturbed by what else runs on the machine.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = """kernel void compute(global float* a, int steps) {
  float x = a[get_global_id(0)];
  for (int i = 0; i < steps; i++) x = x * 0.999f + 0.001f;
  a[get_global_id(0)] = x;
}
kernel void add(global float* a, global const float* b) { a[get_global_id(0)] += b[get_global_id(0)]; }
"""


def work(folder, ranks, kind):
    import numpy as np
    import pyopencl as cl
    device = next(d for p in cl.get_platforms() if p.name == "Weft" for d in p.get_devices())
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    compute, add = cl.Kernel(program, "compute"), cl.Kernel(program, "add")
    items = (1 << 20) // ranks if kind == "long" else 1 << 14
    a = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ones(1 << 20, np.float32))
    b = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=np.ones(1 << 20, np.float32))

    def launch(i):
        compute(queue, (items,), (256,), a, np.int32(1000 if kind == "long" else 100))
        add(queue, (items,), (256,), a, b)
        if i % 8 == 7:
            queue.finish()

    for i in range(16):
        launch(i)
    queue.finish()
    (folder / f"ready-{os.getpid()}").touch()
    while len(list(folder.glob("ready-*"))) < ranks:
        time.sleep(0.001)
    began, used = time.monotonic(), time.process_time()
    for i in range(32 if kind == "long" else 8000 // ranks):
        launch(i)
    queue.finish()
    (folder / f"done-{os.getpid()}").write_text(f"{began} {time.monotonic()} {time.process_time() - used}")


def run(ranks, kind, workers):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--work", folder, "--ranks", str(ranks), "--kind", kind]
        if ranks > 1:
            command = ["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none"] + (["--allow-run-as-root"] if os.getuid() == 0 else []) + command
        subprocess.run(command, check=True, env=dict(os.environ, WEFT_NUM_WORKERS=str(workers), PYOPENCL_NO_CACHE="1"))
        times = [tuple(map(float, path.read_text().split())) for path in pathlib.Path(folder).glob("done-*")]
        return max(end for _, end, _ in times) - min(begin for begin, _, _ in times), sum(used for _, _, used in times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--kind", default="long")
    arguments = parser.parse_args()
    if arguments.work:
        return work(arguments.work, arguments.ranks, arguments.kind)
    for kind in ("long", "short"):
        pairs = [(run(arguments.ranks, kind, arguments.workers), run(1, kind, arguments.workers)) for _ in range(arguments.rounds)]
        for what, at in (("from start to end", 0), ("of processors", 1)):
            many, one = (statistics.median(side[at] for side in sides) for sides in zip(*pairs))
            ratio = statistics.median(m[at] / o[at] for m, o in pairs)
            print(f"{kind} launches, {what}: {arguments.ranks} ranks {many:.3f} s, one process {one:.3f} s, ratio {ratio:.3f}", flush=True)


if __name__ == "__main__":
    main()
