; OpenCL vectors: loaded, computed with and stored as memory holds them, taken apart where a component is asked for.
; RUN: weftc --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; CHECK-LABEL: define internal i32 @packed.region.0.warp(
; CHECK: [[X:%.*]] = load <128 x float>, ptr [[P:%.*]], align 4
; CHECK-NEXT: [[Y:%.*]] = fadd <128 x float> [[X]], [[X]]
; CHECK: store <128 x float> [[Y]], ptr [[P]], align 4
; CHECK-NOT: load
; CHECK: ret i32 -1
define internal i32 @packed.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %i
  %x = load volatile <4 x float>, ptr addrspace(1) %p, align 16, !weft.nonvolatile !0
  %y = fadd <4 x float> %x, %x
  store volatile <4 x float> %y, ptr addrspace(1) %p, align 16, !weft.nonvolatile !0
  ret i32 -1
}

; x of x y x y ...: one shuffle; put back as x x x x ...
; CHECK-LABEL: define internal i32 @component.region.0.warp(
; CHECK: [[XY:%.*]] = load <64 x i32>
; CHECK: [[X:%.*]] = shufflevector <64 x i32> [[XY]], <64 x i32> poison, <32 x i32> <i32 0, i32 2, i32 4,
; CHECK: [[SUM:%.*]] = add <32 x i32> [[X]],
; CHECK: [[XX:%.*]] = shufflevector <32 x i32> [[SUM]], <32 x i32> {{%.*}}, <64 x i32> <i32 0, i32 32, i32 1, i32 33,
; CHECK: store <64 x i32> [[XX]]
; CHECK: ret i32 -1
define internal i32 @component.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr <2 x i32>, ptr addrspace(1) %a, i64 %i
  %v = load volatile <2 x i32>, ptr addrspace(1) %p, align 8, !weft.nonvolatile !0
  %x = extractelement <2 x i32> %v, i32 0
  %s = add i32 %x, 1
  %one = insertelement <2 x i32> poison, i32 %s, i32 0
  %two = insertelement <2 x i32> %one, i32 %x, i32 1
  store volatile <2 x i32> %two, ptr addrspace(1) %p, align 8, !weft.nonvolatile !0
  ret i32 -1
}

; Vectors at any address: one wide load a lane, put side by side two by two, never a gather a component.
; CHECK-LABEL: define internal i32 @vectors.region.0.warp(
; CHECK-NOT: alloca
; CHECK-COUNT-32: load <4 x float>, ptr {{.*}}, align 16
; CHECK-COUNT-16: shufflevector <4 x float> {{%.*}}, <4 x float> {{%.*}}, <8 x i32>
; CHECK-COUNT-8: shufflevector <8 x float> {{%.*}}, <8 x float> {{%.*}}, <16 x i32>
; CHECK: shufflevector <64 x float> {{%.*}}, <64 x float> {{%.*}}, <128 x i32>
; CHECK: ret i32 -1
define internal i32 @vectors.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %j = mul i64 %i, 3
  %p = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %j
  %q = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %i
  %x = load volatile <4 x float>, ptr addrspace(1) %p, align 16, !weft.nonvolatile !0
  store volatile <4 x float> %x, ptr addrspace(1) %q, align 16, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
