// Indices that are cut from 64 bits and differ by constants, of places in a buffer that a work-item accesses, are one index and constants.
// RUN: weftc --cpu=haswell --kernel=cross --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=near-indices --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @cross.item(
// CHECK: [[INDEX:%.*]] = ashr exact i64 {{.*}}, 30
// CHECK: [[BASE:%.*]] = getelementptr {{.*}} i64 [[INDEX]]
// CHECK: load volatile i32, ptr addrspace(1) [[BASE]]
// CHECK: [[NEXT:%.*]] = getelementptr i8, ptr addrspace(1) [[BASE]], i64 8
// CHECK: load volatile i32, ptr addrspace(1) [[NEXT]]
// CHECK-NOT: ashr
// CHECK: ret i32

// Not where no launch says that the argument is a buffer's start, or where not all that come to the one access the other.
// RUN: weftc --cpu=haswell --kernel=cross --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-indices %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=either --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=near-indices %s | FileCheck %s --check-prefix=STAYS
// STAYS-LABEL: .item(
// STAYS-COUNT-2: ashr exact i64 {{.*}}, 30
// STAYS: ret i32

kernel void cross(global const int* in, global int* out, const int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  out[get_global_id(0)] = in[at - 1] * in[at + 1];
}

kernel void either(global const int* in, global int* out, const int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  if (get_local_id(0) & 1) atomic_add(out, in[at - 1]);
  else out[get_global_id(0)] = in[at + 1];
}
