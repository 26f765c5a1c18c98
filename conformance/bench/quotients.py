#!/usr/bin/env python3
"""Kernels that number the elements of a matrix along x and find rows and columns by a division, and others that divide longs by constants or
multiply them, on every platform that the loader finds, in turn.

    quotients.py [--rounds 8] [--items 512] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void filtered(global const uint* in, global const float* mask, global int* out, uint width, uint taps, uint pitch) {
  const uint i = get_global_id(0), x = i % width, y = i / width;
  float s = 0;
  for (uint j = 0; j < taps; ++j)
    for (uint k = 0; k < taps; ++k) s += in[(y + j) * pitch + x + k] * mask[j * taps + k];
  out[i] = (int)(s + 0.5f);
}
kernel void biased(global const float* in, global const float* bias, global float* out, int spatial, int channels) {
  const int i = get_global_id(0);
  const float v = in[i] + bias[i / spatial % channels];
  out[i] = v > 0 ? v : 0.1f * v;
}
kernel void cropped(global const float* in, global float* out, int width, int pitch, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  out[i] = in[(i / width + 2) * pitch + i % width + 2];
}
kernel void doubled(global const float* in, global float* out, int w, int h) {
  const int i = get_global_id(0), x = i % (2 * w), y = i / (2 * w) % (2 * h), c = i / (4 * w * h);
  out[i] = in[(c * h + y / 2) * w + x / 2];
}
#define STEP                                                                                                                      \
  if (x < nx - 1 && y < ny - 1 && z < nz - 1)                                                                                     \
    h[(x * ny + y) * nz + z] = 0.9f * h[(x * ny + y) * nz + z] - 0.5f * (e[(x * ny + y + 1) * nz + z] - e[(x * ny + y) * nz + z]) \
                               + 0.5f * (f[(x * ny + y) * nz + z + 1] - f[(x * ny + y) * nz + z]);
kernel void field(global float* h, global const float* e, global const float* f, int nx, int ny, int nz) {
  const int i = get_global_id(0);
  if (i >= nx * ny * nz) return;
  const int x = i / (ny * nz), y = i % (ny * nz) / nz, z = i % nz;
  STEP
}
kernel void walked(global float* h, global const float* e, global const float* f, int nx, int ny, int nz) {
  for (int i = get_global_id(0); i < nx * ny * nz; i += get_global_size(0)) {
    const int z = i % nz, y = i / nz % ny, x = i / nz / ny;
    STEP
  }
}
kernel void walked_by_longs(global float* h, global const float* e, global const float* f, int nx, int ny, int nz, long n) {
  const int begin = get_local_size(0) * get_group_id(0) + get_local_id(0), step = get_global_size(0);
  for (long i = begin; i < n; i += step) {
    const int x = i / (ny * nz), y = i % (ny * nz) / nz, z = i % nz;
    STEP
  }
}
kernel void shifted(global const float* in, global float* out, int n, int channels, int spatial, float bias) {
  const int i = get_global_id(0);
  if (i >= n * channels * spatial) return;
  const int b = i / spatial / channels, c = i / spatial % channels, s = i % spatial;
  out[i] = c > 0 ? in[(b * channels + c - 1) * spatial + s] : bias;
}
kernel void scaled_layers(global const float* in, global const float* scale, global float* out, int spatial, int channels, int n) {
  local float greatest[128];
  const int l = get_local_id(0), begin = get_group_id(0) * n;
  float most = 0;
  for (int i = l; i < n; i += get_local_size(0)) most = fmax(most, fabs(in[begin + i]));
  greatest[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = get_local_size(0) / 2; k > 0; k >>= 1) {
    if (l < k) greatest[l] = fmax(greatest[l], greatest[l + k]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = l; i < n; i += get_local_size(0)) out[begin + i] = in[begin + i] * scale[i / spatial] / greatest[0];
}
kernel void bins(global const int* in, global int* bin, global int* rest, int width) {
  const int i = get_global_id(0);
  bin[i] = in[i] / width;
  rest[i] = in[i] % width;
}
kernel void digits(global const ulong* in, global int* out) {
  ulong v = in[get_global_id(0)];
  int s = 0;
  for (int k = 0; k < 19; ++k, v /= 10) s += v % 10;
  out[get_global_id(0)] = s;
}
kernel void times(global const long* in, global int* out) {
  const long t = in[get_global_id(0)], days = t / 86400, rest = t % 86400;
  out[get_global_id(0)] = (int)(days * 10000 + rest / 3600 * 100 + rest % 3600 / 60);
}
kernel void modulo(global const ulong* in, global ulong* out) {
  ulong h = in[get_global_id(0)];
  for (int k = 0; k < 16; ++k) h = (h * 6364136223846793005UL + k) % 1000000007UL;
  out[get_global_id(0)] = h;
}
kernel void highs(global const ulong* in, global ulong* out, ulong factor) {
  const ulong v = in[get_global_id(0)];
  ulong sum = 0;
  for (ulong k = 0; k < 16; ++k) sum += mul_hi(v + k, factor);
  out[get_global_id(0)] = sum;
}
"""


def cases(items):
    """As in walks.py. `items`: of a row."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32)
    ints, uints = np.int32, np.uint32
    for w in (items, items - 12, 100):
        n, pitch = w * items, w + 4
        yield (f"filter of 5 x 5, rows of {w}", "filtered", (n,), None,
               [random.integers(0, 255, pitch * (items + 4), dtype=np.uint32), floats(25), np.zeros(n, np.int32), uints(w), uints(5), uints(pitch)])
        yield (f"a border cut off, rows of {w}", "cropped", (-(-n // 256) * 256,), (256,),
               [floats(pitch * (items + 4)), np.zeros(n, np.float32), ints(w), ints(pitch), ints(n)])
    spatial = 112 * 112
    yield "bias and activation", "biased", (64 * spatial,), (256,), [floats(64 * spatial), floats(64), floats(64 * spatial), ints(spatial), ints(64)]
    yield "each element twice", "doubled", (4 * 16 * spatial,), (256,), [floats(16 * spatial), floats(64 * spatial), ints(112), ints(112)]
    for nx, ny, nz in ((80, 70, 71), (64, 64, 128), (400, 30, 33)):
        n, field = nx * ny * nz, floats(nx * ny * nz + (ny + 1) * nz)
        for name, size in ("field", -(-n // 256) * 256), ("walked", 8192):
            yield f"{name} of {nx} x {ny} x {nz}", name, (size,), (256,), [floats(n), field, field, ints(nx), ints(ny), ints(nz)]
        yield (f"walked by longs, {nx} x {ny} x {nz}", "walked_by_longs", (8192,), (256,),
               [floats(n), field, field, ints(nx), ints(ny), ints(nz), np.int64(n)])
    for pixels in 49, 784:
        n = 256 * pixels * 8
        yield (f"channels shifted, {pixels} pixels", "shifted", (-(-n // 256) * 256,), (256,),
               [floats(n), floats(n), ints(8), ints(256), ints(pixels), np.float32(0.5)])
    yield "layers by their greatest", "scaled_layers", (16 * 128,), (128,), [floats(16 * 8192), floats(32), floats(16 * 8192), ints(256), ints(32), ints(8192)]
    numbers = random.integers(-1 << 31, 1 << 31, 1 << 18).astype(np.int32)
    yield "bins and rests", "bins", numbers.shape, (256,), [numbers, np.zeros_like(numbers), np.zeros_like(numbers), ints(1009)]
    longs = random.integers(0, 1 << 62, 1 << 18)
    yield "digits of a long", "digits", longs.shape, (256,), [longs.astype(np.uint64), np.zeros(longs.size, np.int32)]
    yield "days, hours and minutes", "times", longs.shape, (256,), [longs >> 28, np.zeros(longs.size, np.int32)]
    yield "high halves of products", "highs", (1 << 16,), (64,), [longs[:1 << 16].astype(np.uint64), np.zeros(1 << 16, np.uint64), np.uint64(0x9e3779b97f4a7c15)]
    yield "a hash modulo a prime", "modulo", longs.shape, (256,), [longs.astype(np.uint64), np.zeros(longs.size, np.uint64)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=512)
