// Loops that run for one lane after the other and wait for what they stored run for four lanes at once, where all go the same way.
// RUN: weftc --cpu=haswell --kernel=shuffle --local-size=32,1,1 --scalarize-loops=always --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=some --local-size=32,1,1 --scalarize-loops=always --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --cpu=haswell --kernel=own_end --local-size=32,1,1 --scalarize-loops=always --stop-after=widen %s | FileCheck %s --check-prefix=ALONE
// RUN: weftc --cpu=haswell --kernel=own_way --local-size=32,1,1 --scalarize-loops=always --stop-after=widen %s | FileCheck %s --check-prefix=ALONE
// RUN: weftc --cpu=haswell --kernel=looks_up --local-size=32,1,1 --scalarize-loops=always --stop-after=widen %s | FileCheck %s --check-prefix=ALONE
// RUN: weftc --cpu=haswell --kernel=shuffle --local-size=32,1,1 --required-only --stop-after=widen %s | FileCheck %s --check-prefix=ALONE

// ALONE-NOT: .beside(

// The pointers are at known distances; what all lanes share is there once.
// CHECK: rolled{{[0-9]*}}: ; preds = %rolled{{[0-9]*}}, %by_lane
// CHECK: [[OWN:%.*]] = getelementptr i8, ptr %s, i64 {{%.*}}
// CHECK: getelementptr i8, ptr [[OWN]], i64 32
// CHECK: getelementptr i8, ptr [[OWN]], i64 64
// CHECK: call [4 x i32] @by_lane{{[.0-9]*}}.beside(ptr [[OWN]], ptr
// CHECK: add nuw nsw i64 %lane{{[0-9]*}}, 4
// CHECK: define internal [4 x i32] @by_lane{{[.0-9]*}}.beside(ptr {{%.*}}, ptr {{%.*}}, ptr {{%.*}}, ptr {{%.*}}, i32 [[COUNT:%.*]])
// CHECK-COUNT-9: phi i
// CHECK-NOT: phi
// CHECK: icmp {{.*}} i32 {{%.*}}, [[COUNT]]
// CHECK-NOT: icmp
// CHECK: ret [4 x i32]
kernel void shuffle(global const uint* keys, global uint* out, uint count) {
  uchar s[32];
  const uint g = get_global_id(0);
  for (uint i = 0; i < 32; ++i) s[i] = i ^ keys[g];
  uint sum = 0, b = 0;
  for (uint n = 1; n <= count; ++n) {
    const uint a = n & 31;
    const uchar x = s[a];
    b = (b + x) & 31;
    s[a] = s[b];
    s[b] = x;
    sum += s[(x + s[a]) & 31];
  }
  out[g] = sum;
}

// Where some lanes are off each that is on runs alone.
// SOME: rolled{{[0-9]*}}: ; preds = %rolled{{[0-9]*}}, %beside
// SOME: call {{.*}} @by_lane{{[.0-9]*}}.beside(
// SOME: lane{{[0-9]*}}: ; preds = %lane{{[0-9]*}}, %lane.first
// SOME: call {{.*}} @by_lane{{[.0-9]*}}(
kernel void some(global const uint* keys, global uint* out, uint count) {
  uint bins[16];
  const uint g = get_global_id(0);
  for (uint i = 0; i < 16; ++i) bins[i] = 0;
  if (keys[g] & 1) {
    uint x = keys[g];
    for (uint n = 0; n < count; ++n) {
      x = x * 1664525u + 1013904223u;
      ++bins[x >> 28];
    }
  }
  for (uint i = 0; i < 16; ++i) out[g * 16 + i] = bins[i];
}

// Each lane ends for itself.
kernel void own_end(global const uint* keys, global uint* out) {
  uint bins[16];
  const uint g = get_global_id(0);
  for (uint i = 0; i < 16; ++i) bins[i] = 0;
  uint x = keys[g];
  do {
    x = x * 1664525u + 1013904223u;
    ++bins[x >> 28];
  } while (x & 0xff000);
  for (uint i = 0; i < 16; ++i) out[g * 16 + i] = bins[i];
}

// Lanes branch for themselves.
kernel void own_way(global const uint* keys, global uint* out, uint count) {
  uint bins[16];
  const uint g = get_global_id(0);
  for (uint i = 0; i < 16; ++i) bins[i] = 0;
  uint x = keys[g];
  for (uint n = 0; n < count; ++n) {
    x = x * 1664525u + 1013904223u;
    if (x & 64) bins[x >> 28] = bins[x & 15] + n; else bins[3] ^= bins[x & 7];
  }
  for (uint i = 0; i < 16; ++i) out[g * 16 + i] = bins[i];
}

// Nothing waits for a store.
kernel void looks_up(global const uint* keys, global const uint* table, global uint* out, uint count) {
  const uint g = get_global_id(0);
  uint x = keys[g];
  for (uint n = 0; n < count; ++n) x = table[x & 255] ^ x >> 8;
  out[g] = x;
}
