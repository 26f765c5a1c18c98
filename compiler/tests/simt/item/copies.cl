// Struct copies between memories become loads and stores, pinned like all others; long ones become a loop.
// RUN: weftc --emit=scalar %s | FileCheck %s

typedef struct { int a, b, c; } Small;
typedef struct { int a[64]; } Large;

// CHECK-LABEL: @small(
// CHECK-COUNT-3: load volatile i32, ptr addrspace(1)
// CHECK-COUNT-3: store volatile i32 {{.*}}, ptr addrspace(1)
// CHECK-NEXT: ret void
__kernel void small(__global Small* out, __global const Small* in) { out[get_global_id(0)] = in[get_global_id(0)]; }

// CHECK-LABEL: @large(
// CHECK: phi i64
// CHECK: load volatile i32, ptr addrspace(1)
// CHECK-NEXT: getelementptr
// CHECK-NEXT: store volatile i32 {{.*}}, ptr addrspace(3)
__kernel void large(__local Large* out, __global const Large* in) { out[0] = in[get_global_id(0)]; }

// CHECK-NOT: llvm.memcpy{{.*}}(

// Bytes that are only copied, as those behind the last field of a padded struct, are words.
// CHECK-LABEL: @padded(
// CHECK-COUNT-2: load volatile <4 x float>, ptr addrspace(1)
// CHECK-COUNT-3: load volatile i32, ptr addrspace(1)
// CHECK-NOT: volatile i8
// CHECK: ret void
typedef struct { float3 place, speed; int id; uchar spare[7]; } Padded;
__kernel void padded(__global Padded* all, float step) {
  Padded one = all[get_global_id(0)];
  one.place += one.speed * step;
  all[get_global_id(0)] = one;
}
