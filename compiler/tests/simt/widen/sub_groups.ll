; A sub-group's primitives over the lanes of a warp: what is uniform becomes a scalar, lanes known at compile time one shuffle, and
; only lanes of the mask take part.
; RUN: weftc --passes=widen --verify-each --local-size=32,1,1 %s -o %t.ll
; RUN: FileCheck %s < %t.ll

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare i32 @__weft_sub_group_lane() memory(none)
declare i32 @__weft_sub_group_ballot(i1) convergent memory(none)
declare i32 @__weft_sub_group_reduce_add_i32(i32) convergent memory(none)
declare i32 @__weft_sub_group_exclusive_add_i32(i32) convergent memory(none)
declare i32 @__weft_sub_group_shuffle_i32(i32, i32) convergent memory(none)
declare i32 @__weft_sub_group_first_i32(i32) convergent memory(none)
declare i32 @__weft_warp_segment_inclusive_add_i32(i32, i32) convergent memory(none)
declare void @weft.mask(i1)

; All lanes: halves are added five times, one scalar is stored to one address.
; CHECK-LABEL: define internal i32 @reduce.region.0.warp(
; CHECK: add <16 x i32>
; CHECK: add <8 x i32>
; CHECK: add <4 x i32>
; CHECK: add <2 x i32>
; CHECK: [[SUM:%.*]] = extractelement <1 x i32>
; CHECK: store i32 [[SUM]], ptr
; CHECK: ret i32 -1
define internal i32 @reduce.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %sum = call i32 @__weft_sub_group_reduce_add_i32(i32 %x)
  store volatile i32 %sum, ptr addrspace(1) %a, !weft.nonvolatile !0
  ret i32 -1
}

; lane ^ 1 is known: no memory, no permutation by a register.
; CHECK-LABEL: define internal i32 @exchange.region.0.warp(
; CHECK: shufflevector <32 x i32> {{%.*}}, <32 x i32> {{.*}}, <32 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK-NOT: vpermi2var
; CHECK: ret i32 -1
define internal i32 @exchange.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %lane = call i32 @__weft_sub_group_lane()
  %other = xor i32 %lane, 1
  %y = call i32 @__weft_sub_group_shuffle_i32(i32 %x, i32 %other)
  store volatile i32 %y, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; Under a mask: lanes that are off vote 0, add 0, and are not the first.
; CHECK-LABEL: define internal i32 @masked.region.0.warp(
; CHECK: [[ODD:%.*]] = trunc <32 x i32> {{%.*}} to <32 x i1>
; CHECK: select <32 x i1> [[ODD]], <32 x i32> {{%.*}}, <32 x i32> zeroinitializer
; CHECK: shufflevector <32 x i32> {{%.*}}, <32 x i32> zeroinitializer, <32 x i32> <i32 32, i32 0, i32 1,
; CHECK: [[VOTES:%.*]] = select <32 x i1> [[ODD]], <32 x i1> {{%.*}}, <32 x i1> zeroinitializer
; CHECK: bitcast <32 x i1> [[VOTES]] to i32
; CHECK: call i32 @llvm.cttz.i32(
; CHECK: ret i32 -1
define internal i32 @masked.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %odd = trunc i32 %x to i1
  br label %body

body:
  call void @weft.mask(i1 %odd)
  %before = call i32 @__weft_sub_group_exclusive_add_i32(i32 %x)
  %large = icmp sgt i32 %x, 9
  %votes = call i32 @__weft_sub_group_ballot(i1 %large)
  %first = call i32 @__weft_sub_group_first_i32(i32 %x)
  %u = add i32 %votes, %first
  %v = add i32 %u, %before
  store volatile i32 %v, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; A scan of each half of a warp: nothing comes from the lanes of the other, and four steps do.
; CHECK-LABEL: define internal i32 @halves.region.0.warp(
; CHECK: shufflevector <32 x i32> {{%.*}}, <32 x i32> zeroinitializer, <32 x i32> <i32 32, i32 0, {{.*}}, i32 14, i32 32, i32 16, i32 17,
; CHECK: shufflevector <32 x i32> {{%.*}}, <32 x i32> zeroinitializer, <32 x i32> <i32 32, i32 32, i32 0,
; CHECK-COUNT-2: shufflevector <32 x i32>
; CHECK-NOT: shufflevector <32 x i32>
; CHECK: ret i32 -1
define internal i32 @halves.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %sum = call i32 @__weft_warp_segment_inclusive_add_i32(i32 %x, i32 16)
  store volatile i32 %sum, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
