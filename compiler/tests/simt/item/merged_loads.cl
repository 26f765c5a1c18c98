// One load of what both sides of a branch load is marked as theirs were: it is no access that the program calls volatile. Where the program calls one so,
// nothing is known of loads without marks.
// RUN: weftc --emit=scalar %s | FileCheck %s

// CHECK-LABEL: @symmetric
// CHECK: select i1
// CHECK: load volatile float, ptr addrspace(1) {{.*}}!weft.nonvolatile
// CHECK-NOT: load volatile float, ptr addrspace(1) {{[^!]*$}}
// CHECK: ret void
__kernel void symmetric(__global const float* a, __global float* y, int n, int k) {
  int x = get_global_id(0);
  float value;
  if (x <= k) value = a[k * n + x];
  else value = a[x * n + k];
  y[x] = value;
}

// CHECK-LABEL: @asked
// CHECK-NOT: load volatile float, ptr addrspace(1) {{.*}}!weft.nonvolatile
// CHECK: ret void
__kernel void asked(__global const volatile float* a, __global float* y, int n, int k) {
  int x = get_global_id(0);
  float value;
  if (x <= k) value = a[k * n + x];
  else value = a[x * n + k];
  y[x] = value;
}
