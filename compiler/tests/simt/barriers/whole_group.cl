// Where one body runs the whole group, barriers that all work-items are sure to reach are removed.
// RUN: weftc --kernel=several --coarsen=2 --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=GONE
// RUN: weftc --kernel=several --coarsen=2 --local-size=65,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=several --local-size=20,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=GONE
// RUN: weftc --cpu=icelake-server --kernel=several --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=GONE
// RUN: weftc --kernel=several --local-size=37,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=several --local-size=96,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=several --local-size=1024,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=several --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=several --local-size=64,1,1 --disable=whole-group --stop-after=split-regions %s | FileCheck %s --check-prefix=SPLIT
// RUN: weftc --kernel=unsure --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=unsure_loop --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=diverges --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=GONE
// RUN: weftc --kernel=diverges --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --cpu=icelake-server --kernel=known --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=GONE
// RUN: weftc --cpu=icelake-server --kernel=several --local-size=64,1,1 --verify-each --stop-after=group %s | FileCheck %s --check-prefix=GROUP

// GONE-NOT: call {{.*}}__weft_barrier
// KEPT: call {{.*}}__weft_barrier
// SPLIT: @several.region.2(
// The whole-group body is straight code: no loop over warps, no choice of regions.
// GROUP: define i32 @several.group(
// GROUP-NOT: switch
// GROUP: phi <64 x float>
// GROUP-NOT: icmp ult i32 {{.*}}, {{[12]$}}
// GROUP: ret i32 0
kernel void several(global float* a, local float* s, int n) {
  int i = get_local_id(0);
  float f = a[i];
  for (int k = 0; k < n; ++k) {
    s[i] = f;
    barrier(CLK_LOCAL_MEM_FENCE);
    f += s[(i + 7) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[i] = f;
}

// The group function must find out whether all work-items reach the barrier.
kernel void unsure(global float* a, local float* s) {
  int i = get_local_id(0);
  s[i] = a[i];
  if (a[i] > 0) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = s[i ^ 1];
  }
}

kernel void unsure_loop(global float* a, local float* s) {
  int i = get_local_id(0);
  float f = a[i];
  do {
    s[i] = f;
    barrier(CLK_LOCAL_MEM_FENCE);
    f = s[i ^ 1] - 1;
  } while (f > 0);
  a[i] = f;
}

// A divergent branch between barriers: several warps would run both sides where one skips a side.
kernel void diverges(global float* a, local float* s) {
  int i = get_local_id(0);
  s[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (s[i ^ 1] > 0) s[i] = a[i + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = s[i ^ 1];
}

// Which lanes take it is known at compile time.
kernel void known(global float* a, local float* s) {
  int i = get_local_id(0);
  s[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) s[i] += s[i + 16];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = s[i ^ 1];
}

// A loop that strides by the size of the group ends for all lanes in the same iteration, or one apart.
// RUN: weftc --cpu=icelake-server --kernel=strides --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=GONE
// One whose end each lane finds for itself does not.
// RUN: weftc --cpu=icelake-server --kernel=walks --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=KEPT
kernel void strides(global const float* a, global const int* first, global float* sums, local float* s) {
  const int i = get_local_id(0), row = get_group_id(0);
  float sum = 0;
  for (int k = first[row] + i; k < first[row + 1]; k += get_local_size(0)) sum += a[k];
  s[i] = sum;
  for (int apart = 32; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < apart) s[i] += s[i + apart];
  }
  if (i == 0) sums[row] = s[0];
}

kernel void walks(global const float* a, global const int* first, global float* sums, local float* s) {
  const int i = get_local_id(0);
  float sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += a[k];
  s[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[i] = s[i ^ 1];
}

// The number of 256 lanes below a bound takes more than a byte.
// RUN: weftc --kernel=bound --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=BOUND
// BOUND: @llvm.umin.i32(i32 {{.*}}, i32 256)
// BOUND: icmp ult <256 x i16>
kernel void bound(global float* a, local float* s, int n) {
  int i = get_local_id(0);
  s[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float f = s[255 - i];
  a[i] = i < n ? f : 0;
}
