// A launch whose groups are not all of one size runs in parts: what work-items are told of is the whole, and ids begin where the part does.
//
// RUN: weftc --options=-cl-std=CL3.0 --kernel=ids --local-size=64 --ids-fit-31-bits --part --stop-after=lower-args %s | FileCheck %s
// RUN: weftc --options=-cl-std=CL3.0 --kernel=ids --local-size=1 --ids-fit-31-bits --part --stop-after=lower-args %s | FileCheck %s --check-prefix=SINGLE
// RUN: weftc --options=-cl-std=CL3.0 --kernel=ids --local-size=4 --fuse-groups=8 --partial-blocks --ids-fit-31-bits --part --stop-after=lower-args %s | FileCheck %s --check-prefix=FUSED
// RUN: weftc --options=-cl-std=CL3.0 --kernel=ids --local-size=64 --ids-fit-31-bits --stop-after=lower-args %s | FileCheck %s --check-prefix=WHOLE

// CHECK: define internal i32 @ids.item
// CHECK: %[[FIRST:.*]] = getelementptr inbounds i8, ptr %launch, i64 208
// CHECK: %group_id_x = load i64, ptr %[[FIRST]]
// CHECK: add nuw nsw i64 %group_id_x, %part_group_id_x
// CHECK: %[[GROUPS:.*]] = getelementptr inbounds i8, ptr %launch, i64 184
// CHECK: %num_groups_x = load i64, ptr %[[GROUPS]]
// CHECK: %[[LOCAL:.*]] = getelementptr inbounds i8, ptr %launch, i64 160
// CHECK: %enqueued_local_size_x = load i64, ptr %[[LOCAL]]
// CHECK: %[[OFFSET:.*]] = getelementptr inbounds i8, ptr %launch, i64 136
// CHECK: %global_offset_x = load i64, ptr %[[OFFSET]]

// SINGLE: define internal i32 @ids.item
// SINGLE: %global_id = add nuw nsw i64 %part_group_id_x, %part_global_offset_x

// FUSED: define internal i32 @ids.item
// FUSED: %outside = icmp uge i64 %group_id, %part_num_groups_x

// WHOLE: define internal i32 @ids.item
// WHOLE-NOT: ptr %launch, i64 {{136|160|184|208}}
// WHOLE: ret i32 -1
kernel void ids(global ulong4* out) {
  out[get_global_id(0)] = (ulong4)(get_group_id(0), get_num_groups(0), get_enqueued_local_size(0), get_global_offset(0));
}
