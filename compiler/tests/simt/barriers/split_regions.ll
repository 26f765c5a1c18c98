; A loop with two barriers in it: three regions, an accumulator and a counter in slots, all else recomputed.
; RUN: weftc --passes=split-regions %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @__weft_barrier(i32) convergent noduplicate

; CHECK-NOT: @sum.item
; CHECK-LABEL: define internal i32 @sum.region.0(ptr %launch, ptr %group)
; CHECK: call void @weft.slot.store.i32(i32 [[COUNTER:[0-9]+]], i32 0), !weft.uniform
; CHECK: call void @weft.slot.store.float(i32 [[SUM:[0-9]+]], float 0.000000e+00){{$}}
; CHECK-NEXT: ret i32 1
; CHECK: ret i32 -1

; The inner loop keeps the sum in a register. The counter is not touched and not stored.
; CHECK-LABEL: define internal i32 @sum.region.1(
; CHECK: call i32 @__weft_local_id_x()
; CHECK: [[IN:%.*]] = call float @weft.slot.load.float(i32 [[SUM]])
; CHECK: inner:
; CHECK: phi float [ [[IN]], %region.entry ], [ [[NEXT:%.*]], %inner ]
; CHECK-NOT: weft.slot
; CHECK: [[NEXT]] = fadd float
; CHECK: after:
; CHECK-NEXT: call void @weft.slot.store.float(i32 [[SUM]], float [[NEXT]])
; CHECK-NEXT: ret i32 2

; CHECK-LABEL: define internal i32 @sum.region.2(
; CHECK: load ptr, ptr %launch, align 8, !invariant.load
; CHECK: call i32 @weft.slot.load.i32(i32 [[COUNTER]]), !weft.uniform
; CHECK: [[LAST:%.*]] = call float @weft.slot.load.float(i32 [[SUM]])
; CHECK: call void @weft.slot.store.i32(i32 [[COUNTER]], i32 %k.next), !weft.uniform
; CHECK-NEXT: ret i32 1
; CHECK: store volatile float [[LAST]]
; CHECK-NEXT: ret i32 -1
define internal i32 @sum.item(ptr %launch, ptr %group) {
entry:
  %a = load ptr, ptr %launch, align 8, !invariant.load !0
  %n.at = getelementptr inbounds i8, ptr %launch, i64 8
  %n = load i32, ptr %n.at, align 8, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %lid.wide = zext i32 %lid to i64
  %mine = getelementptr inbounds float, ptr %a, i64 %lid.wide
  %none = icmp slt i32 %n, 1
  br i1 %none, label %exit, label %outer

outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  store volatile i32 %k, ptr %mine
  call void @__weft_barrier(i32 1)
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi float [ %sum, %outer ], [ %sum.next, %inner ]
  %x = load volatile float, ptr %mine
  %sum.next = fadd float %s, %x
  %j.next = add i32 %j, 1
  %more = icmp slt i32 %j.next, 16
  br i1 %more, label %inner, label %after

after:
  call void @__weft_barrier(i32 1)
  br label %latch

latch:
  %k.next = add i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %outer, label %exit

exit:
  %result = phi float [ 0.0, %entry ], [ %sum.next, %latch ]
  store volatile float %result, ptr %mine
  ret i32 -1
}

!0 = !{}
