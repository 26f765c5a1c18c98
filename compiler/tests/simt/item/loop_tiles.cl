// What all rows of a group read in a loop, a pitch apart from iteration to iteration, lies in local memory for a piece of the loop: 128 iterations
// of 32 columns, of which each of 32 rows of work-items brings four.
// RUN: weftc --cpu=haswell --kernel=product --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles --verify-each %s | FileCheck %s
// CHECK: @product.tile = internal addrspace(3) global [4096 x float] poison, align 64
// CHECK-LABEL: spir_kernel void @product(
// CHECK: call i64 @llvm.umin.i64(i64 {{.*}}, i64 128)
// CHECK: piece.copy:
// The rest of the last piece is nobody's: the last iteration again.
// CHECK: call i32 @llvm.umin.i32(
// CHECK: store float %{{.*}}, ptr addrspace(3)
// CHECK: call void @__weft_barrier(i32 1)
// CHECK: piece.again:
// CHECK-NEXT: call void @__weft_barrier(i32 1)
// CHECK: for.body:
// CHECK: load volatile float, ptr addrspace(1)
// CHECK: load float, ptr addrspace(3)
// CHECK-NOT: load
// CHECK: store volatile float

// Groups side by side are as good as one.
// RUN: weftc --cpu=haswell --kernel=product --local-size=16,32,1 --fuse-groups=2 --ids-fit-31-bits --stop-after=loop-tiles --verify-each %s | FileCheck %s --check-prefix=BLOCK
// BLOCK: @product.tile
// BLOCK: call i32 @__weft_block_id()

// Few rows, rows of half a warp, work-items of which some do not run the loop, loops that write, and columns that are each work-item's own.
// RUN: weftc --cpu=haswell --kernel=product --local-size=32,8,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=product --local-size=16,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=some --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=writes --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=own_rows --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=close --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: .tile
// RUN: weftc --cpu=haswell --kernel=border --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=znver4 --kernel=product --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE

// Behind bounds of the range, groups for all of whose work-items they hold have code of their own.
// RUN: weftc --cpu=haswell --kernel=bounded --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles --verify-each %s | FileCheck %s --check-prefix=BOUND
// RUN: weftc --cpu=haswell --kernel=one_by_one --local-size=32,32,1 --ids-fit-31-bits --stop-after=loop-tiles --verify-each %s | FileCheck %s --check-prefix=BOUND
// BOUND: .tile
// BOUND-LABEL: spir_kernel void
// BOUND: call i64 @__weft_group_id_x()
// BOUND: call i64 @__weft_group_id_y()
// BOUND: br i1 %{{.*}}, label %{{.*}}, label %bounded
// BOUND: store float %{{.*}}, ptr addrspace(3)
// BOUND: call void @__weft_barrier(i32 1)
// BOUND: bounded:
// BOUND-NEXT: br i1 %{{.*}}, label %{{.*}}.bounded, label %{{.*}}.bounded
// BOUND: for.body.bounded:
// BOUND-NOT: addrspace(3)
// BOUND-NOT: barrier
// BOUND: load volatile float, ptr addrspace(1)
// BOUND: }
// RUN: weftc --cpu=haswell --kernel=bounded --local-size=32,32,1 --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=bounded --local-size=32,32,1 --ids-fit-31-bits --part --stop-after=loop-tiles %s | FileCheck %s --check-prefix=NONE

kernel void product(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}

kernel void some(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  if (y % 3)
    for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}

kernel void writes(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  for (int i = 0; i < n; ++i) c[(y * n + i) * n + x] = a[y * n + i] * b[i * n + x];
}

kernel void own_rows(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[x * n + i];
  c[y * n + x] = sum;
}

kernel void close(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i + x];
  c[y * n + x] = sum;
}

kernel void border(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == n - 1) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}

kernel void bounded(global const float* a, global const float* b, global float* c, const int n, const int rows) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= n || y >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}

kernel void one_by_one(global const float* a, global const float* b, global float* c, const int n, const int rows) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= n) return;
  c[y * n + x] = 1;
  if (y >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}
