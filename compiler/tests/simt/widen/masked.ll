; Memory accesses of a block that runs for some lanes only.
; RUN: weftc --cpu=znver4 --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s
; RUN: weftc --cpu=znver4 --passes=widen --verify-each --local-size=50,1,1 %s | FileCheck %s --check-prefix=PARTIAL

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @weft.mask(i1)
declare i1 @weft.live()

; CHECK-LABEL: define internal i32 @masked.region.0.warp(
; Lanes that are off, where an access is made for each lane, go here. Never poison.
; CHECK: [[NOWHERE:%.*]] = alloca i16
; CHECK: store i16 0, ptr [[NOWHERE]]
; CHECK: [[ODD:%.*]] = trunc <32 x i32> {{%.*}} to <32 x i1>
; Contiguous: the vector access under the mask.
; CHECK: [[X:%.*]] = call <32 x float> @llvm.masked.load.v32f32.p0(ptr [[P:%.*]], i32 4, <32 x i1> [[ODD]],
; CHECK: call void @llvm.masked.store.v32f32.p0(<32 x float> [[X]], ptr [[P]], i32 4, <32 x i1> [[ODD]])
; A uniform store: the last live lane's value.
; CHECK: [[BITS:%.*]] = bitcast <32 x i1> [[ODD]] to i32
; CHECK: [[ZEROS:%.*]] = call i32 @llvm.ctlz.i32(i32 [[BITS]]
; CHECK: [[FROM_END:%.*]] = sub i32 31, [[ZEROS]]
; CHECK: [[LANE:%.*]] = and i32 [[FROM_END]], 31
; CHECK: [[VALUE:%.*]] = extractelement <32 x i32> {{%.*}}, i32 [[LANE]]
; CHECK: store i32 [[VALUE]], ptr
; A store a lane.
; CHECK-COUNT-32: select i1 {{%.*}}, ptr {{%.*}}, ptr [[NOWHERE]]
; CHECK-NOT: [[NOWHERE]]
; CHECK: ret i32 -1
define internal i32 @masked.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  call void @weft.mask(i1 %odd)
  %i = zext i32 %lid to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load volatile float, ptr addrspace(1) %p, !weft.nonvolatile !0
  store volatile float %x, ptr addrspace(1) %p, !weft.nonvolatile !0
  store volatile i32 %lid, ptr addrspace(1) %a, !weft.nonvolatile !0
  %j = mul i64 %i, 3
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %j
  store volatile i16 7, ptr addrspace(1) %q, !weft.nonvolatile !0
  ret i32 -1
}

; The last warp of 50 work-items: the lanes from 18 on are off, and nothing runs as a scalar tail.
; PARTIAL-LABEL: define internal i32 @partial.region.0.warp(
; PARTIAL: [[LINEAR:%.*]] = add <32 x i32> {{%.*}}, <i32 0, i32 1, i32 2,
; PARTIAL: [[LIVE:%.*]] = icmp ult <32 x i32> [[LINEAR]], <i32 50, i32 50,
; PARTIAL: [[X:%.*]] = call <32 x float> @llvm.masked.load.v32f32.p0(ptr [[P:%.*]], i32 4, <32 x i1> [[LIVE]],
; PARTIAL: call void @llvm.masked.store.v32f32.p0(<32 x float> [[X]], ptr [[P]], i32 4, <32 x i1> [[LIVE]])
; PARTIAL-NEXT: ret i32 -1
define internal i32 @partial.region.0(ptr %launch, ptr %group) {
  %live = call i1 @weft.live()
  call void @weft.mask(i1 %live)
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load volatile float, ptr addrspace(1) %p, !weft.nonvolatile !0
  store volatile float %x, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
