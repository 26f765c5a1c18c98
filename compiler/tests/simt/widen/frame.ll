; What lives across barriers lies in the warp's frame: slots, uniform ones one scalar, others a vector; private
; variables lane after lane. What does not is on the stack, lane after lane, too.
; RUN: weftc --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @weft.mask(i1)
declare i32 @weft.slot.load.i32(i32)
declare float @weft.slot.load.float(i32)
declare i1 @weft.slot.load.i1(i32)
declare void @weft.slot.store.i32(i32, i32)
declare void @weft.slot.store.float(i32, float)
declare void @weft.slot.store.i1(i32, i1)
declare ptr @weft.private(i32)

; CHECK-LABEL: define internal i32 @k.region.0.warp(
; CHECK: [[U:%.*]] = load i32, ptr
; CHECK: getelementptr inbounds i8, ptr %frame, i64 64
; CHECK: [[F:%.*]] = load <32 x float>, ptr {{%.*}}, align 32
; CHECK: getelementptr inbounds i8, ptr %frame, i64 192
; CHECK: [[BYTES:%.*]] = load <32 x i8>
; CHECK: trunc <32 x i8> [[BYTES]] to <32 x i1>
; CHECK: store i32 [[U]], ptr
; CHECK: store <32 x float> [[F]], ptr {{%.*}}, align 32
; A lane's copy of 32 bytes from the next one's.
; CHECK: [[PRIVATE:%.*]] = getelementptr inbounds i8, ptr %frame, i64 256
; CHECK: store i16 5, ptr [[PRIVATE]]
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr [[PRIVATE]], i64 32
; CHECK-NEXT: store i16 5, ptr [[NEXT]]
; CHECK: getelementptr i8, ptr [[PRIVATE]], i64 992
; CHECK: ret i32 1
define internal i32 @k.region.0(ptr %launch, ptr %group) {
  %lid = call i32 @__weft_local_id_x()
  %u = call i32 @weft.slot.load.i32(i32 0), !weft.uniform !0
  %f = call float @weft.slot.load.float(i32 1)
  %b = call i1 @weft.slot.load.i1(i32 2)
  call void @weft.slot.store.i32(i32 0, i32 %u), !weft.uniform !0
  call void @weft.slot.store.float(i32 1, float %f)
  %p = call nonnull align 16 dereferenceable(32) ptr @weft.private(i32 0)
  store i16 5, ptr %p
  ret i32 1
}

; Under a mask a slot of a vector keeps the other lanes' values; a uniform slot takes a live lane's.
; CHECK-LABEL: define internal i32 @k.region.1.warp(
; CHECK: [[T:%.*]] = alloca [256 x i8], align 64
; CHECK: [[ODD:%.*]] = trunc <32 x i32> {{%.*}} to <32 x i1>
; CHECK: [[BITS:%.*]] = bitcast <32 x i1> [[ODD]] to i32
; CHECK: [[COUNT:%.*]] = call i32 @llvm.cttz.i32(i32 [[BITS]]
; CHECK: [[LANE:%.*]] = and i32 [[COUNT]], 31
; CHECK: [[VALUE:%.*]] = extractelement <32 x i32> {{%.*}}, i32 [[LANE]]
; CHECK: store i32 [[VALUE]], ptr
; CHECK: [[BEFORE:%.*]] = load <32 x float>, ptr [[SLOT:%.*]], align 32
; CHECK: [[MIXED:%.*]] = select <32 x i1> [[ODD]], <32 x float> {{%.*}}, <32 x float> [[BEFORE]]
; CHECK: store <32 x float> [[MIXED]], ptr [[SLOT]], align 32
; CHECK: [[BYTES:%.*]] = zext <32 x i1> [[ODD]] to <32 x i8>
; CHECK: select <32 x i1> [[ODD]], <32 x i8> [[BYTES]],
; CHECK: [[AT:%.*]] = getelementptr i32, ptr [[T]], i32 1
; CHECK: getelementptr i8, ptr [[AT]], i64 8
; CHECK: ret i32 -1
define internal i32 @k.region.1(ptr %launch, ptr %group) {
  %lid = call i32 @__weft_local_id_x()
  %t = alloca [2 x i32], align 4
  %odd = trunc i32 %lid to i1
  call void @weft.mask(i1 %odd)
  call void @weft.slot.store.i32(i32 0, i32 %lid), !weft.uniform !0
  %g = sitofp i32 %lid to float
  call void @weft.slot.store.float(i32 1, float %g)
  call void @weft.slot.store.i1(i32 2, i1 %odd)
  %at = getelementptr i32, ptr %t, i32 1
  store i16 9, ptr %at
  ret i32 -1
}

!0 = !{}
