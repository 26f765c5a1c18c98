; Elements of which an array has gaps and a vector has none (i1, i24) are not loaded as vectors.
; RUN: weftc --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; CHECK-LABEL: define internal i32 @bits.region.0.warp(
; CHECK: br i1 true, label %lane, label %lanes.done
; CHECK: lane:
; CHECK: load volatile <8 x i1>, ptr {{%.*}}, align 1
; CHECK: zext i1 {{%.*}} to i8
; CHECK: lanes.done:
; CHECK: load <32 x i8>
; CHECK: br i1 true, label %[[STORE:lane[0-9]+]], label
; CHECK: [[STORE]]:
; CHECK: store volatile <8 x i1> {{%.*}}, ptr {{%.*}}, align 1
; CHECK: ret i32 -1
define internal i32 @bits.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %x = load volatile <8 x i1>, ptr addrspace(1) %p, align 1, !weft.nonvolatile !0
  %flipped = xor <8 x i1> %x, splat (i1 true)
  store volatile <8 x i1> %flipped, ptr addrspace(1) %p, align 1, !weft.nonvolatile !0
  ret i32 -1
}

; CHECK-LABEL: define internal i32 @threes.region.0.warp(
; CHECK-NOT: <32 x i24>, ptr
; CHECK-COUNT-32: load i24, ptr
; CHECK-NOT: <32 x i24>, ptr
; CHECK-COUNT-32: store i24 {{%.*}}, ptr
; CHECK-NOT: <32 x i24>, ptr
; CHECK: ret i32 -1
define internal i32 @threes.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr [3 x i8], ptr addrspace(1) %a, i64 %i
  %x = load volatile i24, ptr addrspace(1) %p, align 1, !weft.nonvolatile !0
  %y = add i24 %x, 1
  store volatile i24 %y, ptr addrspace(1) %p, align 1, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
