; A 16x16 group puts two rows in a warp: what a row shares is two scalars, what runs along it two vectors of 16.
; RUN: weftc --passes=widen --verify-each --local-size=16,16,1 %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare i32 @__weft_local_id_y() memory(none)

; CHECK-LABEL: define internal i32 @segments.region.0.warp(
; CHECK-NOT: load i{{8|16|32}},
; CHECK-DAG: [[BROADCAST_0:%.*]] = load float, ptr
; CHECK-DAG: [[BROADCAST_1:%.*]] = load float, ptr
; CHECK-DAG: [[LOW:%.*]] = load <16 x float>, ptr [[P:%.*]], align 4
; CHECK-DAG: [[HIGH:%.*]] = load <16 x float>, ptr [[Q:%.*]], align 4
; CHECK: shufflevector <16 x float> [[LOW]], <16 x float> [[HIGH]], <32 x i32> <i32 0, i32 1,
; CHECK: shufflevector <2 x float> {{%.*}}, <2 x float> poison, <32 x i32> <i32 0, i32 0, {{.*}} i32 1, i32 1>
; CHECK: fadd <32 x float>
; CHECK: store <16 x float> {{%.*}}, ptr [[P]], align 4
; CHECK: store <16 x float> {{%.*}}, ptr [[Q]], align 4
; CHECK-NEXT: ret i32 -1
define internal i32 @segments.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i64, ptr %launch, !invariant.load !0
  %x = call i32 @__weft_local_id_x()
  %y = call i32 @__weft_local_id_y()
  %i = zext i32 %x to i64
  %j = zext i32 %y to i64
  %row = mul i64 %j, %n
  %start = getelementptr float, ptr addrspace(1) %a, i64 %row
  %b = load volatile float, ptr addrspace(1) %start, !weft.nonvolatile !0
  %at = add i64 %row, %i
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %c = load volatile float, ptr addrspace(1) %p, !weft.nonvolatile !0
  %s = fadd float %b, %c
  store volatile float %s, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
