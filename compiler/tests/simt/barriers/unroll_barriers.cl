// Loops around barriers whose trip count follows from the local size are unrolled where one body runs the whole group.
// RUN: weftc --cpu=icelake-server --kernel=tree --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=TREE
// RUN: weftc --cpu=icelake-server --kernel=tree --local-size=64,1,1 --disable=promote-local --emit=llvm %s | FileCheck %s --check-prefix=CODE
// RUN: weftc --cpu=icelake-server --kernel=tree --local-size=512,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=LOOP
// RUN: weftc --cpu=icelake-server --kernel=unknown --local-size=64,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=UNKNOWN
// RUN: weftc --cpu=icelake-server --kernel=nested --local-size=32,1,1 --verify-each --stop-after=whole-group %s | FileCheck %s --check-prefix=NESTED
// RUN: weftc --cpu=icelake-server --kernel=long_loop --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=LONG

// TREE-LABEL: define internal i32 @tree.item(
// TREE-NOT: call {{.*}}barrier
// TREE-NOT: phi
// TREE-DAG: icmp ult i32 {{.*}}, 32
// TREE-DAG: icmp ult i32 {{.*}}, 2
// TREE: ret i32

// The live lanes of each step are known: its accesses are just so wide, and nothing branches.
// CODE-LABEL: define {{.*}}i32 @tree.group(
// CODE-NOT: br
// CODE: call void @llvm.masked.store.v64f32.p0({{.*}}<64 x i1> <i1 true, i1 true, i1 false, i1 false, {{.*}}
// CODE-NOT: br
// CODE: ret i32

// More than one body: one barrier, in a loop.
// LOOP: phi
// LOOP: call void @__weft_barrier
kernel void tree(global float* a, local float* t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) a[0] = t[0];
}

// UNKNOWN-NOT: call {{.*}}barrier
// UNKNOWN: phi
// UNKNOWN-NOT: call {{.*}}barrier
kernel void unknown(global float* a, local float* t, int n) {
  int l = get_local_id(0);
  float f = a[l];
  for (int k = 0; k < n; ++k) {
    t[l] = f;
    barrier(CLK_LOCAL_MEM_FENCE);
    f += t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = f;
}

// The inner loop is unrolled, the outer one not: its count is unknown.
// NESTED: define internal i32 @nested.item(
// NESTED: load volatile {{.*}} addrspace(3)
// NESTED: load volatile {{.*}} addrspace(3)
// NESTED: load volatile {{.*}} addrspace(3)
// NESTED: br i1
kernel void nested(global float* a, local float* t, int n) {
  int l = get_local_id(0);
  float f = a[l];
  for (int k = 0; k < n; ++k)
    for (int j = 1; j < 8; j *= 2) {
      t[l] = f;
      barrier(CLK_LOCAL_MEM_FENCE);
      f += t[l ^ j];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  a[l] = f;
}

// LONG: phi
kernel void long_loop(global float* a, local float* t) {
  int l = get_local_id(0);
  float f = a[l];
  for (int k = 0; k < 1000; ++k) {
    t[l] = f;
    barrier(CLK_LOCAL_MEM_FENCE);
    f += t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[l] = f;
}
