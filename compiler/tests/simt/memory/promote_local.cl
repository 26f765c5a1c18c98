// Where one body runs the whole group, local memory whose every address is known becomes registers.
// RUN: weftc --kernel=shift --local-size=32,1,1 --verify-each --stop-after=promote-local %s | FileCheck %s --check-prefix=SHIFT
// RUN: weftc --kernel=shift --local-size=32,1,1 --disable=promote-local --stop-after=interleave %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=shift --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --kernel=steps --local-size=32,1,1 --verify-each --stop-after=promote-local %s | FileCheck %s --check-prefix=STEPS
// RUN: weftc --kernel=pairs --local-size=32,1,1 --verify-each --stop-after=promote-local %s | FileCheck %s --check-prefix=PAIRS
// RUN: weftc --kernel=pairs --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PARTS
// RUN: weftc --kernel=shared --local-size=20,1,1 --verify-each --stop-after=promote-local %s | FileCheck %s --check-prefix=SHARED
// RUN: weftc --kernel=shared --local-size=20,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=unset --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=UNSET
// RUN: weftc --kernel=two --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --kernel=index --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=condition --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=ways --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=repeats --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=REPEATS
// RUN: weftc --kernel=tiles --local-size=16,1,1 --verify-each --stop-after=promote-local %s | FileCheck %s --check-prefix=TILES
// RUN: weftc --kernel=before --local-size=16,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=leaves --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=asked --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=SHIFT
// RUN: weftc --kernel=bytes --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY
// RUN: weftc --kernel=atomic --local-size=32,1,1 --stop-after=promote-local %s | FileCheck %s --check-prefix=MEMORY

// MEMORY-NOT: weft.lanes
// MEMORY: {{(load|store).*}} addrspace(3)
// MEMORY-NOT: weft.lanes

// The lane after next, around the end; no local memory is left.
// SHIFT-NOT: {{(load|store).*}} addrspace(3)
// SHIFT: [[VALUE:%.*]] = load volatile i32, ptr addrspace(1)
// SHIFT: call i32 (<32 x i32>, ...) @weft.lanes.i32(<32 x i32> <i32 2, i32 3, {{.*}} i32 31, i32 0, i32 1>, i32 [[VALUE]])
// SHIFT-NOT: {{(load|store).*}} addrspace(3)
// WIDE: shufflevector
// WIDE: store <32 x i32>
kernel void shift(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[(l + 2) & 31];
}

// The lanes of each step are known, so no step is skipped. The second step finds values of the first step in lanes 0 to 3
// and of the load in lanes 4 to 7; the rest are not live.
// STEPS-NOT: weft.any
// STEPS: [[VALUE:%.*]] = load volatile i32, ptr addrspace(1)
// STEPS: [[FIRST:%.*]] = call i32 (<32 x i32>, ...) @weft.lanes.i32(<32 x i32> <i32 16, i32 17, {{.*}} i32 31, i32 -1, {{.*}}, i32 [[VALUE]])
// STEPS: [[SUM:%.*]] = add nsw i32 {{.*}}[[FIRST]]
// STEPS: [[SECOND:%.*]] = call i32 (<32 x i32>, ...) @weft.lanes.i32(<32 x i32> <i32 12, i32 13, i32 14, i32 15, i32 48, i32 49, i32 50, i32 51, i32 -1, {{.*}}, i32 [[SUM]], i32 [[VALUE]])
kernel void steps(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) t[l] += t[l + 16];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8) t[l] += t[l + 12];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l];
}

// A value of two cells is read as another type.
// PAIRS: call <2 x i32> (<32 x i32>, ...) @weft.lanes.v2i32(<32 x i32> <i32 31, i32 30,
// PARTS: shufflevector
// PARTS: shufflevector
kernel void pairs(global float2* a, global int2* b, local float2* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[l] = ((local int2*)t)[31 - l];
}

// One lane's value is a scalar; there are no lanes 20 to 31.
// SHARED: call i32 (<32 x i32>, ...) @weft.lanes.i32(<32 x i32> <i32 3, i32 3, {{.*}} i32 3, i32 -1,
// ONE: extractelement <32 x i32> {{.*}}, i64 3
kernel void shared(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int k = t[3];
  if (k > 7) a[l] = k;
}

// What nobody wrote is zero.
// UNSET: call i32 (<32 x i32>, ...) @weft.lanes.i32(<32 x i32> <i32 0, i32 1, {{.*}}, i32 0, i32 %
kernel void unset(global int* a, local int* t) {
  int l = get_local_id(0);
  if (l < 16) t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[31 - l];
}

// Each argument is an object of its own: `t` becomes registers though `s` stays in memory.
// TWO: store volatile i32 {{.*}} addrspace(3)
// TWO: @weft.lanes.i32(
// TWO-NOT: {{(load|store).*}} addrspace(3)
kernel void two(global int* a, local int* s, local int* t) {
  int l = get_local_id(0);
  s[a[l] & 31] = l;
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[(l + 2) & 31];
}

kernel void index(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[a[l] & 31];
}

kernel void condition(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a[l] > 0) t[l / 2] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[(l + 2) & 31];
}

kernel void ways(global int* a, local int* t, int n) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (n > 0) {
    t[l] = a[l + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = t[(l + 2) & 31];
}

// Each iteration stores before it reads.
// REPEATS-NOT: {{(load|store).*}} addrspace(3)
// REPEATS: call i32 (<32 x i32>, ...) @weft.lanes.i32(<32 x i32> <i32 2, i32 3, {{.*}} i32 31, i32 0, i32 1>, i32 {{.*}})
// REPEATS-NOT: {{(load|store).*}} addrspace(3)
kernel void repeats(global int* a, local int* t, int n) {
  int l = get_local_id(0);
  for (int k = 0; k < n; ++k) {
    t[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[(l + 2) & 31];
  }
}

// A pointer to either object.
kernel void leaves(global int* a, local int* s, local int* t, int n) {
  int l = get_local_id(0);
  s[l] = t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  local int* u = n > 0 ? s : t;
  a[l] = u[(l + 2) & 31];
}

// Nobody but the group sees local memory: `volatile` asks for no more than lockstep gives.
kernel void asked(global int* a, volatile local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[(l + 2) & 31];
}

kernel void bytes(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = ((local uchar*)t)[4 * ((l + 2) & 31)];
}

kernel void atomic(global int* a, local int* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&t[3], a[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[(l + 2) & 31];
}

// A tile that each iteration stores and reads anew, down its columns: rows of 4 numbers of each of 16 work-items, of which each wants what 4 others have.
// TILES-NOT: {{(load|store).*}} addrspace(3)
// TILES: br label %[[LOOP:.+]]
// TILES: [[LOOP]]:
// TILES: call float (<{{16|32}} x i32>, ...) @weft.lanes.float(<{{16|32}} x i32> <i32 0, i32 {{[0-9]+}}, {{.*}}, float {{.*}}, float {{.*}}, float {{.*}}, float
// TILES: br i1 {{.*}}, label %[[LOOP]]
// TILES-NOT: {{(load|store).*}} addrspace(3)
kernel void tiles(global const float4* a, global float* b, int n, int pitch) {
  local float t[16][16];
  int l = get_local_id(0), column = l % 4, row = l / 4;
  float sum = 0;
  for (int k = 0; k < n; k += 4) {
    for (int i = 0; i < 4; ++i) {
      float4 v = a[(get_group_id(0) * 16 + row * 4 + i) * pitch + k + column];
      t[i * 4 + 0][l] = v.x;
      t[i * 4 + 1][l] = v.y;
      t[i * 4 + 2][l] = v.z;
      t[i * 4 + 3][l] = v.w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum = sum * 0.5f + t[column * 4 + j][row * 4 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  b[get_global_id(0)] = sum;
}

// What the iteration before has stored is in memory.
kernel void before(global const float* a, global float* b, int n) {
  local float t[16];
  int l = get_local_id(0);
  t[l] = 0;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = a[k * 16 + l];
  }
  b[get_global_id(0)] = sum;
}
