// Where one body runs the whole group, conditional stores to local memory become unconditional ones of either value, so that
// all of local memory can become registers.
// RUN: weftc --cpu=icelake-server --kernel=sort --local-size=64,1,1 --verify-each --stop-after=whole-group %s | FileCheck %s --check-prefix=SORT
// RUN: weftc --cpu=icelake-server --kernel=sort --local-size=64,1,1 --verify-each --stop-after=promote-local %s | FileCheck %s --check-prefix=REGISTERS
// RUN: weftc --cpu=icelake-server --kernel=sort --local-size=512,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=LARGE
// RUN: weftc --kernel=sides --local-size=32,1,1 --verify-each --stop-after=whole-group %s | FileCheck %s --check-prefix=SIDES
// RUN: weftc --kernel=nested --local-size=32,1,1 --verify-each --stop-after=whole-group %s | FileCheck %s --check-prefix=NESTED
// RUN: weftc --kernel=shared_place --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=BRANCH
// RUN: weftc --kernel=unknown_place --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=BRANCH
// RUN: weftc --kernel=not_accessed --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=BRANCH
// RUN: weftc --kernel=everyones --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=BRANCH
// RUN: weftc --kernel=overlap --local-size=32,1,1 --stop-after=whole-group %s | FileCheck %s --check-prefix=BRANCH
// RUN: weftc --kernel=other_between --local-size=32,1,1 --verify-each --stop-after=whole-group %s | FileCheck %s --check-prefix=BETWEEN

// The inner loop's count is constant in each copy of the outer one's body.
// SORT-LABEL: define internal i32 @sort.item(
// SORT-NOT: br
// SORT: [[A:%.*]] = load volatile i32, ptr addrspace(3) [[LOW:%.*]], align 4
// SORT: [[B:%.*]] = load volatile i32, ptr addrspace(3) [[HIGH:%.*]], align 4
// SORT-NOT: br
// SORT-NOT: load
// SORT: [[NEW_LOW:%.*]] = select i1 [[C:%.*]], i32 [[B]], i32 [[A]]
// SORT-NEXT: store volatile i32 [[NEW_LOW]], ptr addrspace(3) [[LOW]]
// The first store writes none of the locations of the second, in any lane: nothing is loaded again.
// SORT-NEXT: [[NEW_HIGH:%.*]] = select i1 [[C]], i32 [[A]], i32 [[B]]
// SORT-NEXT: store volatile i32 [[NEW_HIGH]], ptr addrspace(3) [[HIGH]]
// SORT-NOT: br
// SORT: ret i32

// REGISTERS-LABEL: define internal i32 @sort
// REGISTERS-NOT: addrspace(3) {{.*}}, align 4
// REGISTERS: call i32 (<64 x i32>, ...) @weft.lanes.i32(
// REGISTERS-NOT: store {{.*}} addrspace(3)
// REGISTERS: ret i32

// LARGE: call void @__weft_barrier
kernel void sort(global uint* keys, local uint* t) {
  const uint l = get_local_id(0), n = 2 * get_local_size(0);
  t[l] = keys[l];
  t[l + n / 2] = keys[l + n / 2];
  for (uint size = 2; size <= n; size <<= 1)
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * l - (l & (stride - 1)), high = low + stride;
      const uint a = t[low], b = t[high];
      if ((a > b) == ((low & size) == 0 || size == n)) {
        t[low] = b;
        t[high] = a;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[l] = t[l];
  keys[l + n / 2] = t[l + n / 2];
}

// Both sides, and a load in one; their results become a select, too.
// SIDES-LABEL: define internal i32 @sides.item(
// SIDES-NOT: br
// SIDES: [[C:%.*]] = icmp sgt i32
// SIDES-NOT: br
// SIDES: select i1 [[C]]
// SIDES: store volatile i32
// SIDES-NOT: br
// SIDES: ret i32
kernel void sides(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l];
  t[l] = v;
  t[l + 32] = 5;
  int r;
  if (v > 0) {
    r = t[l + 32] * v;
    t[l] = r;
  } else {
    r = v;
    t[l + 32] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1] + t[(l ^ 2) + 32] + r;
}

// NESTED-LABEL: define internal i32 @nested.item(
// NESTED-NOT: br
// NESTED: ret i32
kernel void nested(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l], w = a[l + 32];
  t[l] = 0;
  if (v > 0) {
    t[l] = v;
    if (w > v) t[l] = w;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}

// A work-item that does not store must not write over what another has stored.
// BRANCH: br i1
kernel void shared_place(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l];
  t[l / 2] = 0;
  if (v > 0) t[l / 2] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l / 4];
}

kernel void unknown_place(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l], i = a[l + 32];
  t[i] = 0;
  if (v > 0) t[i] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}

// The location may not exist.
kernel void not_accessed(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l];
  t[l] = 0;
  if (v > 0) t[l + 32] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}

// Other groups may write global memory meanwhile.
kernel void everyones(global int* a, global int* t, local int* u) {
  const int l = get_local_id(0), v = a[l];
  u[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = 0;
  if (v > 0) t[l] = u[l ^ 1];
}

kernel void overlap(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l];
  local long* p = (local long*)(t + l);
  *p = 0;
  if (v > 0) *p = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}

// The old value is loaded again behind a store, since another lane may have written there.
// BETWEEN-LABEL: define internal i32 @other_between.item(
// BETWEEN-NOT: br
// BETWEEN: store volatile i32 7
// BETWEEN: [[OLD:%.*]] = load volatile i32, ptr addrspace(3) [[P:%.*]], align 4
// BETWEEN-NEXT: [[NEW:%.*]] = select i1 {{.*}}, i32 {{.*}}, i32 [[OLD]]
// BETWEEN-NEXT: store volatile i32 [[NEW]], ptr addrspace(3) [[P]]
// BETWEEN: ret i32
kernel void other_between(global int* a, local int* t) {
  const int l = get_local_id(0), v = a[l], w = t[l];
  t[l ^ 1] = 7;
  if (v > 0) t[l] = w;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}
