"""A task farm: Dask hands tiles of a picture to its workers, each of which computes them with pyopencl on its machine's platform.

    dask_farm.py [SCHEDULER]      tcp://host:8786 of a cluster; two processes of this machine without it

Checks each tile against numpy's result.
"""
import os
import sys

import numpy as np

SOURCE = """kernel void mandelbrot(global int* steps, float left, float top, float pixel, int most) {
  const int x = get_global_id(0), y = get_global_id(1);
  const float cr = left + x * pixel, ci = top + y * pixel;
  float zr = 0, zi = 0;
  int n = 0;
  while (n < most && zr * zr + zi * zi < 4) {
    const float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    n++;
  }
  steps[y * get_global_size(0) + x] = n;
}
"""
TILE, TILES, MOST = 64, 4, 50
# Exact in float, so that every order of operations gives the same.
PIXEL, LEFT, TOP = 1 / 128, -1.5, -1.0
_here = {}  # of a worker: its queue and kernel, made once


def tile(column, row):
    import pyopencl as cl
    if not _here:
        name = os.environ.get("WEFT_TEST_PLATFORM", "Weft")
        device = next(d for p in cl.get_platforms() if p.name == name for d in p.get_devices())
        context = cl.Context([device])
        program = cl.Program(context, SOURCE).build("-cl-fp32-correctly-rounded-divide-sqrt")
        _here.update(context=context, queue=cl.CommandQueue(context), kernel=cl.Kernel(program, "mandelbrot"))
    steps = np.empty((TILE, TILE), np.int32)
    buffer = cl.Buffer(_here["context"], cl.mem_flags.WRITE_ONLY, steps.nbytes)
    _here["kernel"](_here["queue"], steps.shape, None, buffer, np.float32(LEFT + column * TILE * PIXEL), np.float32(TOP + row * TILE * PIXEL),
                    np.float32(PIXEL), np.int32(MOST))
    cl.enqueue_copy(_here["queue"], steps, buffer)
    return steps, os.getpid()


def expected():
    at = np.arange(TILE * TILES)
    c = (LEFT + at * PIXEL)[None, :] + 1j * (TOP + at * PIXEL)[:, None]
    z, steps = np.zeros_like(c), np.zeros(c.shape, np.int32)
    for _ in range(MOST):
        inside = z.real ** 2 + z.imag ** 2 < 4
        steps += inside
        z = np.where(inside, z * z + c, z)
    return steps


def main():
    from distributed import Client, LocalCluster
    if len(sys.argv) > 1:
        client = Client(sys.argv[1])
    else:
        client = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
    places = [(column, row) for row in range(TILES) for column in range(TILES)]
    futures = client.map(tile, *zip(*places), pure=False)
    picture, workers = np.empty((TILE * TILES,) * 2, np.int32), set()
    for (column, row), (steps, worker) in zip(places, client.gather(futures)):
        picture[row * TILE:(row + 1) * TILE, column * TILE:(column + 1) * TILE] = steps
        workers.add(worker)
    client.close()
    # Rounding may end the few points at the set's edge a step sooner or later.
    wrong = (picture != expected()).mean()
    print(f"{len(places)} tiles by {len(workers)} workers; {100 * wrong:.2f} % of the points differ from numpy's")
    if wrong > 0.01:
        sys.exit(1)


if __name__ == "__main__":
    main()
