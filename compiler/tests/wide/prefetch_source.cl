// prefetch() of OpenCL C: fetches each line of a warp once, and none if the lanes' addresses are scattered.
// RUN: weftc --kernel=contiguous --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --emit=llvm %s | FileCheck %s --check-prefix=CONTIGUOUS
// RUN: weftc --kernel=contiguous --local-size=64,1,1 --ids-fit-31-bits --coarsen=2 --emit=llvm %s | FileCheck %s --check-prefix=COARSENED
// RUN: weftc --kernel=partial --local-size=20,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=CONTIGUOUS
// RUN: weftc --kernel=backwards --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=BACKWARDS
// RUN: weftc --kernel=segments --local-size=16,2,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=CONTIGUOUS
// RUN: weftc --kernel=uniform --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=UNIFORM
// RUN: weftc --kernel=unknown_size --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=rows --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --kernel=long_rows --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --kernel=anywhere --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=nothing --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=NONE

// 32 floats: two lines of 64 bytes.
// CONTIGUOUS-COUNT-2: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
// CONTIGUOUS-NOT: call void @llvm.prefetch
// COARSENED-COUNT-4: call void @llvm.prefetch
// COARSENED-NOT: call void @llvm.prefetch
kernel void contiguous(global const float* a, global float* b) {
  int i = get_global_id(0);
  prefetch(a + i + 4096, 1);
  b[i] = a[i];
}

// Lanes without a work-item are prefetched, too.
kernel void partial(global const float* a, global float* b) {
  int i = get_global_id(0);
  prefetch(a + i + 4096, 1);
  b[i] = a[i];
}

// The last lane's element comes first.
// BACKWARDS: call void @llvm.prefetch
// BACKWARDS: call void @llvm.prefetch
// BACKWARDS-NOT: call void @llvm.prefetch
kernel void backwards(global const float* a, global float* b) {
  int i = get_global_id(0);
  prefetch(a - i, 1);
  b[i] = a[i];
}

// Two rows of 16 floats: a line each.
kernel void segments(global const float* a, global float* b, int n) {
  int x = get_global_id(0), y = get_global_id(1), i = y * n + x;
  prefetch(a + i, 1);
  b[i] = 0;
}

// UNIFORM-COUNT-3: call void @llvm.prefetch
// UNIFORM-NOT: call void @llvm.prefetch
kernel void uniform(global const float4* a, global float4* b) {
  prefetch(a + get_group_id(0), 12);
  b[get_global_id(0)] = 0;
}

// If only the launch knows the size, the first element.
// ONE-COUNT-1: call void @llvm.prefetch
// ONE-NOT: call void @llvm.prefetch
kernel void unknown_size(global const float* a, global float* b, int n) {
  prefetch(a, n);
  b[get_global_id(0)] = 0;
}

// A line a lane; more lines than that are left to the loads.
// ROWS-COUNT-32: call void @llvm.prefetch
// ROWS-NOT: call void @llvm.prefetch
kernel void rows(global const float* a, global float* b) {
  size_t i = get_global_id(0);
  prefetch(a + 100 * i, 4);
  b[i] = 0;
}
kernel void long_rows(global const float* a, global float* b) {
  size_t i = get_global_id(0);
  prefetch(a + 100 * i, 40);
  b[i] = 0;
}

// NONE-NOT: call void @llvm.prefetch
kernel void anywhere(global const float* a, global const int* at, global float* b) {
  int i = get_global_id(0);
  prefetch(a + at[i], 1);
  b[i] = 0;
}
kernel void nothing(global const float* a, global float* b) {
  int i = get_global_id(0);
  prefetch(a + i, 0);
  b[i] = 0;
}
