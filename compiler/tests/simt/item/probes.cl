// Probes: one for each block, each conditional branch with its condition, and each access with its address from the start of
// what it derives from. Reads of arguments have none.
// RUN: weftc --counted --kernel=all --local-size=64,1,1 --stop-after=probes %s | FileCheck %s

// CHECK-LABEL: define internal i32 @all.item(
// CHECK: call void @weft.count.block(i32 0)
// Global memory: from the argument's start, so the address is that of the index alone.
// CHECK: [[I:%.*]] = {{.*}}call i64 @__weft_global_id_x()
// CHECK: [[OFFSET:%.*]] = shl {{.*}}i64 {{.*}}, 2
// CHECK-NEXT: call void @weft.count.access(i32 0, i64 [[OFFSET]])
// CHECK-NEXT: [[X:%.*]] = load volatile i32, ptr addrspace(1)
// Local memory: from the group's start.
// CHECK: call void @weft.count.access(i32 1, i64
// CHECK-NEXT: store volatile i32 {{.*}}, ptr addrspace(3)
// CHECK: call void @__weft_barrier(
// CHECK: [[ODD:%.*]] = icmp
// CHECK: call void @weft.count.branch(i32 0, i1 [[ODD]])
// CHECK-NEXT: br i1 [[ODD]]
// CHECK: call void @weft.count.block(i32 1)
// An atomic of which nobody uses the result.
// CHECK: call void @weft.count.access(i32 {{[0-9]+}}, i64 0)
// CHECK-NEXT: atomicrmw volatile add
// CHECK-NOT: weft.count.access
// CHECK: ret i32
kernel void all(global int* a, global int* sum) {
  local int tile[64];
  const size_t i = get_global_id(0);
  tile[get_local_id(0)] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = tile[63 - get_local_id(0)];
  if (other & 1) atomic_add(sum, other);
}
