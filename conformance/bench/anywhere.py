#!/usr/bin/env python3
"""Structs, pairs, bytes and rows that an index of each work-item's own names, and loops that end or begin where each work-item does, on every platform that
the loader finds, in turn.

    anywhere.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np
import pyopencl as cl

import walks

SOURCE = """
typedef struct { float x, y; int id; float mass; } Body;
kernel void by_components(global const int* at, global const float4* all, global float4* out) {
  const int i = get_global_id(0), to = at[i];
  out[to].x = all[i].x;
  out[to].y = all[i].y;
  out[to].z = all[i].z + all[i].w;
  out[to].w = 1;
}
kernel void bodies(global const int* at, global const Body* all, global float* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = all[k].mass * (all[k].x + all[k].y) + all[k].id;
}
kernel void complex_squares(global const int* at, global const float* z, global float* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1];
}
kernel void row_lengths(global const int* at, global const int* begins, global int* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = begins[k + 1] - begins[k];
}
// Between four bytes, two and two side by side.
kernel void turned_bytes(global const uchar* in, global float* out, int side, float along, float across) {
  const int x = get_global_id(0), y = get_global_id(1);
  const float u = x * along - y * across + 0.3f * side, v = x * across + y * along;
  const int i = u, j = v;
  float value = 0;
  if (i >= 0 && j >= 0 && i < side - 1 && j < side - 1) {
    const float a = mix((float)in[j * side + i], (float)in[j * side + i + 1], u - i);
    const float b = mix((float)in[(j + 1) * side + i], (float)in[(j + 1) * side + i + 1], u - i);
    value = mix(a, b, v - j);
  }
  out[y * side + x] = value;
}
kernel void pairs_of_bytes(global const int* at, global const uchar* all, global int* out) {
  const int i = get_global_id(0);
  if (at[i] & 3) {
    const uchar2 two = vload2(0, all + at[i]);
    out[i] = two.x * 256 + two.y;
  }
}
typedef struct { float4 row[3]; } Bone;
kernel void skin(global const float4* points, global const int4* bones, global const float4* weights, global const Bone* all, global float4* out) {
  const int i = get_global_id(0);
  float4 p = points[i];
  p.w = 1;
  const int4 b = bones[i];
  const float4 w = weights[i];
  const float4 x = all[b.x].row[0] * w.x + all[b.y].row[0] * w.y + all[b.z].row[0] * w.z + all[b.w].row[0] * w.w;
  const float4 y = all[b.x].row[1] * w.x + all[b.y].row[1] * w.y + all[b.z].row[1] * w.z + all[b.w].row[1] * w.w;
  const float4 z = all[b.x].row[2] * w.x + all[b.y].row[2] * w.y + all[b.z].row[2] * w.z + all[b.w].row[2] * w.w;
  out[i] = (float4)(dot(x, p), dot(y, p), dot(z, p), 1);
}
kernel void tree_of_choices(global const int4* nodes, global const float* x, global float* out, const int features) {
  const int i = get_global_id(0);
  int at = 0;
  while (nodes[at].x >= 0) at = x[i * features + nodes[at].x] < as_float(nodes[at].y) ? nodes[at].z : nodes[at].w;
  out[i] = as_float(nodes[at].y);
}
kernel void mean_shift(global const float* in, const int side, const long across, const long down, const int radius, const float limit, const int steps,
                       global float* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= side || y >= side) return;
  int at_x = x, at_y = y;
  float value = in[y * side + x];
  for (int step = 0; step < steps; ++step) {
    float sum = 0;
    int sum_x = 0, sum_y = 0, count = 0;
    for (int v = -radius; v <= radius; ++v) {
      const int j = at_y + v;
      if (j < 0 || j >= side) continue;
      for (int u = -radius; u <= radius; ++u) {
        const int i = at_x + u;
        if (i < 0 || i >= side) continue;
        const uint place = i * across + j * down;
        const float other = in[place];
        if (fabs(other - value) <= limit) {
          sum += other;
          sum_x += i;
          sum_y += j;
          ++count;
        }
      }
    }
    if (count == 0) break;
    value = sum / count;
    at_x = sum_x / count;
    at_y = sum_y / count;
  }
  out[y * side + x] = value + at_x - at_y;
}
kernel void reordered(global const float* in, global float* out, const int first, const int second, const int third, const int side) {
  const int order[] = {first, second, third};
  int at[3] = {0};
  at[order[2]] = get_group_id(0) % 4;
  for (int y = get_global_id(1); y < side; y += get_global_size(1)) {
    at[order[1]] = y;
    for (int x = get_local_id(0); x < side; x += get_local_size(0)) {
      at[order[0]] = x;
      out[((get_group_id(0) % 4) * side + y) * side + x] = in[(at[2] * side + at[1]) * side + at[0]];
    }
  }
}
kernel void within_reach(global const int* begins, global const int* others, global const float* place, const float reach, global float* sums,
                         global int* counts) {
  const int i = get_global_id(0);
  float sum = 0;
  int count = 0;
  for (int k = begins[i]; k < begins[i + 1]; ++k) {
    const float distance = fabs(place[others[k]] - place[i]);
    if (distance < reach) {
      sum += reach - distance;
      ++count;
    }
  }
  sums[i] = sum;
  counts[i] = count;
}
kernel void numbers(global const uchar* text, global const int* begins, global int* out) {
  int p = begins[get_global_id(0)], value = 0;
  while (text[p] >= '0' && text[p] <= '9') value = value * 10 + text[p++] - '0';
  out[get_global_id(0)] = value;
}
kernel void twice_as_large(global const uchar* in, global uchar* out, const int side) {
  const int x = get_global_id(0), y = get_global_id(1);
  const float at_x = x * 0.5f - 0.25f, at_y = y * 0.5f - 0.25f;
  const int left = (int)floor(at_x), top = (int)floor(at_y);
  const float fx = at_x - left, fy = at_y - top;
  float sum = 0;
  for (int j = -1; j <= 2; ++j) {
    float row = 0;
    for (int i = -1; i <= 2; ++i) {
      const float d = fabs(i - fx);
      const float weight = d < 1 ? 1 - 2.5f * d * d + 1.5f * d * d * d : 2 - 4 * d + 2.5f * d * d - 0.5f * d * d * d;
      row += weight * in[clamp(top + j, 0, side - 1) * side + clamp(left + i, 0, side - 1)];
    }
    const float d = fabs(j - fy);
    sum += (d < 1 ? 1 - 2.5f * d * d + 1.5f * d * d * d : 2 - 4 * d + 2.5f * d * d - 0.5f * d * d * d) * row;
  }
  out[y * 2 * side + x] = convert_uchar_sat(sum);
}
kernel void overlaps(global const float4* boxes, global ulong* out) {
  const int row = get_group_id(1), column = get_group_id(0), l = get_local_id(0);
  local float4 own[64];
  own[l] = boxes[column * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 a = boxes[row * 64 + l];
  ulong word = 0;
  for (int j = row == column ? l + 1 : 0; j < 64; ++j) {
    const float4 b = own[j];
    const float both = fmax(fmin(a.z, b.z) - fmax(a.x, b.x), 0.0f) * fmax(fmin(a.w, b.w) - fmax(a.y, b.y), 0.0f);
    if (both > 0.3f * ((a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - both)) word |= 1ul << j;
  }
  out[(row * 64 + l) * get_num_groups(0) + column] = word;
}
kernel void eights(global const float8* all, global const int* at, const int some, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    const int from = at[(i * 7 + k * 13) % get_global_size(0)];
    if (some && (from & 1)) continue;
    const float8 v = all[from];
    sum += v.s0 * v.s1 + v.s2 * v.s3 + v.s4 * v.s5 + v.s6 * v.s7;
  }
  out[i] = sum;
}
typedef struct { float4 low, high; } Box;
kernel void neighbours_in_order(global const Box* boxes, global int* out, const int count) {
  const int i = get_global_id(0);
  int found = 0;
  for (int k = i + 1; k < count && boxes[k].low.x <= boxes[i].high.x; ++k)
    if (boxes[k].low.y <= boxes[i].high.y && boxes[i].low.y <= boxes[k].high.y && boxes[k].low.z <= boxes[i].high.z && boxes[i].low.z <= boxes[k].high.z) ++found;
  out[i] = found;
}
kernel void triangles(global const int* begins, global const int* ends, global int* out) {
  const int v = get_global_id(0);
  int count = 0;
  for (int e = begins[v]; e < begins[v + 1]; ++e) {
    const int u = ends[e];
    int i = begins[v], j = begins[u];
    while (i < begins[v + 1] && j < begins[u + 1]) {
      const int a = ends[i], b = ends[j];
      count += a == b;
      i += a <= b;
      j += b <= a;
    }
  }
  out[v] = count;
}
kernel void frontier(global const int* begins, global const int* ends, global int* level, global int* more, const int now) {
  const int v = get_global_id(0);
  if (level[v] != now) return;
  for (int e = begins[v]; e < begins[v + 1]; ++e) {
    const int u = ends[e];
    if (level[u] == -1) {
      level[u] = now + 1;
      *more = 1;
    }
  }
}
kernel void relaxed(global const int* begins, global const int* ends, global const int* weights, global const int* distances, global int* next) {
  const int v = get_global_id(0), own = distances[v];
  if (own > 1000000) return;
  for (int e = begins[v]; e < begins[v + 1]; ++e) atomic_min(&next[ends[e]], own + weights[e]);
}
kernel void differences(global const uchar* a, global const uchar* b, global int* out, const int width) {
  local uchar block[16][16];
  const int x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * 16, top = get_group_id(1) * 16;
  block[y][x] = a[(top + y) * width + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 16; ++i) sum += abs_diff(block[j][i], b[(top + y + j) * width + left + x + i]);
  out[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256 + y * 16 + x] = sum;
}
// A mesh as lists of neighbours, a list after the other: each smoothed towards the mean of six.
kernel void smoothed(global const float* now, global const int* neighbours, global float* next, const int count) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < 6; ++k) sum += now[neighbours[k * count + i]];
  next[i] = 0.5f * now[i] + sum * (0.5f / 6);
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    at = random.integers(0, 8192, items).astype(np.int32)
    floats = random.random(4 * items, dtype=np.float32)
    yield "fields of a struct", "bodies", (items,), (64,), [at, floats, np.zeros(items, np.float32)]
    yield ("points in another order", "by_components", (items,), (64,),
           [random.permutation(items).astype(np.int32), floats, np.zeros(4 * items, np.float32)])
    yield "complex numbers", "complex_squares", (items,), (64,), [at, floats, np.zeros(items, np.float32)]
    yield "ends of rows", "row_lengths", (items,), (64,), [at, random.integers(0, 99, items).astype(np.int32), np.zeros(items, np.int32)]
    bones = random.integers(0, 64, 4 * items).astype(np.int32)
    yield "skinned points", "skin", (items,), (64,), [floats, bones, floats, floats[:768], np.zeros(4 * items, np.float32)]
    nodes = np.zeros((127, 4), np.int32)
    for node in range(127):
        value = np.float32(random.random()).view(np.int32)
        nodes[node] = (-1 if node >= 63 else random.integers(0, 4), value, 2 * node + 1, 2 * node + 2)
    yield "decision tree", "tree_of_choices", (items,), (64,), [nodes, floats, np.zeros(items, np.float32), np.int32(4)]
    picture, each = 256, 24
    yield ("mean shift", "mean_shift", (picture, picture), (16, 16),
           [random.random(picture * picture, np.float32), np.int32(picture), np.int64(1), np.int64(picture), np.int32(4), np.float32(0.3), np.int32(4),
            np.zeros(picture * picture, np.float32)])
    begins = np.cumsum([0, *random.integers(each // 2, 2 * each, items // 4)]).astype(np.int32)
    yield ("sums of what is near", "within_reach", (items // 4,), (64,),
           [begins, random.integers(0, items // 4, begins[-1]).astype(np.int32), floats[:items // 4], np.float32(0.3),
            np.zeros(items // 4, np.float32), np.zeros(items // 4, np.int32)])
    for order in ((0, 1, 2), (1, 0, 2)):
        yield (f"reordered by {order}", "reordered", (4 * 32, picture), (32, 8),
               [random.random(picture**3, np.float32), np.zeros(4 * picture**2, np.float32), *np.int32(order), np.int32(picture)])
    words = [str(number) for number in random.integers(0, 10**7, items)]
    begins = np.cumsum([0] + [len(word) + 1 for word in words])[:-1].astype(np.int32)
    yield "numbers of a text", "numbers", (items,), (64,), [np.frombuffer(",".join(words + [""]).encode(), np.uint8), begins, np.zeros(items, np.int32)]
    side = 256
    pixels = random.integers(0, 256, side * side).astype(np.uint8)
    yield "pixels twice as large", "twice_as_large", (2 * side, 2 * side), (16, 16), [pixels, np.zeros(4 * side * side, np.uint8), np.int32(side)]
    big = random.integers(0, 256, 1024 * 1024, dtype=np.uint8)
    yield ("bytes, turned", "turned_bytes", (1024, 1024), (32, 8),
           [big, np.zeros(1024 * 1024, np.float32), np.int32(1024), np.float32(np.cos(0.3)), np.float32(np.sin(0.3))])
    yield ("pairs of bytes, of three fourths", "pairs_of_bytes", (8 * items,), (64,),
           [random.integers(0, 8 * items - 2, 8 * items, dtype=np.int32), big[:8 * items].copy(), np.zeros(8 * items, np.int32)])
    boxes = random.random((1024, 4), dtype=np.float32)
    boxes[:, 2:] = boxes[:, :2] + 0.05 + 0.2 * boxes[:, 2:]
    yield "overlaps of boxes", "overlaps", (1024, 16), (64, 1), [boxes, np.zeros(16 * 1024, np.uint64)]
    for name, some in ("eight floats", 0), ("eight floats, of some", 1):
        yield name, "eights", (items,), (64,), [random.random(8 * 8192, dtype=np.float32), at, np.int32(some), np.zeros(items, np.float32)]
    solid = random.random((items // 4, 2, 4), dtype=np.float32)
    solid[:, 0, 0].sort()
    solid[:, 1] = solid[:, 0] + 0.01
    yield "overlaps of sorted boxes", "neighbours_in_order", (items // 4,), (64,), [solid, np.zeros(items // 4, np.int32), np.int32(items // 4)]
    rows, each = 4096, 12
    ends = np.sort(random.integers(0, rows, (rows, each)), axis=1).astype(np.int32)
    yield "triangles of a graph", "triangles", (rows,), (64,), [(np.arange(rows + 1) * each).astype(np.int32), ends, np.zeros(rows, np.int32)]
    rows = 32768
    begins = np.cumsum([0, *random.integers(1, 24, rows)]).astype(np.int32)
    ends = random.integers(0, rows, begins[-1]).astype(np.int32)
    level = np.where(random.integers(0, 8, rows) == 0, 3, random.integers(0, 3, rows)).astype(np.int32)
    yield "a level of a search, an eighth", "frontier", (rows,), (256,), [begins, ends, level, np.zeros(1, np.int32), np.int32(3)]
    distances = np.where(random.integers(0, 4, rows) == 0, 5, 1 << 30).astype(np.int32)
    yield ("relaxed edges, of a fourth", "relaxed", (rows,), (256,),
           [begins, ends, random.integers(1, 100, begins[-1]).astype(np.int32), distances, np.full(rows, 1 << 30, np.int32)])
    width = 288
    image = random.integers(0, 256, width * width).astype(np.uint8)
    yield "differences of blocks", "differences", (256, 256), (16, 16), [image, image[::-1].copy(), np.zeros(65536, np.int32), np.int32(width)]
    place = np.arange(items)
    mesh = np.stack([(place + distance) % items for distance in (-1024, -32, -1, 1, 32, 1024)]).astype(np.int32)
    holes = mesh.copy()
    holes[:, random.random(items) < 0.01] = 0
    for name, lists in ("mesh in order", mesh), ("mesh, 1 % out of order", holes), ("mesh in no order", random.integers(0, items, (6, items)).astype(np.int32)):
        yield name, "smoothed", (items,), (64,), [floats[:items].copy(), lists, np.zeros(items, np.float32), np.int32(items)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 16)
