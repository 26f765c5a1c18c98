// A warp's work-items run in lockstep: each memory instruction completes for all lanes before the next one, without a
// barrier. The last steps of a sum over a warp as real programs write them, with and without `volatile`.
// RUN: weftc --verify-each --local-size=32,1,1 --kernel=pinned --stop-after=widen %s | FileCheck %s --check-prefixes=CHECK,PINNED
// RUN: weftc --verify-each --local-size=32,1,1 --kernel=marked --stop-after=widen %s | FileCheck %s --check-prefixes=CHECK,MARKED
// RUN: weftc --verify-each --local-size=32,1,1 --kernel=pinned --emit=llvm %s | FileCheck %s --check-prefix=END

// RUN: weftc --verify-each --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --kernel=masked --emit=llvm %s | FileCheck %s --check-prefix=MASKED

// CHECK: define internal i32 @{{.*}}.region.0.warp(
// PINNED-COUNT-5: store <32 x i32>
// MARKED: load <32 x i32>
// MARKED: load <32 x i32>
// MARKED: store <32 x i32>
// MARKED: load <32 x i32>
// MARKED: store <32 x i32>
// CHECK: ret i32

// None of them is dead, and none is moved over the next load, to the end of the pipeline.
// END: define {{.*}} @pinned.group(
// END: load <32 x i32>
// END: store <32 x i32>
// END: load <32 x i32>
// END: store <32 x i32>
// END: load <32 x i32>
// END: store <32 x i32>
// END: ret i32
// A masked access cannot be volatile; two of them stay two all the same.
// MASKED: define {{.*}} @masked.group(
// MASKED: call <32 x i32> @llvm.masked.load
// MASKED: call <32 x i32> @llvm.masked.load
// MASKED: call void @llvm.masked.store

kernel void masked(global int* a, volatile global int* flag) {
  int i = get_global_id(0);
  if (i < 10) a[i] = flag[i] + flag[i];
}

kernel void pinned(global int* a, local int* s) {
  int i = get_local_id(0);
  s[i] += s[i + 16];
  s[i] += s[i + 8];
  s[i] += s[i + 4];
  s[i] += s[i + 2];
  s[i] += s[i + 1];
  a[i] = s[0];
}

kernel void marked(global int* a, volatile local int* s) {
  int i = get_local_id(0);
  s[i] += s[i + 16];
  s[i] += s[i + 8];
  a[i] = s[0];
}
