; One update of the memory does for all lanes that meet at one address; local memory needs no atomic instruction.
; RUN: weftc --cpu=sapphirerapids --passes=widen --verify-each --local-size=64,1,1 %s -o %t.ll
; RUN: FileCheck %s < %t.ll

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @weft.mask(i1)

; A counter: every lane gets its own number.
; CHECK-LABEL: define internal i32 @count.region.0.warp(
; CHECK: [[OLD:%.*]] = atomicrmw add ptr {{%.*}}, i32 96 monotonic
; CHECK: insertelement <32 x i32> poison, i32 [[OLD]]
; CHECK: add <32 x i32> {{%.*}}, <i32 0, i32 3, i32 6,
; CHECK: ret i32 -1
define internal i32 @count.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %old = atomicrmw volatile add ptr addrspace(1) %a, i32 3 monotonic, !weft.nonvolatile !0
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store volatile i32 %old, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; Under a mask the live lanes count, and none are no update.
; CHECK-LABEL: define internal i32 @masked.region.0.warp(
; CHECK: [[ODD:%.*]] = trunc <32 x i32> {{%.*}} to <32 x i1>
; CHECK: call <32 x i32> @llvm.ctpop.v32i32(
; CHECK: [[LIVE:%.*]] = bitcast <32 x i1> [[ODD]] to i32
; CHECK-NEXT: [[COUNT:%.*]] = call i32 @llvm.ctpop.i32(i32 [[LIVE]])
; CHECK-NEXT: [[TOTAL:%.*]] = mul i32 1, [[COUNT]]
; CHECK: icmp ne i32 {{%.*}}, 0
; CHECK-NEXT: br i1 {{%.*}}, label %once, label %updated
; CHECK: once:
; CHECK: atomicrmw add ptr {{%.*}}, i32 [[TOTAL]] monotonic
; CHECK: updated:
; CHECK: ret i32 -1
define internal i32 @masked.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  call void @weft.mask(i1 %odd)
  %old = atomicrmw volatile add ptr addrspace(1) %a, i32 1 monotonic, !weft.nonvolatile !0
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store volatile i32 %old, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; Values of their own are combined first.
; CHECK-LABEL: define internal i32 @largest.region.0.warp(
; CHECK: [[MOST:%.*]] = call i32 @llvm.vector.reduce.umax.v32i32(
; CHECK: atomicrmw umax ptr {{%.*}}, i32 [[MOST]] monotonic
; CHECK: ret i32 -1
define internal i32 @largest.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %old = atomicrmw volatile umax ptr addrspace(1) %a, i32 %lid monotonic, !weft.nonvolatile !0
  ret i32 -1
}

; A group's local memory is one thread's. The lanes take their turns eight at a time, from words of the numbers of their bins.
; CHECK-LABEL: define internal i32 @local.region.0.warp(
; CHECK-NOT: atomicrmw
; Registers of 256 bits, of eight numbers each, are turned on.
; CHECK: [[BINS:%.*]] = bitcast <32 x i32> {{%.*}} to <16 x i64>
; CHECK: [[FIRSTS:%.*]] = shufflevector <16 x i64> [[BINS]], <16 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: [[LASTS:%.*]] = shufflevector <16 x i64> [[BINS]], <16 x i64> poison, <4 x i32> <i32 12, i32 13, i32 14, i32 15>
; CHECK: rolled:
; CHECK: [[WORDS:%carried]] = phi <4 x i64> [ [[FIRSTS]], {{%.*}} ], [ [[NEXT:%.*]], %rolled ]
; CHECK: [[SECOND:%carried.*]] = phi <4 x i64>
; CHECK: [[LAST:%carried.*]] = phi <4 x i64> [ [[LASTS]], {{%.*}} ], [ [[BEHIND:%.*]], %rolled ]
; CHECK: [[WORD:%.*]] = extractelement <4 x i64> [[WORDS]], i64 0
; CHECK: [[FIRST:%.*]] = lshr i64 [[WORD]], 0
; CHECK: [[BIN:%.*]] = trunc i64 [[FIRST]] to i32
; CHECK: [[LONG:%.*]] = zext i32 [[BIN]] to i64
; CHECK: [[AT:%.*]] = getelementptr i32, ptr {{%.*}}, i64 [[LONG]]
; CHECK: [[OLD:%.*]] = load i32, ptr [[AT]], align 4
; CHECK: [[NEW:%.*]] = add i32 [[OLD]], 1
; CHECK: store i32 [[NEW]], ptr [[AT]], align 4
; CHECK-COUNT-7: add i32 {{%.*}}, 1
; CHECK-NOT: add i32
; CHECK: [[NEXT]] = shufflevector <4 x i64> [[WORDS]], <4 x i64> [[SECOND]], <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK: [[BEHIND]] = shufflevector <4 x i64> [[LAST]], <4 x i64> [[WORDS]], <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK: add nuw nsw i64 %lane, 8
; CHECK: ret i32 -1
define internal i32 @local.region.0(ptr %launch, ptr %group) {
  %t = load ptr addrspace(3), ptr %group, !invariant.load !0
  %b = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %bin = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i32 %bin to i64
  %q = getelementptr i32, ptr addrspace(3) %t, i64 %j
  %old = atomicrmw volatile add ptr addrspace(3) %q, i32 1 monotonic, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
