// Many barriers under run-time conditions, one after the other: cuts that all work-items pass keep the code behind them in
// at most five regions. A small kernel has no cuts: one region for each barrier, and the first.
// RUN: weftc --kernel=k --local-size=256,1,1 --options=-DSIZE=60 --stop-after=split-regions --verify-each --emit=llvm %s | FileCheck %s
// RUN: weftc --kernel=k --local-size=1024,1,1 --options=-DSIZE=2 --stop-after=split-regions --emit=llvm %s | FileCheck %s --check-prefix=SMALL

// CHECK: define internal i32 @k.region.0(
// CHECK: xor i32 {{.*}}, 1002
// CHECK-NOT: xor i32 {{.*}}, 1003
// CHECK: define internal i32 @k.region.1(
// Eight barriers and two cuts.
// CHECK: define internal i32 @k.region.10(
// CHECK-NOT: xor i32 {{.*}}, 1006
// CHECK: xor i32 {{.*}}, 1007
// CHECK-NOT: define internal i32 @k.region.11(

// SMALL: define internal i32 @k.region.0(
// SMALL: xor i32 {{.*}}, 1007
// SMALL: define internal i32 @k.region.8(
// SMALL-NOT: define internal i32 @k.region.9(

#define STEP(n) a ^= t[(l + n + 1) & 255] ^ (1000 + n); \
  _Pragma("unroll") for (int i = 0; i < SIZE; ++i) a = (a * (i + 3)) ^ (a >> (i & 7));
kernel void k(global int* out, int flags, local int* t) {
  int l = get_local_id(0), a = l;
  t[l] = l;
  if (flags & 1) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(0)
  if (flags & 2) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(1)
  if (flags & 4) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(2)
  if (flags & 8) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(3)
  if (flags & 16) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(4)
  if (flags & 32) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(5)
  if (flags & 64) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(6)
  if (flags & 128) { t[l] = a; barrier(CLK_LOCAL_MEM_FENCE); }
  STEP(7)
  out[get_global_id(0)] = a;
}
