// Probes: one for each block, each conditional branch with its condition, and each access with its address from the start of
// what it derives from. Reads of arguments have none.
// RUN: weftc --counted --kernel=all --local-size=64,1,1 --stop-after=probes %s | FileCheck %s

// CHECK-LABEL: define internal i32 @all.item(
// CHECK: call void @weft.count.block(i32 0)
// Global memory: from the argument's start, so the address is that of the index alone.
// CHECK: [[I:%.*]] = call noundef i64 @__weft_global_id_x()
// CHECK: [[OFFSET:%.*]] = mul nsw i64 [[I]], 4
// CHECK-NEXT: call void @weft.count.access(i32 0, i64 [[OFFSET]])
// CHECK-NEXT: [[X:%.*]] = load volatile i32, ptr addrspace(1)
// Local memory: from the group's start.
// CHECK: call void @weft.count.access(i32 1, i64
// CHECK-NEXT: store volatile i32 [[X]], ptr addrspace(3)
// What follows a barrier is another region's.
// CHECK: call void @__weft_barrier(
// CHECK-NEXT: call void @weft.count.block(i32 1)
// CHECK: call void @weft.count.access(i32 2, i64
// CHECK: [[ODD:%.*]] = icmp
// CHECK: call void @weft.count.branch(i32 0, i1 [[ODD]])
// CHECK-NEXT: br i1 [[ODD]]
// CHECK: call void @weft.count.block(i32 2)
// CHECK: call void @weft.count.access(i32 3, i64 0)
// CHECK-NEXT: atomicrmw volatile add
// A body of a few instructions runs under a predicate: it is counted, but its condition is no branch.
// CHECK-NOT: weft.count.branch
// CHECK: ret i32
kernel void all(global int* a, global int* sum) {
  local int tile[64];
  const size_t i = get_global_id(0);
  tile[get_local_id(0)] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[63 - get_local_id(0)];
  if (other & 1) {
    for (int k = 0; k < 4; ++k) other = other * 3 + (other >> 2);
    atomic_add(sum, other);
  }
  if (other > 5) a[i] = other;
}
