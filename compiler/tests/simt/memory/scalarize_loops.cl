// Loops with scattered accesses run for one lane after the other; all others run all lanes at once.
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=classes %s | FileCheck %s --check-prefix=CLASSES
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --disable=spaced-lanes --emit=asm --kernel=classes %s | FileCheck %s --check-prefix=CODE
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=never --disable=spaced-lanes --emit=asm --kernel=classes %s | FileCheck %s --check-prefix=NEVER
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=rows %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=hashes %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=hashes %s | FileCheck %s --check-prefix=HASHES
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=chain %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=chain %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=rows %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=columns %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=colors %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=distances %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=distances %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=digests %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=boxes %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver3 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=boxes %s | FileCheck %s --check-prefix=BOXES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=writes %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=states %s | FileCheck %s --check-prefix=STATES
// RUN: weftc --options=-DREACH=7 --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=states %s | FileCheck %s --check-prefix=STATES
// RUN: weftc --options=-DREACH=8 --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=states %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=waits %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=counts_atomically %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --scalarize-loops=always --stop-after=scalarize-loops --kernel=results %s | FileCheck %s --check-prefix=RESULTS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --options=-cl-std=CL3.0 --scalarize-loops=always --stop-after=scalarize-loops --kernel=generic_store %s | FileCheck %s --check-prefix=GENERIC
// RUN: weftc --cpu=znver4 --options=-DWORDS=8 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=rounds %s | FileCheck %s --check-prefix=ROUNDS
// RUN: weftc --cpu=znver4 --options=-DWORDS=16 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=rounds %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --scalarize-loops=always --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=early %s | FileCheck %s --check-prefix=EARLY
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=tape %s | FileCheck %s --check-prefix=TAPE
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=one_of_eight %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=lengths %s | FileCheck %s --check-prefix=LENGTHS
// RUN: weftc --cpu=znver4 --local-size=8,8,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=product %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=haswell --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=halves %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=halves %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=znver4 --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=smeared %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=but_itself %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=equal_ones %s | FileCheck %s --check-prefix=BESIDE

// The stores of zeros move along with the loop, past the branch that skips it; nothing is volatile any more.
// CLASSES-LABEL: define internal i32 @classes.region.0
// CLASSES-NOT: store i32 0
// CLASSES: call void @by_lane(ptr addrspace(1) {{.*}}, ptr %mine, i32 %length
// CLASSES-LABEL: define internal void @by_lane
// CLASSES: load i8, ptr
// CLASSES: store i32 %inc
// CLASSES: store i32 0, ptr %mine
// CLASSES: store i32 0, ptr %arrayidx
// One lane's zeros are one store, and a count is one instruction, beside those of other lanes.
// CODE: vmov{{.*}} %zmm{{[0-9]+}}, {{[0-9]+}}(%rsp,%r{{.*}})
// CODE: incl (%r{{.*}},%r{{.*}},4)
// NEVER-NOT: incl (
// NEVER: vpscatterdd
kernel void classes(global const uchar* text, global uint* counts, const int length) {
  uint mine[16];
  for (int k = 0; k < 16; ++k) mine[k] = 0;
  global const uchar* block = text + get_global_id(0) * length;
  for (int k = 0; k < length; ++k) ++mine[block[k] >> 4];
  for (int k = 0; k < 16; ++k) counts[16 * get_global_id(0) + k] = mine[k];
}

// BESIDE: define internal i32 @{{.*}}.region.0
// BESIDE-NOT: by_lane

// Three gathers an iteration, and all lanes wait for the longest row: the plain loop is faster, whatever gathers cost.
// ROWS: call float @by_lane
kernel void rows(global const int* start, global const int* column, global const float* value, global const float* x,
                 global float* y) {
  const int row = get_global_id(0);
  float sum = 0;
  const int end = start[row + 1];
  for (int k = start[row]; k < end; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// One gather: where that is an instruction, it serves; where it is a load a lane, the plain loop does.
// BOXES: @by_lane
// HASHES: call i32 @by_lane
kernel void hashes(global const int* start, global const uchar* text, global uint* y) {
  const int row = get_global_id(0);
  uint hash = 5381;
  const int end = start[row + 1];
  for (int k = start[row]; k < end; ++k) hash = hash * 33 + text[k];
  y[row] = hash;
}

// Each iteration waits for what the one before loaded: 32 lanes wait together.
kernel void chain(global const int* next, global int* y, const int n) {
  int at = get_global_id(0);
  for (int k = 0; k < n; ++k) at = next[at];
  y[get_global_id(0)] = at;
}

// Neighbours in memory: one load for a warp.
kernel void columns(global const float* a, global float* y, const int rows) {
  float sum = 0;
  for (int k = 0; k < rows; ++k) sum += a[k * 1024 + get_global_id(0)];
  y[get_global_id(0)] = sum;
}

// Another lane may read what this one writes.
kernel void writes(global int* a, const int n) {
  for (int k = 0; k < n; ++k) a[get_global_id(0) + k] = a[get_global_id(0)] + k;
}

// The program says that others write meanwhile.
kernel void waits(global volatile int* flag, global int* out) {
  int k = 0;
  while (*flag == 0) ++k;
  out[get_global_id(0)] = k;
}

kernel void counts_atomically(global int* all, global const int* in, const int n) {
  for (int k = 0; k < n; ++k) atomic_inc(all + in[k + get_global_id(0)]);
}

// Several results come back as one struct.
// RESULTS-LABEL: define internal i32 @results.region.0
// RESULTS: [[ALL:%.*]] = call { i32, float } @by_lane
// RESULTS: extractvalue { i32, float } [[ALL]], 0
// RESULTS: extractvalue { i32, float } [[ALL]], 1
kernel void results(global const float* in, global float* out, global int* where, const int n) {
  float most = -1;
  int at = -1;
  for (int k = 0; k < n; ++k) {
    const float v = in[(k * 7 + get_global_id(0)) & 1023];
    if (v > most) {
      most = v;
      at = k;
    }
  }
  out[get_global_id(0)] = most;
  where[get_global_id(0)] = at;
}

// What fills an array stays in front of what reads it and stores to it through a generic pointer.
// GENERIC-LABEL: define internal i32 @generic_store.region.0
// GENERIC: store i32 1, ptr %mine
// GENERIC: load volatile i32, ptr addrspace(4)
// GENERIC: call i64 @by_lane
// GENERIC-LABEL: define internal i64 @by_lane
// GENERIC-NOT: store i32 1
kernel void generic_store(const uint at, global ulong* out) {
#if __OPENCL_C_VERSION__ >= 300
  local uint others[64];
  uint none = 0;
  uint mine[16];
  for (uint k = 0; k < 16; ++k) mine[k] = 1;
  uint other = 1;
  uint* one = (int)(none & 16777215u) ? (uint*)&others[at & 63] : (int)(1) ? (uint*)&mine[(at + 9) & 15] : (uint*)&other;
  other = *one;
  *one = 0;
  ulong hash = 5;
  for (uint k = 0; k < 2 + (at & 1); ++k) hash = hash * 31 + mine[(3 * k + (uint)get_local_id(0)) & 15];
  out[get_global_id(0)] = hash;
#endif
}

// Each channel of a color has registers of its own, which are shifted by one number; a lane alone takes a vector operation for all four.
kernel void colors(global const uint* table, global float4* y, const uint seed) {
  uint state = get_global_id(0) * 747796405u + seed;
  float4 sum = 0;
  for (int i = 0; i < 16; ++i) {
    state = state * 1664525u + 1013904223u;
    const float weight = (state & 255) * (1.0f / 255);
    const uint2 pair = vload2(state >> 20, table);
    sum += (1 - weight) * convert_float4((uint4)(pair.x) >> (uint4)(0, 8, 16, 24) & 255u) +
           weight * convert_float4((uint4)(pair.y) >> (uint4)(0, 8, 16, 24) & 255u);
  }
  y[get_global_id(0)] = sum;
}

// Both loops want their array lane by lane, and each alone would lose by what the other one does there.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=permutes %s | FileCheck %s --check-prefix=TOGETHER
// TOGETHER-LABEL: define internal i32 @permutes.region.0
// TOGETHER: call void @by_lane
// TOGETHER: call i32 @by_lane
kernel void permutes(global const uint* keys, global uint* out, const uint count) {
  uchar s[256];
  const uint key = keys[get_global_id(0)];
  for (uint i = 0; i < 256; ++i) s[i] = i;
  uint j = 0;
  for (uint i = 0; i < 256; ++i) {
    const uchar x = s[i];
    j = (j + x + (key >> (8 * (i & 3)))) & 255;
    s[i] = s[j];
    s[j] = x;
  }
  uint sum = 0, b = 0;
  for (uint n = 1; n <= count; ++n) {
    const uchar x = s[n & 255];
    b = (b + x) & 255;
    const uchar y = s[b];
    s[n & 255] = y;
    s[b] = x;
    sum = sum * 31 + s[(x + y) & 255];
  }
  out[get_global_id(0)] = sum;
}

// Each lane's own bytes stay the same in all iterations: they are gathered once, in front of the loop.
kernel void distances(global const uchar* a, global const uchar* b, global int* out, int n) {
  const int g = get_global_id(0);
  int row[17];
  for (int j = 0; j <= 16; ++j) row[j] = j;
  for (int i = 1; i <= n; ++i) {
    int before = row[0];
    row[0] = i;
    for (int j = 1; j <= 16; ++j) {
      const int above = row[j];
      row[j] = min(min(row[j], row[j - 1]) + 1, before + (a[i] != b[g * 16 + j - 1]));
      before = above;
    }
  }
  out[g] = row[16];
}

// What a byte looks up in a table is permuted out of registers where a processor can, for all lanes in less time than they take alone.
#define LOOK_UP(a, b, c, d) table[a & 255] ^ rotate(table[(b >> 8) & 255], 8u) ^ rotate(table[(c >> 16) & 255], 16u) ^ rotate(table[d >> 24], 24u)
kernel void boxes(constant uint* table, constant uint4* keys, global const uint4* in, global uint4* out) {
  uint4 s = in[get_global_id(0)];
  for (int round = 0; round < 9; ++round)
    s = keys[round] ^ (uint4)(LOOK_UP(s.x, s.y, s.z, s.w), LOOK_UP(s.y, s.z, s.w, s.x), LOOK_UP(s.z, s.w, s.x, s.y), LOOK_UP(s.w, s.x, s.y, s.z));
  out[get_global_id(0)] = s;
}

// Bytes of a word are gathered together.
kernel void digests(global const uchar* s, global uint* o, int n) {
  const int g = get_global_id(0);
  uint a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 16; ++k) {
      global const uchar* p = s + ((g * n + i) * 16 + k) * 4;
      const uint t = rotate(a, 5u) + ((b & c) | (~b & d)) + (p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]) + 0x5a827999u;
      d = c, c = rotate(b, 30u), b = a, a = t;
    }
  o[g] = a ^ b ^ c ^ d;
}

// Each word of the state is made of lookups by all of its words in the round before: a round waits for one lookup, not for one by each word.
// A lane that has more words than the processor has registers would keep them in memory.
// ROUNDS: call { {{.*}} } @by_lane
#ifdef WORDS
kernel void rounds(constant ulong* table, global ulong* data) {
  ulong state[WORDS], next[WORDS];
  for (int k = 0; k < WORDS; ++k) state[k] = data[WORDS * get_global_id(0) + k];
  for (int round = 0; round < 10; ++round) {
#pragma unroll
    for (int k = 0; k < WORDS; ++k) {
      next[k] = round;
#pragma unroll
      for (int byte = 0; byte < 8; ++byte) next[k] ^= table[256 * byte + (state[(k + byte) % WORDS] >> 8 * byte & 255)];
    }
#pragma unroll
    for (int k = 0; k < WORDS; ++k) state[k] = next[k];
  }
  for (int k = 0; k < WORDS; ++k) data[WORDS * get_global_id(0) + k] = state[k];
}
#endif

// Two sorted rows that are compared element by element: an iteration waits for what it loaded, and gathers extend their indices themselves.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --cpu=znver4 --kernel=common --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=COMMON
// COMMON-LABEL: define internal i32 @common
// COMMON-NOT: by_lane
kernel void common(global const int* begins, global const int* values, global int* out) {
  const int v = get_global_id(0);
  int count = 0;
  for (int e = begins[v]; e < begins[v + 1]; ++e) {
    const int u = values[e];
    int i = begins[v], j = begins[u];
    while (i < begins[v + 1] && j < begins[u + 1]) {
      const int a = values[i], b = values[j];
      count += a == b;
      i += a <= b;
      j += b <= a;
    }
  }
  out[v] = count;
}

// Rows of a handful of elements run side by side: how long the longest is, the code asks in front of the loop.
// RUN: weftc --cpu=sapphirerapids --kernel=short_rows --local-size=64,1,1 --ids-fit-31-bits --disable=common-iterations --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=FEW
// FEW-LABEL: define internal i32 @short_rows.region.0(
// FEW: [[OTHERS:%.*]] = xor i32 {{%.*}}, -1
// FEW-NEXT: [[MOST:%.*]] = call i32 @weft.least(i32 [[OTHERS]])
// FEW-NEXT: [[MANY:%.*]] = icmp ule i32 [[MOST]], -{{[0-9]+}}
// FEW-NEXT: br i1 [[MANY]], label %so, label %so.few
// FEW: by_lane:
// FEW: call float @by_lane(
kernel void short_rows(global const int* begins, global const int* columns, global const float* values, global const float* x, global float* y) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

// What a lane does where it leaves a loop early goes along, if all ways out meet behind it.
// EARLY: call void @by_lane
// EARLY-LABEL: define internal void @by_lane
// EARLY: store i8 %add
// EARLY: store i8 %conv
kernel void early(global const uchar* text, global uchar* out, int n) {
  const int id = get_global_id(0);
  uchar seen[64];
  for (int i = 0; i < 64; ++i) seen[i] = 0;
  global const uchar* mine = text + n * id;
  for (int i = 0; i < n; ++i) {
    const int c = mine[i] & 63;
    if (seen[c] == 200) {
      seen[c ^ 1] = i;
      break;
    }
    seen[c] += 1 + (c & 3);
  }
  for (int i = 0; i < 64; ++i) out[64 * id + i] = seen[i];
}

// A lane goes one way of seven, a warp several, with bytes gathered and stored one by one.
// TAPE: call {{.*}} @by_lane
kernel void tape(global const uchar* program, int length, global const uchar* in, global uchar* out) {
  uchar cells[64];
  for (int i = 0; i < 64; ++i) cells[i] = 0;
  const int id = get_global_id(0);
  cells[0] = in[id];
  for (int at = 0, head = 0, step = 0; at < length && step < 2000; ++at, ++step) {
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

// The ways are short, and lanes with one program go the same.
kernel void one_of_eight(global const uchar* code, int n, global const int* in, global int* out) {
  const int id = get_global_id(0);
  int stack[16];
  int top = 1, at = 0;
  stack[0] = in[id];
  for (int step = 0; step < 400; ++step) {
    switch (code[at]) {
      case 0: if (top < 15) { stack[top] = stack[top - 1]; ++top; } break;
      case 1: if (top > 1) { stack[top - 2] += stack[top - 1]; --top; } break;
      case 2: stack[top - 1] *= 3; break;
      case 3: stack[top - 1] ^= step; break;
      case 4: if (stack[top - 1] & 1) at = (at + 7) % n; break;
      case 5: if (top > 1) { const int t = stack[top - 1]; stack[top - 1] = stack[top - 2]; stack[top - 2] = t; } break;
      case 6: stack[top - 1] = (uint)stack[top - 1] >> 1; break;
      default: if (top < 15) stack[top++] = step;
    }
    at = (at + 1) % n;
  }
  out[id] = stack[top - 1];
}

// Texts end at any place, and the longest of a warp is four times as long as they are on average. What lanes count alike is their own once they leave.
// LENGTHS: call {{.*}}@by_lane(
// LENGTHS: define internal {{.*}}@by_lane
kernel void lengths(global const char* text, global const int* begin, global int* length) {
  const int i = get_global_id(0), from = begin[i];
  int count = 0;
  while (text[from + count]) ++count;
  length[i] = count;
}

// The first byte of a kind in a row of each lane's own: one lane alone goes as far as it has to, a warp to the bound. Not so for the few
// bytes of a number.
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=finds --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=FINDS
// FINDS: define internal {{.*}}@by_lane
kernel void finds(global const uchar* text, global int* out) {
  const int i = get_global_id(0);
  int found = -1;
  for (int k = 0; k < 64; ++k)
    if (text[i * 64 + k] == '\n') {
      found = k;
      break;
    }
  out[i] = found;
}
// RUN: weftc --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --kernel=number --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=NEAR
// NEAR-NOT: by_lane
// NEAR: ret i32
kernel void number(global const uchar* bytes, global uint* out) {
  const int i = get_global_id(0);
  int at = i * 40, shift = 0;
  uint number = 0;
  uchar byte;
  do {
    byte = bytes[at++];
    number |= (uint)(byte & 127) << shift;
    shift += 7;
  } while (byte & 128 && shift < 35);
  out[i] = number;
}

// Of a tile by columns the lanes of each row of a group load the same, so that a register of them is loaded and repeated.
kernel void product(global const double* a, global const double* b, global double* c, const int n) {
  local double rows[16 * 17], columns[16 * 17];
  const int x = get_local_id(0), y = get_local_id(1), r = get_group_id(0) * 16, s = get_group_id(1) * 16;
  double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < n; first += 16) {
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        rows[(x + 8 * i) * 17 + y + 8 * j] = a[(r + x + 8 * i) * n + first + y + 8 * j];
        columns[(y + 8 * j) * 17 + x + 8 * i] = b[(first + y + 8 * j) * n + s + x + 8 * i];
      }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k += 2) {
#pragma unroll
      for (int u = 0; u < 2; ++u) {
        const double a0 = rows[(2 * x) * 17 + k + u], a1 = rows[(2 * x + 1) * 17 + k + u];
        const double b0 = columns[(k + u) * 17 + 2 * y], b1 = columns[(k + u) * 17 + 2 * y + 1];
        s00 += a0 * b0; s01 += a0 * b1; s10 += a1 * b0; s11 += a1 * b1;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[(r + 2 * x) * n + s + 2 * y] = s00;
  c[(r + 2 * x) * n + s + 2 * y + 1] = s01;
  c[(r + 2 * x + 1) * n + s + 2 * y] = s10;
  c[(r + 2 * x + 1) * n + s + 2 * y + 1] = s11;
}

// A register of 16-bit floats is converted at once, which LLVM's tables take apart: conversions are no reason to go lane after lane.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void halves(global const float4* a, global const float4* b, global float* sums, int n) {
  const int row = get_global_id(0) * n, column = get_group_id(0);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    const half4 x = convert_half4(a[row + i]), y = convert_half4(b[i * 64 + column]);
    sum += (float)(x.x * y.x) + (float)(x.y * y.y) + (float)(x.z * y.z) + (float)(x.w * y.w);
  }
  sums[get_global_id(0)] = sum;
}

// Pixels of 16 bytes: a warp puts registers of them together in less time than a lane alone takes to find out where they are.
float4 pixel(global const float4* image, int width, int height, int x, int y) { return image[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)]; }
kernel void smeared(global const float4* image, int width, int height, global float4* out, int steps, float dx, float dy) {
  const int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0;
  for (int i = 0; i < steps; ++i) {
    const float t = steps == 1 ? 0 : i / (float)(steps - 1) - 0.5f, u = x + t * dx, v = y + t * dy;
    const int left = (int)floor(u), top = (int)floor(v);
    const float4 a = pixel(image, width, height, left, top), b = pixel(image, width, height, left + 1, top);
    const float4 c = pixel(image, width, height, left, top + 1), d = pixel(image, width, height, left + 1, top + 1);
    const float4 upper = mix(a, b, u - floor(u)), lower = mix(c, d, u - floor(u));
    sum += mix(upper, lower, v - floor(v));
  }
  out[y * get_global_size(0) + x] = sum / steps;
}

// Each lane has a struct of its own: whatever the order in which lanes run, each finds what it left itself. Not where one accesses another's.
// STATES: call void @by_lane(
#ifndef REACH
#define REACH 0
#endif
typedef struct { uint state, at, seed, words[5]; } Machine;
kernel void states(global Machine* all, const int steps) {
  global Machine* const own = all + get_global_id(0);
  for (int k = 0; k < steps; ++k)
    switch (own->state) {
      case 0: own->at += 3; own->seed = own->seed * 1664525u + 1013904223u; own->state = own->seed >> 30; break;
      case 1: own->words[0] ^= own->at; own->words[3] += own->seed; own->state = own->words[0] & 3; break;
      case 2: own->words[1] = own->words[2] + own->words[0]; own->state = own->words[1] % 3; break;
      default: own->words[4]++; own->state = ((global uint*)own)[REACH] & 1;
    }
}

// One of many is a row's own, which the processor foresees; whether two that are loaded are equal it does not.
kernel void but_itself(global const int* first, global const int* to, global const float* weight, global const float* rank, global float* sums) {
  const int i = get_global_id(0);
  float sum = 1;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (to[k] != i) sum += weight[k] * rank[to[k]];
  sums[i] = sum;
}
kernel void equal_ones(global const int* first, global const int* to, global const float* weight, global const int* kind, global float* sums) {
  const int i = get_global_id(0), own = kind[i];
  float sum = 1;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (to[k] != own) sum += weight[k];
  sums[i] = sum;
}
