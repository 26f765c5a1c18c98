// Private arrays that loops of constant length index become registers; so do structs by value.
// RUN: weftc --emit=scalar %s | FileCheck %s

typedef struct { int n[4]; float4 v; } Pack;

__kernel void k(__global float* out, Pack pack, __global const Pack* packs) {
  float acc[8] = {0};
  size_t i = get_global_id(0);
  Pack mine = packs[i];
  for (int j = 0; j < 8; ++j) acc[j] = out[i * 8 + j] * pack.v.y + mine.n[j & 3];
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += acc[j];
  out[i] = sum;
}

// CHECK-LABEL: @k(
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
// CHECK-COUNT-8: load volatile float, ptr addrspace(1)
// CHECK-NOT: br label
// CHECK: store volatile float
// CHECK: ret void
