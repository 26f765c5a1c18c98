// Every function is inlined, even a kernel that another kernel calls; the kernels remain.
// RUN: weftc --emit=scalar %s | FileCheck %s

__attribute__((noinline)) int twice(int x) { return 2 * x; }
static int four_times(int x) { return twice(twice(x)); }

// CHECK-LABEL: define {{.*}}spir_kernel void @inner(
// CHECK: shl nsw i32 {{.*}}, 2
__kernel void inner(__global int* p) { p[get_global_id(0)] = four_times(p[get_global_id(0)]); }

// CHECK-LABEL: define {{.*}}spir_kernel void @outer(
// CHECK: shl nsw i32 {{.*}}, 2
// CHECK: call void @__weft_barrier
// CHECK: store volatile i32 7
// CHECK-NOT: define
__kernel void outer(__global int* p) {
  inner(p);
  barrier(CLK_GLOBAL_MEM_FENCE);
  p[0] = 7;
}
