"""Work of OpenCL libraries on every platform that the loader finds, in turn, in one process: what the programs of this folder share."""
import argparse
import ctypes
import time

import numpy as np
import pyopencl as cl


class Machine:
    """A platform's first device with a queue, and buffers for a library."""

    def __init__(self, device):
        self.device = device
        self.name = device.platform.name
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.c_queue = ctypes.c_void_p(self.queue.int_ptr)
        self.c_context = ctypes.c_void_p(self.context.int_ptr)

    def buffer(self, array):
        return cl.Buffer(self.context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=array)

    def read(self, buffer, like):
        result = np.empty_like(like)
        cl.enqueue_copy(self.queue, result, buffer)
        self.queue.finish()
        return result


def same(a, b):
    if a is None or b is None:
        return True
    if a.dtype.kind in "iub":
        return np.array_equal(a, b)
    scale = np.abs(a).max() + 1e-30
    return bool(np.abs(a - b).max() <= scale * 1e-3)


def main(doc, cases):
    """cases: name -> function of a machine that gives (work, result): work() enqueues, result() gives an array."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--platform", default="", help="platforms whose names contain one of these, with commas")
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of names of: " + ", ".join(cases))
    arguments = parser.parse_args()
    devices = [d for p in cl.get_platforms() for d in p.get_devices() if any(n in p.name for n in arguments.platform.split(","))]
    machines = [Machine(d) for d in sorted(devices, key=lambda d: "Weft" not in d.platform.name)]
    print(f"{'ms: first call, shortest':32}" + "".join(f"{m.name[:24]:>26}" for m in machines) + "   best other / first")
    ratios = []
    for name, case in cases.items():
        if arguments.names and not any(n in name for n in arguments.names):
            continue
        prepared, least, first, results, errors = [], [], [], [], []
        for machine in machines:
            start = time.perf_counter()
            np.random.seed(1)
            try:
                work, result = case(machine)
                work()
                machine.queue.finish()
                errors.append(None)
                results.append(result())
            except Exception as error:  # noqa: BLE001
                errors.append(str(error).strip().split("\n")[0][:60])
                results.append(None)
                work = None
            first.append((time.perf_counter() - start) * 1e3)
            prepared.append(work)
            least.append(float("inf"))
        for _ in range(arguments.rounds):
            for i, (machine, work) in enumerate(zip(machines, prepared)):
                if work is None:
                    continue
                begin = time.perf_counter()
                count = 0
                while count < 4 or (time.perf_counter() - begin < 0.02 and count < 200):
                    start = time.perf_counter()
                    work()
                    machine.queue.finish()
                    least[i] = min(least[i], (time.perf_counter() - start) * 1e3)
                    count += 1
                    if time.perf_counter() - begin > 0.3:
                        break
        line = f"{name:32}"
        for i, machine in enumerate(machines):
            mark = "!" if errors[i] else " " if same(results[-1], results[i]) else "*"
            line += f"{first[i]:13.1f} {least[i]:10.4f} {mark}"
        if len(machines) > 1:
            ratio = min(least[1:]) / least[0]
            cold = min(first[1:]) / first[0]
            ratios.append(ratio)
            line += f"  {ratio:6.2f} {cold:6.2f}"
        print(line + "".join(f"\n    {m.name}: {e}" for m, e in zip(machines, errors) if e), flush=True)
    if ratios:
        print(f"geometric mean {np.exp(np.mean(np.log([r for r in ratios if np.isfinite(r) and r > 0]))):.2f}")
