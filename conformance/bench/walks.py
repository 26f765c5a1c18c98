#!/usr/bin/env python3
"""Kernels whose work-items walk along rows of their own, on every platform that the loader finds, in turn.

    walks.py [--rounds 8] [--items 4096] [--settled] [--local N] [NAME ...]

Prints the shortest time of each platform (--settled: of the last round), in milliseconds, and whether all have the same results. Two builds of Weft are two platforms, as for
rows.py. Needs Debian's python3-pyopencl.
"""
import argparse

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void product(global const float* a, global const float* x, global float* y, int n) {
  const int row = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[row * n + k] * x[k];
  y[row] = s;
}
kernel void counted_unsigned(global const float* a, global const float* x, global float* y, uint n, uint pitch) {
  const uint row = get_global_id(0);
  float s = 0;
  for (uint k = 0; k < n; ++k) s += a[row * pitch + k] * x[k];
  y[row] = s;
}
kernel void bounded(global const float* a, global const float* x, global float* y, int n, int rows) {
  const int row = get_global_id(0);
  if (row >= rows) return;
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[row * n + k] * x[k];
  y[row] = s;
}
kernel void nearest(global const float* points, global const float* query, global float* y, int n) {
  const size_t i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k) { const float t = points[i * n + k] - query[k]; s += t * t; }
  y[i] = sqrt(s);
}
kernel void hash(global const uchar* text, global uint* y, int n) {
  uint h = 2166136261u;
  global const uchar* mine = text + get_global_id(0) * n;
  for (int k = 0; k < n; ++k) h = (h ^ mine[k]) * 16777619u;
  y[get_global_id(0)] = h;
}
kernel void hash_blocks(global const uchar* text, global uint* y, int blocks) {
  uint h = 2166136261u;
  global const uchar* mine = text + get_global_id(0) * 16 * blocks;
  for (int k = 0; k < blocks; ++k, mine += 16)
    for (int i = 0; i < 16; ++i) h = (h ^ mine[i]) * 16777619u;
  y[get_global_id(0)] = h;
}
kernel void checksum(global const uchar* packets, global uint* y) {
  const int packet = get_global_id(0);
  global const uchar* p = packets + 20 * packet;
  uint c = 0;
  for (int k = 0; k < 10; ++k) c += (p[2 * k] << 8) | p[2 * k + 1];
  c = (c >> 16) + (c & 0xffff);
  y[packet] = ~(c + (c >> 16)) & 0xffff;
}
kernel void digest(global const uchar* text, global uint* y, int blocks) {
  uint a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < blocks; ++i)
    for (int k = 0; k < 16; ++k) {
      global const uchar* p = text + ((get_global_id(0) * blocks + i) * 16 + k) * 4;
      const uint t = rotate(a, 5u) + ((b & c) | (~b & d)) + ((uint)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]) + 0x5a827999u;
      d = c, c = rotate(b, 30u), b = a, a = t;
    }
  y[get_global_id(0)] = a ^ b ^ c ^ d;
}
kernel void variance(global const double* a, global double* y, int n) {
  const int row = get_global_id(0);
  double s = 0, q = 0;
  for (int k = 0; k < n; ++k) { const double x = a[row * n + k]; s += x; q += x * x; }
  y[row] = q - s * s / n;
}
kernel void greatest(global const float* table, global const int* which, global float* y, int n) {
  global const float* row = table + which[get_global_id(0)] * n;
  float best = -INFINITY;
  for (int k = 0; k < n; ++k) best = fmax(best, row[k]);
  y[get_global_id(0)] = best;
}
kernel void bytes_transposed(global const uchar4* a, global const char4* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    const int4 p = convert_int4(a[y * n + k]), q = convert_int4(b[x * n + k]);
    s += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  c[y * get_global_size(0) + x] = s;
}
kernel void bytes_by_vector(global const char* a, global const char* x, global int* y, int n) {
  const int row = get_global_id(0);
  int s = 0;
  for (int k = 0; k < n; ++k) s += a[row * n + k] * x[k];
  y[row] = s;
}
kernel void nearest_bytes(global const uchar4* points, global const uchar4* query, global uint* y, int n) {
  const size_t i = get_global_id(0);
  uint s = 0;
  for (int k = 0; k < n; ++k) {
    const uchar4 p = points[i * n + k], q = query[k];
    s += dot(p, p) + dot(q, q) - 2 * dot(p, q);
  }
  y[i] = s;
}
kernel void shorts_by_columns(global const short2* a, global const short2* b, global int* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  int s = 0;
  for (int k = 0; k < n; ++k) {
    const short2 p = a[y * n + k], q = b[k * width + x];
    s += p.x * q.x + p.y * q.y;
  }
  c[y * width + x] = s;
}
kernel void transposed(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[y * n + k] * b[x * n + k];
  c[y * get_global_size(0) + x] = s;
}
"""


def cases(items):
    """Name, kernel, global and local size, arguments; arrays become buffers."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints = np.int32
    for n in (64, 67, 512, 1024, 2048):
        yield f"matrix of {n} columns by a vector", "product", (items,), (64,), [floats(items * n), floats(n), floats(items), ints(n)]
    for n in (512, 1000, 1024):
        yield (f"matrix of {n} columns, unsigned", "counted_unsigned", (items,), (64,),
               [floats(items * n), floats(n), floats(items), np.uint32(n), np.uint32(n)])
    yield "the same, 256, under a bound", "bounded", (items,), (64,), [floats(items * 256), floats(256), floats(items), ints(256), ints(items - 5)]
    for n in (13, 128):
        yield f"distances in {n} dimensions", "nearest", (4 * items,), (256,), [floats(4 * items * n), floats(n), floats(4 * items), ints(n)]
    for n in (64, 1000, 4096):
        yield (f"hash of {n} bytes", "hash", (items,), (128,),
               [random.integers(0, 255, items * n, dtype=np.uint8), np.zeros(items, np.uint32), ints(n)])
    for n in (200, 512):
        yield f"variance of {n} doubles", "variance", (items,), (64,), [random.random(items * n), np.zeros(items), ints(n)]
    yield "hash of 16 blocks of 16 bytes", "hash_blocks", (4 * items,), (64,), [random.integers(0, 256, items * 1024, dtype=np.uint8), np.zeros(4 * items, np.uint32), ints(16)]
    yield "checksums of 20 bytes", "checksum", (32 * items,), (64,), [random.integers(0, 256, items * 640, dtype=np.uint8), np.zeros(32 * items, np.uint32)]
    yield "digest of 16 blocks of 64 bytes", "digest", (items,), (64,), [random.integers(0, 256, items * 1024, dtype=np.uint8), np.zeros(items, np.uint32), ints(16)]
    yield ("greatest of 100 floats, by a list", "greatest", (items,), (64,),
           [floats(items * 100), random.integers(0, items, items, dtype=np.int32), floats(items), ints(100)])
    bytes_of = lambda count, kind: random.integers(0, 255, count, dtype=np.uint8).view(kind)
    for local in ((16, 16), (32, 8)):
        yield (f"bytes, a times b transposed, 512, {local[0]}x{local[1]}", "bytes_transposed", (512, 512), local,
               [bytes_of(262144, np.uint8), bytes_of(262144, np.int8), np.zeros(262144, np.int32), ints(128)])
    yield ("bytes one by one, by a vector, 512", "bytes_by_vector", (items,), (64,),
           [bytes_of(items * 512, np.int8), bytes_of(512, np.int8), np.zeros(items, np.int32), ints(512)])
    yield ("distances of bytes, 128 dimensions", "nearest_bytes", (4 * items,), (256,),
           [bytes_of(4 * items * 128, np.uint8), bytes_of(128, np.uint8), np.zeros(4 * items, np.uint32), ints(32)])
    yield ("shorts, by columns, 256", "shorts_by_columns", (256, 256), (32, 8),
           [bytes_of(131072, np.int16), bytes_of(131072, np.int16), np.zeros(65536, np.int32), ints(128)])
    for local in ((16, 16), (32, 8)):
        yield f"a times b transposed, 256, {local[0]}x{local[1]}", "transposed", (256, 256), local, [floats(65536), floats(65536), floats(65536), ints(256)]


def prepare(device, source, kernel, arguments, build_options):
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=value) if isinstance(value, np.ndarray) else value for value in arguments]
    return queue, cl.Kernel(cl.Program(context, source).build(build_options), kernel), buffers


def output(queue, buffers, arguments):
    """Of the last buffer, which is what all of these write."""
    last = max(i for i, value in enumerate(arguments) if isinstance(value, np.ndarray))
    result = np.empty_like(arguments[last])
    cl.enqueue_copy(queue, result, buffers[last])
    return result.astype(np.float64)


def main(description, source, cases, items=4096, build_options=()):
    """`source`: of all kernels, or a function that gives a kernel's."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--items", type=int, default=items)
    parser.add_argument("--settled", action="store_true", help="of the last round alone, by which a platform has made the code that it thinks best")
    parser.add_argument("--local", type=int, help="launches along x without local memory in groups of so many: for kernels that take any")
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of names")
    options = parser.parse_args()
    devices = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    print(f"{'':36}" + " ".join(f"{d.platform.name + ' ' + d.driver_version:>24.24}" for d in devices))
    for name, kernel, global_size, local_size, arguments in cases(options.items):
        if options.names and not any(part in name for part in options.names):
            continue
        has_local = any(isinstance(value, cl.LocalMemory) for value in arguments)
        if options.local and len(global_size) == 1 and global_size[0] % options.local == 0 and not has_local:
            local_size = (options.local,)
        text = source if isinstance(source, str) else source(kernel)
        prepared = [prepare(device, text, kernel, arguments, list(build_options)) for device in devices]
        least = [float("inf")] * len(devices)
        for round_ in range(options.rounds):
            if options.settled and round_ == options.rounds - 1:
                least = [float("inf")] * len(devices)
            for i, (queue, function, buffers) in enumerate(prepared):
                events = [function(queue, global_size, local_size, *buffers) for _ in range(6)]
                queue.finish()
                least[i] = min([least[i]] + [(event.profile.end - event.profile.start) * 1e-6 for event in events])
        results = [output(queue, buffers, arguments) for queue, _, buffers in prepared]
        same = all(np.allclose(result, results[0], rtol=1e-4) for result in results)
        print(f"{name:36}" + " ".join(f"{time:24.4f}" for time in least) + ("" if same else "  results differ"))


if __name__ == "__main__":
    main(__doc__, SOURCE, cases)
