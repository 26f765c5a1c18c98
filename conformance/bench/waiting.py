#!/usr/bin/env python3
"""Launches whose groups wait for each other, on Weft alone: elsewhere as many groups run at once as there are processors, and these do not end.

    waiting.py [--rounds 5] [--groups 8 30 200]

Prints the first launch, code and all, and the shortest of the others in ms. Needs Debian's python3-pyopencl.
"""
import argparse
import time

import numpy as np
import pyopencl as cl

SOURCE = """
#define STEP for (int i = get_global_id(0); i < n; i += get_global_size(0)) \\
  b[i] = 0.25f * a[max(i - 1, 0)] + 0.5f * a[i] + 0.25f * a[min(i + 1, n - 1)];
#define SWAP { global float* const t = a; a = b; b = t; }
// All groups meet by flags alone: the first asks each of the others and answers them all.
kernel void meet_by_flags(global float* a, global float* b, const int n, const int steps, volatile global int* come, volatile global int* go) {
  const int l = get_local_id(0), g = get_group_id(0), groups = get_num_groups(0);
  for (int s = 1; s <= steps; ++s) {
    STEP
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0) come[g] = s;
    if (g == 0) {
      for (int k = l; k < groups; k += get_local_size(0)) while (come[k] != s) {}
      barrier(CLK_GLOBAL_MEM_FENCE);
      for (int k = l; k < groups; k += get_local_size(0)) go[k] = s;
    }
    if (l == 0) while (go[g] != s) {}
    barrier(CLK_GLOBAL_MEM_FENCE);
    SWAP
  }
}
// By a counter.
kernel void meet_by_a_counter(global float* a, global float* b, const int n, const int steps, volatile global int* come, volatile global int* go) {
  for (int s = 1; s <= steps; ++s) {
    STEP
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      atomic_inc(come);
      while (atomic_or(come, 0) < s * (int)get_num_groups(0)) {}
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    SWAP
  }
}
// Each group moves pieces of a row up by one, from the last on, and lets the one in front store when it has loaded, as where a matrix gets columns.
kernel void move_up(global float* a, global float* b, const int n, const int steps, volatile global int* come, volatile global int* go) {
  const int l = get_local_id(0), size = get_local_size(0), pieces = n / size;
  for (int p = get_group_id(0); p < pieces; p += get_num_groups(0)) {
    const int i = n - 1 - p * size - l;
    const float x = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      while (p > 0 && atomic_or(come + p, 0) == 0) {}
      atomic_inc(come + p + 1);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i + steps < n) a[i + steps] = x;
  }
}
"""


def expected(name, x, steps):
    if name == "move_up":
        return np.r_[x[:steps], x[:-steps]]
    for _ in range(steps):
        x = np.float32(0.25) * np.r_[x[:1], x[:-1]] + np.float32(0.5) * x + np.float32(0.25) * np.r_[x[1:], x[-1:]]
    return x


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--groups", type=int, nargs="+", default=[8, 30, 200])
    options = parser.parse_args()
    platform = next(p for p in cl.get_platforms() if p.name.startswith("Weft"))
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context)
    program = cl.Program(context, SOURCE).build()
    n, steps, size = 1 << 17, 20, 128
    x = np.random.default_rng(1).random(n, np.float32)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    for name in ("meet_by_flags", "meet_by_a_counter", "move_up"):
        right = expected(name, x, steps)
        kernel = cl.Kernel(program, name)
        for groups in options.groups:
            times = []
            for _ in range(options.rounds + 1):
                a, b = cl.Buffer(context, flags, hostbuf=x), cl.Buffer(context, flags, hostbuf=x)
                come, go = (cl.Buffer(context, flags, hostbuf=np.zeros(n // size + 2, np.int32)) for _ in range(2))
                begin = time.perf_counter()
                kernel(queue, (groups * size,), (size,), a, b, np.int32(n), np.int32(steps), come, go)
                queue.finish()
                times.append(1e3 * (time.perf_counter() - begin))
                found = np.empty_like(x)
                cl.enqueue_copy(queue, found, a)
                assert np.allclose(found, right, rtol=1e-5), name
            print(f"{name.replace('_', ' '):20}{groups:5} groups {times[0]:8.1f}{min(times[1:]):8.2f}", flush=True)


if __name__ == "__main__":
    main()
