// Small groups that keep nothing to themselves run side by side as one block.
//
// RUN: weftc --kernel=ids --local-size=4 --ids-fit-31-bits --fuse-groups=8 --stop-after=lower-args %s | FileCheck %s
// RUN: weftc --kernel=ids --local-size=4 --ids-fit-31-bits --fuse-groups=8 --partial-blocks --stop-after=lower-args %s | FileCheck %s --check-prefix=PARTIAL
// RUN: weftc --kernel=ids --local-size=1 --ids-fit-31-bits --fuse-groups=32 --emit=llvm %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --info --emit=scalar -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=INFO

// The lane's place in the block gives the group's id and the local id; the global id needs no change.
// CHECK: define internal i32 @ids.item
// CHECK-DAG: %[[PLACE:.*]] = call noundef range(i32 0, 32) i32 @__weft_local_id_x()
// CHECK-DAG: mul nuw nsw i64 %group_id{{.*}}, 8
// CHECK-DAG: udiv i32 %{{.*}}, 4
// CHECK-DAG: urem i32 %{{.*}}, 4
// CHECK-DAG: call {{.*}}i64 @__weft_global_id_x()

// Lanes beyond the last group leave at once.
// PARTIAL: define internal i32 @ids.item
// PARTIAL: %outside = icmp uge i64 %group_id, %num_groups_x
// PARTIAL: br i1 %outside, label %outside{{.*}}, label

// WIDE: store <32 x i32>

// INFO: kernel ids: {{.*}}fusible
kernel void ids(global uint* out) {
  out[get_global_id(0)] = get_group_id(0) * 100 + get_local_id(0);
}

// INFO: kernel counted: {{.*}}fusible
kernel void counted(global volatile int* count, global int* out, int n) {
  for (int i = 0; i < n; ++i)
    if (atomic_inc(count) == 7) out[0] = i;
}

// INFO: kernel waiting:
// INFO-NOT: fusible
// INFO-SAME: []
kernel void waiting(global volatile int* lock, global int* out) {
  for (int done = 0; !done;) {
    if (atomic_xchg(lock, 1) == 0) {
      out[0]++;
      atomic_xchg(lock, 0);
      done = 1;
    }
  }
}

// INFO: kernel polling:
// INFO-NOT: fusible
// INFO-SAME: []
kernel void polling(global volatile int* flag, global int* out) {
  while (*flag == 0) {}
  out[get_global_id(0)] = 1;
}

// INFO: kernel shared:
// INFO-NOT: fusible
// INFO-SAME: []
kernel void shared(global int* out, local int* t) {
  t[get_local_id(0)] = out[get_global_id(0)];
  out[get_global_id(0)] = t[0];
}
