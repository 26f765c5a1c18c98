#!/usr/bin/env python3
"""Groups that walk a row of their own, with and without trees of sums behind it, exponentials, structs and vectors of which some are stored, and
what is asked of vectors, on every platform that the loader finds, in turn.

    reductions.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
kernel void scaled(global const float* in, global float* out, int n) {
  global const float* row = in + get_group_id(0) * n;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) out[get_group_id(0) * n + i] = row[i] * 0.5f;
}
kernel void greatest(global const float* in, global float* out, int n, local float* t) {
  const int l = get_local_id(0), width = get_local_size(0);
  global const float* row = in + get_group_id(0) * n;
  float most = -INFINITY;
  for (int i = l; i < n; i += width) most = fmax(most, row[i]);
  t[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = width / 2; s > 0; s >>= 1) {
    if (l < s) t[l] = fmax(t[l], t[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
kernel void weights(global const float* in, global float* out, int n) {
  global const float* row = in + get_group_id(0) * n;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) out[get_group_id(0) * n + i] = exp(row[i]) * 0.5f;
}
kernel void sums_by_list(global const int* start, global const int* column, global const float* a, global const float* x, global float* y, local float* t) {
  const int row = get_group_id(0), l = get_local_id(0), width = get_local_size(0);
  float sum = 0;
  for (int k = start[row] + l; k < start[row + 1]; k += width) sum += a[k] * x[column[k]];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = width / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) y[row] = t[0];
}
kernel void exponentials(global const float* in, global float* out) { const int i = get_global_id(0); out[i] = exp(in[i]); }
kernel void powers_of_ten(global const float* in, global float* out) { const int i = get_global_id(0); out[i] = exp10(in[i]); }
kernel void some_pairs(global const int* k, global const float2* in, global float2* out) {
  const int i = get_global_id(0);
  if (k[i] & 1) out[i] = in[i] * 2.0f;
}
kernel void some_fours(global const int* k, global const float4* in, global float4* out) {
  const int i = get_global_id(0);
  if (k[i] & 1) out[i] = in[i] * 2.0f;
}
typedef struct { float x, y, vx, vy; } Point;
typedef struct { float x, y, z, vx, vy, vz, mass; int kind; } Body;
typedef struct { float a, b, c, d, e, f, g; } Seven;
kernel void two_of_four(global Point* points, float dt) {
  global Point* p = points + get_global_id(0);
  p->x += dt * p->vx;
  p->y += dt * p->vy;
}
kernel void five_of_seven(global Seven* values, float dt) {
  global Seven* p = values + get_global_id(0);
  p->a += dt * p->g, p->b += dt * p->g, p->c += p->g, p->d -= p->g, p->e *= dt;
}
kernel void six_of_eight(global Body* bodies, float dt) {
  global Body* p = bodies + get_global_id(0);
  p->x += dt * p->vx, p->y += dt * p->vy, p->z += dt * p->vz;
  p->vx *= p->mass, p->vy *= p->mass, p->vz *= p->mass;
}
typedef struct { float3 place, speed, force; float mass; int id; } Padded;
kernel void padded(global Padded* all, float dt) {
  Padded p = all[get_global_id(0)];
  p.speed += p.force * (dt / p.mass);
  p.place += p.speed * dt;
  all[get_global_id(0)] = p;
}
typedef struct { float place[3], speed[3], force[3], mass, age; int id; } Large;
kernel void six_of_twelve(global Large* all, float dt) {
  global Large* p = all + get_global_id(0);
  for (int k = 0; k < 3; ++k) p->speed[k] += p->force[k] * dt, p->place[k] += p->speed[k] * dt;
}
kernel void energies(global const Large* all, global float* out) {
  global const Large* p = all + get_global_id(0);
  out[get_global_id(0)] = p->mass * (p->speed[0] * p->speed[0] + p->speed[1] * p->speed[1] + p->speed[2] * p->speed[2]) + p->age;
}
kernel void moved_threes(global float3* place, global const float3* speed, float dt) { place[get_global_id(0)] += speed[get_global_id(0)] * dt; }
kernel void blurred_threes(global const float3* in, global float3* out) {
  float3 sum = 0;
  for (int k = 0; k < 9; ++k) sum += in[get_global_id(0) + k] * (k + 1.0f);
  out[get_global_id(0)] = sum;
}
kernel void any_of_four(global const int4* a, global const int4* b, global int* out) { const int i = get_global_id(0); out[i] = any(a[i] < b[i]); }
kernel void all_of_four(global const float4* a, global const float4* b, global int* out) { const int i = get_global_id(0); out[i] = all(isless(a[i], b[i])); }
kernel void equal_fours(global const float4* a, global const float4* b, global int4* out) { const int i = get_global_id(0); out[i] = isequal(a[i], b[i]); }
kernel void any_of_16(global const uchar16* a, global const uchar16* b, global int* out) { const int i = get_global_id(0); out[i] = any(a[i] == b[i]); }
kernel void some_of_twelve(global Large* all, float dt, int count) {
  global Large* p = all + get_global_id(0);
  if (get_global_id(0) >= count) return;
  for (int k = 0; k < 3; ++k) p->speed[k] += p->force[k] * dt, p->place[k] += p->speed[k] * dt;
}
kernel void bounced(global Large* all, float dt, int count) {
  global Large* p = all + get_global_id(0);
  if (get_global_id(0) >= count) return;
  for (int k = 0; k < 3; ++k) {
    const float place = p->place[k] + p->speed[k] * dt;
    if (place < 0.6f || place > 1.4f) p->speed[k] = -p->speed[k];
    else p->place[k] = place;
  }
}
typedef struct { float m[16]; } Matrix;
kernel void matrices(global const Matrix* m, global const float4* v, global float4* out) {
  const int i = get_global_id(0);
  const float4 x = v[i];
  float r[4];
  for (int k = 0; k < 4; ++k) r[k] = m[i].m[4 * k] * x.x + m[i].m[4 * k + 1] * x.y + m[i].m[4 * k + 2] * x.z + m[i].m[4 * k + 3] * x.w;
  out[i] = (float4)(r[0], r[1], r[2], r[3]);
}
kernel void some_of_them(global Body* bodies, float dt) {
  global Body* p = bodies + get_global_id(0);
  if (p->kind & 1) {
    p->x += dt * p->vx, p->y += dt * p->vy, p->z += dt * p->vz;
    p->vx *= p->mass, p->vy *= p->mass, p->vz *= p->mass;
  }
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    floats = lambda count: random.random(count, dtype=np.float32) + np.float32(0.5)
    n, group = 1024, 256
    for rows in (items // 256, items // 32):
        values = floats(rows * n) - 1
        yield f"{rows} rows scaled", "scaled", (rows * group,), (group,), [values, np.zeros(rows * n, np.float32), np.int32(n)]
        yield f"{rows} rows' weights", "weights", (rows * group,), (group,), [values, np.zeros(rows * n, np.float32), np.int32(n)]
    rows = items // 256
    yield (f"greatest of {rows} rows", "greatest", (rows * group,), (group,),
           [floats(rows * n), np.zeros(rows, np.float32), np.int32(n), cl.LocalMemory(4 * group)])
    each = 128
    yield (f"sums of {rows} rows by a list", "sums_by_list", (rows * 64,), (64,),
           [np.arange(rows + 1, dtype=np.int32) * each, random.integers(0, items, rows * each).astype(np.int32), floats(rows * each), floats(items),
            np.zeros(rows, np.float32), cl.LocalMemory(4 * 64)])
    yield "exponentials", "exponentials", (items,), (group,), [8 * floats(items) - 8, np.zeros(items, np.float32)]
    yield "powers of ten", "powers_of_ten", (items,), (group,), [8 * floats(items) - 8, np.zeros(items, np.float32)]
    flags = random.integers(0, 8, items).astype(np.int32)
    yield "some pairs", "some_pairs", (items,), (group,), [flags, floats(items * 2), np.zeros(items * 2, np.float32)]
    yield "some fours", "some_fours", (items,), (group,), [flags, floats(items * 4), np.zeros(items * 4, np.float32)]
    step = np.float32(1e-3)
    bodies = floats(items * 8).reshape(items, 8)
    bodies[:, 7] = np.arange(items, dtype=np.int32).view(np.float32)
    yield "two of four fields", "two_of_four", (items,), (group,), [floats(items * 4), step]
    yield "five of seven fields", "five_of_seven", (items,), (group,), [floats(items * 7), step]
    yield "six of eight fields", "six_of_eight", (items,), (group,), [bodies.reshape(-1), step]
    yield "structs of 64 bytes with padding", "padded", (items,), (group,), [floats(items * 16), step]
    yield "six of twelve fields", "six_of_twelve", (items,), (group,), [floats(items * 12), step]
    yield "six of twelve, behind a bound", "some_of_twelve", (items,), (group,), [floats(items * 12), step, np.int32(items - 9)]
    yield "bounced, behind a bound", "bounced", (items,), (group,), [floats(items * 12), step, np.int32(items - 9)]
    yield "energies of structs of twelve", "energies", (items,), (group,), [floats(items * 12), np.zeros(items, np.float32)]
    yield "a matrix an item", "matrices", (items,), (group,), [floats(items * 16), floats(items * 4), np.zeros(items * 4, np.float32)]
    yield "float3 moved", "moved_threes", (items,), (group,), [floats(items * 4), floats(items * 4), step]
    yield "float3 blurred", "blurred_threes", (items,), (group,), [floats(items * 4 + 32), np.zeros(items * 4, np.float32)]
    few = lambda count, type: random.integers(0, 8, count).astype(type)
    yield "any of int4", "any_of_four", (items,), (group,), [few(items * 4, np.int32), few(items * 4, np.int32), np.zeros(items, np.int32)]
    yield "all of float4", "all_of_four", (items,), (group,), [few(items * 4, np.float32), few(items * 4, np.float32), np.zeros(items, np.int32)]
    yield "isequal of float4", "equal_fours", (items,), (group,), [few(items * 4, np.float32), few(items * 4, np.float32), np.zeros(items * 4, np.int32)]
    yield "any of uchar16", "any_of_16", (items,), (group,), [few(items * 16, np.uint8), few(items * 16, np.uint8), np.zeros(items, np.int32)]
    yield "six of eight, every other", "some_of_them", (items,), (group,), [bodies.reshape(-1), step]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=65536)
