; A pointer that is advanced before the barrier and used behind it: like the loop's variable, it is the lane's start and
; a uniform offset, so it is recomputed too, and no vector of pointers lives across the barrier.
; RUN: weftc --passes=split-regions %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @__weft_barrier(i32) convergent noduplicate

; CHECK-LABEL: define internal i32 @k.region.0(
; CHECK-NOT: call {{.*}}weft.slot.store.p
; CHECK-LABEL: define internal i32 @k.region.1(
; CHECK-NOT: call {{.*}}weft.slot.load.p
; CHECK: [[AT:%.*]] = call i64 @weft.slot.load.i64(i32 {{[0-9]+}}), !weft.uniform
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr addrspace(1) {{%.*}}, i64 [[AT]]
; CHECK: load volatile i32, ptr addrspace(1) [[NEXT]]
; CHECK-NOT: call {{.*}}weft.slot.store.p
define internal i32 @k.item(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, align 8, !invariant.load !0
  %stride.at = getelementptr i8, ptr %launch, i64 8
  %stride = load i64, ptr %stride.at, align 8, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %wide = zext i32 %lid to i64
  %start = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %p.next, %loop ]
  %x = load volatile i32, ptr addrspace(1) %p
  %p.next = getelementptr inbounds float, ptr addrspace(1) %p, i64 %stride
  call void @__weft_barrier(i32 1)
  %end = load volatile i32, ptr addrspace(1) %p.next
  %more = icmp ne i32 %end, 0
  br i1 %more, label %loop, label %exit

exit:
  ret i32 -1
}

!0 = !{}
