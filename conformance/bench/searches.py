#!/usr/bin/env python3
"""Kernels whose work-items search until they have found something, go through lists of their own, or choose among cases, on every platform
that the loader finds, in turn.

    searches.py [--rounds 8] [--items 1048576] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SOURCE = """
kernel void match(global const uchar* text, int distance, int most, global uchar* lengths) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] == text[i + k + distance]) ++k;
  lengths[i] = k;
}
kernel void begins(global const ushort* text, constant ushort* word, int length, global int* found) {
  const int i = get_global_id(0);
  int k = 0;
  for (; k < length; ++k) if (text[i + k] != word[k]) break;
  found[i] = k == length;
}
kernel void run(global const int* in, int most, global int* lengths) {
  const int i = get_global_id(0), first = in[i];
  int k = 1;
  while (k < most && in[i + k] == first) ++k;
  lengths[i] = k;
}
kernel void ends(global const uchar* text, int most, global uchar* lengths) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] != 'e') ++k;
  lengths[i] = k;
}
kernel void repeats(global const uchar* text, int distance, int most, global uchar* flags) {
  const int i = get_global_id(0);
  int k = 0;
  for (; k < most; ++k) if (text[i + k] != text[i + k + distance]) break;
  flags[i] = k == most;
}
kernel void blank(global const uchar* text, int most, global uchar* flags) {
  const int i = get_global_id(0);
  int k = 0;
  while (k < most && text[i + k] <= ' ') ++k;
  flags[i] = k > 1;
}
kernel void probe(global const uint* keys, global const uint* table, uint mask, global uint* places) {
  const uint i = get_global_id(0), key = keys[i];
  uint at = key * 2654435761u & mask;
  while (table[at] != key && table[at] != 0) at = (at + 1) & mask;
  places[i] = table[at] == key ? at : ~0u;
}
kernel void march(global const float* heights, int side, float slope, global float* hit) {
  const int i = get_global_id(0);
  float height = 1.0f;
  int k = 0;
  while (k < 64 && heights[(i + k * side) & (side * side - 1)] < height) { height -= slope; ++k; }
  hit[i] = k;
}
kernel void queens(global int* solutions, int n) {
  const int i = get_global_id(0);
  const uint all = (1u << n) - 1, first = 1u << i / n, second = 1u << i % n;
  uint columns[16], left[16], right[16], free_places[16];
  int depth = 2, count = 0;
  solutions[i] = 0;
  if (second & (first | first << 1 | first >> 1)) return;
  columns[2] = first | second;
  left[2] = (first << 1 | second) << 1;
  right[2] = (first >> 1 | second) >> 1;
  free_places[2] = all & ~(columns[2] | left[2] | right[2]);
  while (depth >= 2) {
    if (free_places[depth] == 0) {
      --depth;
      continue;
    }
    const uint place = free_places[depth] & -free_places[depth];
    free_places[depth] ^= place;
    if (depth == n - 1) {
      ++count;
      continue;
    }
    columns[depth + 1] = columns[depth] | place;
    left[depth + 1] = (left[depth] | place) << 1;
    right[depth + 1] = (right[depth] | place) >> 1;
    ++depth;
    free_places[depth] = all & ~(columns[depth] | left[depth] | right[depth]);
  }
  solutions[i] = count;
}
kernel void queens_behind_three(global int* solutions, int n) {
  const int i = get_global_id(0);
  const uint all = (1u << n) - 1, first = 1u << i % n, second = 1u << i / n % n, third = 1u << i / n / n;
  uint columns[16], left[16], right[16], free_places[16];
  int depth = 0, count = 0;
  const uint l = (first << 1 | second) << 1, r = (first >> 1 | second) >> 1;
  if (i < n * n * n && !(second & (first | first << 1 | first >> 1)) && !(third & (first | second | l | r))) {
    columns[0] = first | second | third;
    left[0] = (l | third) << 1;
    right[0] = (r | third) >> 1;
    free_places[0] = all & ~(columns[0] | left[0] | right[0]);
    while (depth >= 0) {
      if (free_places[depth] == 0) {
        --depth;
        continue;
      }
      const uint place = free_places[depth] & -free_places[depth];
      free_places[depth] ^= place;
      const uint taken = columns[depth] | place;
      if (taken == all) {
        ++count;
        continue;
      }
      const uint next_left = (left[depth] | place) << 1, next_right = (right[depth] | place) >> 1;
      ++depth;
      columns[depth] = taken;
      left[depth] = next_left;
      right[depth] = next_right;
      free_places[depth] = all & ~(taken | next_left | next_right);
    }
  }
  solutions[i] = count;
}
kernel void heaps(global int* all) {
  int h[32];
  global int* mine = all + 32 * get_global_id(0);
  for (int i = 0; i < 32; ++i) h[i] = mine[i];
  for (int n = 32, start = 15;;) {
    int moved;
    if (start >= 0) {
      moved = h[start];
    } else {
      if (--n == 0) break;
      moved = h[n];
      h[n] = h[0];
    }
    int at = start >= 0 ? start : 0, below = 2 * at + 1;
    start = start >= 0 ? start - 1 : -1;
    while (below < n) {
      if (below + 1 < n && h[below + 1] > h[below]) ++below;
      if (h[below] <= moved) break;
      h[at] = h[below];
      at = below;
      below = 2 * at + 1;
    }
    h[at] = moved;
  }
  for (int i = 0; i < 32; ++i) mine[i] = h[i];
}
kernel void tape(global const uchar* program, int length, int most, global const uchar* in, global uchar* out) {
  uchar cells[64];
  for (int i = 0; i < 64; ++i) cells[i] = 0;
  const int id = get_global_id(0);
  cells[0] = in[id];
  for (int at = 0, head = 0, step = 0; at < length && step < most; ++at, ++step) {
    int depth = 1;
    switch (program[at]) {
      case '>': head = (head + 1) & 63; break;
      case '<': head = (head - 1) & 63; break;
      case '+': ++cells[head]; break;
      case '-': --cells[head]; break;
      case '[':
        if (cells[head] == 0) while (depth) { const uchar next = program[++at]; depth += (next == '[') - (next == ']'); }
        break;
      case ']':
        if (cells[head] != 0) while (depth) { const uchar next = program[--at]; depth += (next == ']') - (next == '['); }
        break;
    }
  }
  for (int i = 0; i < 4; ++i) out[4 * id + i] = cells[i];
}
kernel void roots(global const float* c, global float* x, int most) {
  const int i = get_global_id(0);
  float at = 2;
  for (int k = 0; k < most; ++k) {
    const float value = c[4 * i] + at * (c[4 * i + 1] + at * (c[4 * i + 2] + at * (c[4 * i + 3] + at)));
    const float slope = c[4 * i + 1] + at * (2 * c[4 * i + 2] + at * (3 * c[4 * i + 3] + 4 * at));
    const float next = at - value / slope;
    if (fabs(next - at) < 1e-5f * fabs(at)) break;
    at = next;
  }
  x[i] = at;
}
kernel void relax(global const int* first, global const int* to, global const int* length, global const int* old, global int* distance) {
  const int i = get_global_id(0);
  int best = old[i];
  for (int e = first[i]; e < first[i + 1]; ++e) best = min(best, old[to[e]] + length[e]);
  distance[i] = best;
}
kernel void frontier(global const int* first, global const int* to, global int* level, global int* changed, int now) {
  const int i = get_global_id(0);
  if (level[i] != now) return;
  for (int e = first[i]; e < first[i + 1]; ++e) {
    const int next = to[e];
    if (level[next] == -1) {
      level[next] = now + 1;
      *changed = 1;
    }
  }
}
kernel void sparse_rows(global const int* first, global const int* column, global const float* a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += a[k] * x[column[k]];
  y[i] = sum;
}
kernel void but_itself(global const int* first, global const int* to, global const double* weight, global const double* rank, global double* sums) {
  const int i = get_global_id(0);
  double sum = 1.0;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (to[k] != i) sum += weight[k] * rank[to[k]];
  sums[i] = sum;
}
kernel void smoothed(global const int* first, global const int* to, global const float* x, global const float* y, global float* xs, global float* ys) {
  const int i = get_global_id(0);
  float sx = x[i], sy = y[i];
  for (int k = first[i]; k < first[i + 1]; ++k) {
    sx += x[to[k]];
    sy += y[to[k]];
  }
  const float part = 1.0f / (first[i + 1] - first[i] + 1);
  xs[i] = sx * part;
  ys[i] = sy * part;
}
kernel void colours(global const int* first, global const int* to, global const uchar* colour, global const int* stays, global uint* taken) {
  const int i = get_global_id(0);
  uint bits = 0;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (stays[to[k]]) bits |= 1u << (stays[to[k]] & 31);
  taken[i] = bits | colour[i];
}
kernel void interpreter(global const uint* code, global const int* in, int steps, global int* out) {
  const int i = get_global_id(0);
  uint program = code[i];
  int a = in[i], b = i;
  for (int k = 0; k < steps; ++k) {
    switch (program & 7) {
      case 0: a += b; break;
      case 1: a -= b; break;
      case 2: a ^= b; break;
      case 3: a = b - a; break;
      case 4: b = a; break;
      case 5: b = a >> 1; break;
      case 6: a = max(a, b); break;
    }
    program = rotate(program, 29u);
  }
  out[i] = a;
}
kernel void blend(global const float* a, global const float* b, global const uchar* modes, global float* out) {
  const int i = get_global_id(0);
  const float x = a[i], y = b[i];
  float r;
  switch (modes[i]) {
    case 0: r = x * y; break;
    case 1: r = x + y - x * y; break;
    case 2: r = fmin(x, y); break;
    case 3: r = fmax(x, y); break;
    case 4: r = fabs(x - y); break;
    default: r = x;
  }
  out[i] = r;
}
kernel void tokens(global const uchar* text, global uchar* kinds) {
  const int i = get_global_id(0);
  uchar kind;
  switch (text[i]) {
    case ' ': kind = 1; break;
    case 'a': case 'e': case 'i': case 'o': case 'u': kind = 2; break;
    case 't': kind = text[i] + 1; break;
    default: kind = 0;
  }
  kinds[i] = kind;
}
"""


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    ints, bytes_ = np.int32, lambda count: np.zeros(count, np.uint8)
    text = np.frombuffer(b"etaoin shrdlu", np.uint8)[random.integers(0, 13, items + 1024)]
    runs = np.repeat(random.integers(0, 9, items), random.integers(1, 6, items))[: items + 64].astype(np.int32)
    groups = (items,), (256,)
    yield "lengths of matches in text", "match", *groups, [text, ints(100), ints(32), bytes_(items)]
    yield "the same, all equal", "match", *groups, [text * 0, ints(100), ints(32), bytes_(items)]
    yield "words of 16 bits", "begins", *groups, [text.astype(np.uint16), text[:5].astype(np.uint16), ints(5), np.zeros(items, np.int32)]
    yield "lengths of runs", "run", *groups, [runs, ints(64), np.zeros(items, np.int32)]
    yield "ends of words", "ends", *groups, [text, ints(64), bytes_(items)]
    yield "whether text repeats", "repeats", *groups, [text, ints(100), ints(4), bytes_(items)]
    yield "whether blanks follow", "blank", *groups, [text, ints(64), bytes_(items)]
    keys = random.integers(1, items, items, dtype=np.uint32)
    table = np.zeros(2 * items, np.uint32)
    at = keys[: items // 2] * np.uint32(2654435761) & np.uint32(2 * items - 1)
    table[at] = keys[: items // 2]
    yield "probes of a hash table", "probe", *groups, [keys, table, np.uint32(2 * items - 1), np.zeros(items, np.uint32)]
    yield "march until a height is met", "march", *groups, [random.random(items, dtype=np.float32), ints(1024), np.float32(0.02), np.zeros(items, np.float32)]
    yield "queens on a board of 11", "queens", (121,), (11,), [np.zeros(121, np.int32), ints(11)]
    yield "queens behind three of 12", "queens_behind_three", (1792,), (64,), [np.zeros(1792, np.int32), ints(12)]
    yield "heap sorts of 32", "heaps", (items // 128,), (64,), [random.integers(0, 1 << 30, items // 4, dtype=np.int32)]
    program = np.frombuffer(b"[>+>++<<-]>[>+<-]>[->+>+<<]", np.uint8)
    yield ("programs on a tape", "tape", (items // 256,), (64,),
           [program, ints(len(program)), ints(2000), random.integers(0, 40, items // 256, dtype=np.uint8), bytes_(items // 64)])
    signs = np.tile(np.array([-1, 1, 1, 1], np.float32), items // 8)
    yield "roots of polynomials", "roots", (items // 8,), (256,), [random.random(items // 2, dtype=np.float32) * signs, np.zeros(items // 8, np.float32), ints(50)]
    nodes = items // 16
    first = np.concatenate(([0], np.cumsum(random.integers(0, 17, nodes)))).astype(np.int32)
    edges = int(first[-1])
    to = random.integers(0, nodes, edges).astype(np.int32)
    yield ("distances by edges", "relax", (nodes,), (256,),
           [first, to, random.integers(1, 100, edges).astype(np.int32), random.integers(0, 10000, nodes).astype(np.int32), np.zeros(nodes, np.int32)])
    levels = np.where(random.integers(0, 8, nodes) == 0, 3, -1).astype(np.int32)
    yield "frontier of a graph", "frontier", (nodes,), (256,), [first, to, levels, np.zeros(1, np.int32), ints(3)]
    yield ("rows of a sparse matrix", "sparse_rows", (nodes,), (256,),
           [first, to, random.random(edges, dtype=np.float32), random.random(nodes, dtype=np.float32), np.zeros(nodes, np.float32)])
    mesh_first = np.concatenate(([0], np.cumsum(random.integers(3, 20, nodes)))).astype(np.int32)
    mesh_to = random.integers(0, nodes, mesh_first[-1]).astype(np.int32)
    points = [random.random(nodes, dtype=np.float32) for _ in range(2)]
    yield ("a mesh smoothed", "smoothed", (nodes,), (64,), [mesh_first, mesh_to, *points, np.zeros(nodes, np.float32), np.zeros(nodes, np.float32)])
    yield ("colours of neighbours", "colours", (nodes,), (64,),
           [mesh_first, mesh_to, bytes_(nodes), random.integers(0, 20, nodes).astype(np.int32), np.zeros(nodes, np.uint32)])
    few = items // 128
    long_first = np.concatenate(([0], np.cumsum(random.integers(0, 201, few)))).astype(np.int32)
    long_to = random.integers(0, few, long_first[-1]).astype(np.int32)
    yield ("long rows of a sparse matrix", "sparse_rows", (few,), (256,),
           [long_first, long_to, random.random(len(long_to), dtype=np.float32), random.random(few, dtype=np.float32), np.zeros(few, np.float32)])
    for name, begins, ends in ("neighbours but itself", first, to), ("the same, up to 200", long_first, long_to):
        count = len(begins) - 1
        yield name, "but_itself", (count,), (64,), [begins, ends, random.random(len(ends)), random.random(count), np.zeros(count)]
    code = random.integers(0, 1 << 32, items, dtype=np.uint32)
    yield "interpreter, 16 steps", "interpreter", *groups, [code, keys.astype(np.int32), ints(16), np.zeros(items, np.int32)]
    yield ("the same, one program", "interpreter", *groups,
           [np.full(items, 0o1234567, np.uint32), keys.astype(np.int32), ints(16), np.zeros(items, np.int32)])
    floats = [random.random(items, dtype=np.float32) for _ in range(2)]
    yield "blended by modes", "blend", *groups, [*floats, random.integers(0, 6, items, dtype=np.uint8), np.zeros(items, np.float32)]
    yield "the same, one mode", "blend", *groups, [*floats, bytes_(items) + 3, np.zeros(items, np.float32)]
    yield "kinds of letters", "tokens", *groups, [text, bytes_(items)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 20)
