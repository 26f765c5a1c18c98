; A pointer that each lane steps along its own row, in a loop with a barrier: the step is uniform, so only a
; uniform offset lives across the barrier, and the pointer is recomputed from the lane's id.
; RUN: weftc --passes=split-regions %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @__weft_barrier(i32) convergent noduplicate

; CHECK-LABEL: define internal i32 @k.region.0(
; CHECK: call void @weft.slot.store.i64(i32 [[OFFSET:[0-9]+]], i64 0), !weft.uniform
; CHECK-NOT: call {{.*}}weft.slot.store.p
; CHECK-LABEL: define internal i32 @k.region.1(
; CHECK: [[A:%.*]] = load ptr addrspace(1), ptr %launch
; CHECK: [[LID:%.*]] = call i32 @__weft_local_id_x()
; CHECK: [[WIDE:%.*]] = zext i32 [[LID]] to i64
; CHECK: [[START:%.*]] = getelementptr inbounds float, ptr addrspace(1) [[A]], i64 [[WIDE]]
; CHECK: [[IN:%.*]] = call i64 @weft.slot.load.i64(i32 [[OFFSET]]), !weft.uniform
; CHECK: [[NEXT:%.*]] = add i64 [[IN]], 64
; CHECK: getelementptr i8, ptr addrspace(1) [[START]], i64 [[NEXT]]
; CHECK-NOT: call {{.*}}weft.slot.store.p
define internal i32 @k.item(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, align 8, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %wide = zext i32 %lid to i64
  %start = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %p.next, %loop ]
  %x = load volatile i32, ptr addrspace(1) %p
  call void @__weft_barrier(i32 1)
  store volatile i32 %lid, ptr addrspace(1) %p
  %p.next = getelementptr inbounds float, ptr addrspace(1) %p, i64 16
  %end = load volatile i32, ptr addrspace(1) %a
  %more = icmp ne i32 %end, 0
  br i1 %more, label %loop, label %exit

exit:
  ret i32 -1
}

!0 = !{}
