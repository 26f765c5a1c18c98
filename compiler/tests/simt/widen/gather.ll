; Loads and stores of a warp at addresses anywhere.
; RUN: weftc --cpu=icelake-server --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s --check-prefixes=CHECK,WIDE
; RUN: weftc --cpu=znver3 --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s --check-prefixes=CHECK,NARROW

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; 32 bits: the processor's gather and scatter, where it has good ones.
; CHECK-LABEL: define internal i32 @words.region.0.warp(
; WIDE: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> {{%.*}}, i32 4,
; WIDE: call void @llvm.masked.scatter.v32i32.v32p0(
; NARROW-COUNT-32: load i32, ptr
; NARROW-COUNT-32: store i32 {{%.*}}, ptr
; CHECK: ret i32 -1
define internal i32 @words.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i32 %x to i64
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %j
  %y = load volatile i32, ptr addrspace(1) %q, align 4, !weft.nonvolatile !0
  store volatile i32 %y, ptr addrspace(1) %q, align 4, !weft.nonvolatile !0
  ret i32 -1
}

; 16 bits: out of the aligned word around each, by an index of 32 bits: half of it, and one more if the array begins in the middle of a word.
; CHECK-LABEL: define internal i32 @halves.region.0.warp(
; WIDE: [[BEGIN:%.*]] = and i64 {{%.*}}, 3
; WIDE: [[HALF:%.*]] = ashr <32 x i32> {{%.*}}, <i32 1
; WIDE: [[NUMBER:%.*]] = add <32 x i32> [[HALF]]
; WIDE: [[INDEX:%.*]] = sext <32 x i32> [[NUMBER]] to <32 x i64>
; WIDE: [[POINTER:%.*]] = getelementptr i32, ptr {{%.*}}, <32 x i64> [[INDEX]]
; WIDE: [[WORDS:%.*]] = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> [[POINTER]], i32 4,
; WIDE: [[SHIFTED:%.*]] = lshr <32 x i32> [[WORDS]]
; WIDE: trunc <32 x i32> [[SHIFTED]] to <32 x i16>
; NARROW-COUNT-32: load i16, ptr
; A store must not touch its neighbours.
; CHECK-COUNT-32: store i16 {{%.*}}, ptr
; CHECK: ret i32 -1
define internal i32 @halves.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext nneg i32 %x to i64
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %j
  %y = load volatile i16, ptr addrspace(1) %q, align 2, !weft.nonvolatile !0
  store volatile i16 %y, ptr addrspace(1) %q, align 2, !weft.nonvolatile !0
  ret i32 -1
}

; Half of an unsigned index and one more may be no positive number.
; CHECK-LABEL: define internal i32 @unsigned.region.0.warp(
; WIDE: ptrtoint <32 x ptr> {{%.*}} to <32 x i64>
; CHECK: ret i32 -1
define internal i32 @unsigned.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i32 %x to i64
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %j
  %y = load volatile i16, ptr addrspace(1) %q, align 2, !weft.nonvolatile !0
  store volatile i16 %y, ptr addrspace(1) %q, align 2, !weft.nonvolatile !0
  ret i32 -1
}

; An index of 64 bits, or another distance: by addresses.
; CHECK-LABEL: define internal i32 @far.region.0.warp(
; WIDE: [[AT:%.*]] = ptrtoint <32 x ptr> {{%.*}} to <32 x i64>
; WIDE: [[WORD:%.*]] = and <32 x i64> [[AT]], <i64 -4
; WIDE: [[POINTER:%.*]] = inttoptr <32 x i64> [[WORD]] to <32 x ptr>
; WIDE: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> [[POINTER]], i32 4,
; CHECK: ret i32 -1
define internal i32 @far.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load volatile i64, ptr addrspace(1) %p, !weft.nonvolatile !0
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %x
  %y = load volatile i8, ptr addrspace(1) %q, align 1, !weft.nonvolatile !0
  store volatile i8 %y, ptr addrspace(1) %q, align 1, !weft.nonvolatile !0
  ret i32 -1
}

; Where they may lie across two words: a load a lane.
; CHECK-LABEL: define internal i32 @unaligned.region.0.warp(
; CHECK-COUNT-32: load i16, ptr {{%.*}}, align 1
; CHECK: ret i32 -1
define internal i32 @unaligned.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i32 %x to i64
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %j
  %y = load volatile i16, ptr addrspace(1) %q, align 1, !weft.nonvolatile !0
  store volatile i16 %y, ptr addrspace(1) %q, align 1, !weft.nonvolatile !0
  ret i32 -1
}

; A small OpenCL vector is a word.
; CHECK-LABEL: define internal i32 @vectors.region.0.warp(
; WIDE: [[PAIRS:%.*]] = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(
; WIDE: bitcast <32 x i64> [[PAIRS]] to <64 x float>
; WIDE: call void @llvm.masked.scatter.v32i64.v32p0(
; NARROW-COUNT-32: load <2 x float>, ptr
; NARROW-COUNT-32: store <2 x float> {{%.*}}, ptr
; CHECK: ret i32 -1
define internal i32 @vectors.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i32 %x to i64
  %q = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %j
  %y = load volatile <2 x float>, ptr addrspace(1) %q, align 8, !weft.nonvolatile !0
  store volatile <2 x float> %y, ptr addrspace(1) %q, align 8, !weft.nonvolatile !0
  ret i32 -1
}

; More than a few that would have to go lane by lane: gathers where the processor has any, else loops, each lane's pointer
; out of memory.
; CHECK-LABEL: define internal i32 @many.region.0.warp(
; CHECK: call <32 x i32> @llvm.masked.gather
; NARROW: store <32 x i32> {{%.*}}, ptr %packed
; NARROW: store <32 x ptr> {{%.*}}, ptr %pointers
; NARROW: br label %[[LOOP:.*]]
; NARROW: [[LOOP]]:
; NARROW: %[[LANE:.*]] = phi i64
; NARROW: [[ADDRESS:%.*]] = getelementptr inbounds ptr, ptr %pointers, i64
; NARROW: [[TO:%.*]] = load ptr, ptr [[ADDRESS]]
; NARROW: [[VALUE:%.*]] = load i32, ptr
; NARROW: store i32 [[VALUE]], ptr [[TO]], align 4
; NARROW: br i1 {{%.*}}, label %{{.*}}, label %[[LOOP]], !llvm.loop
; CHECK: ret i32 -1
define internal i32 @many.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x0 = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %q0 = getelementptr i32, ptr addrspace(1) %a, i32 %x0
  %x1 = load volatile i32, ptr addrspace(1) %q0, !weft.nonvolatile !0
  store volatile i32 %x0, ptr addrspace(1) %q0, !weft.nonvolatile !0
  %q1 = getelementptr i32, ptr addrspace(1) %a, i32 %x1
  %x2 = load volatile i32, ptr addrspace(1) %q1, !weft.nonvolatile !0
  store volatile i32 %x1, ptr addrspace(1) %q1, !weft.nonvolatile !0
  %q2 = getelementptr i32, ptr addrspace(1) %a, i32 %x2
  %x3 = load volatile i32, ptr addrspace(1) %q2, !weft.nonvolatile !0
  store volatile i32 %x2, ptr addrspace(1) %q2, !weft.nonvolatile !0
  %q3 = getelementptr i32, ptr addrspace(1) %a, i32 %x3
  %x4 = load volatile i32, ptr addrspace(1) %q3, !weft.nonvolatile !0
  store volatile i32 %x3, ptr addrspace(1) %q3, !weft.nonvolatile !0
  %q4 = getelementptr i32, ptr addrspace(1) %a, i32 %x4
  %x5 = load volatile i32, ptr addrspace(1) %q4, !weft.nonvolatile !0
  store volatile i32 %x4, ptr addrspace(1) %q4, !weft.nonvolatile !0
  %q5 = getelementptr i32, ptr addrspace(1) %a, i32 %x5
  %x6 = load volatile i32, ptr addrspace(1) %q5, !weft.nonvolatile !0
  store volatile i32 %x5, ptr addrspace(1) %q5, !weft.nonvolatile !0
  %q6 = getelementptr i32, ptr addrspace(1) %a, i32 %x6
  %x7 = load volatile i32, ptr addrspace(1) %q6, !weft.nonvolatile !0
  store volatile i32 %x6, ptr addrspace(1) %q6, !weft.nonvolatile !0
  %q7 = getelementptr i32, ptr addrspace(1) %a, i32 %x7
  %x8 = load volatile i32, ptr addrspace(1) %q7, !weft.nonvolatile !0
  store volatile i32 %x7, ptr addrspace(1) %q7, !weft.nonvolatile !0
  %q8 = getelementptr i32, ptr addrspace(1) %a, i32 %x8
  %x9 = load volatile i32, ptr addrspace(1) %q8, !weft.nonvolatile !0
  store volatile i32 %x8, ptr addrspace(1) %q8, !weft.nonvolatile !0
  %q9 = getelementptr i32, ptr addrspace(1) %a, i32 %x9
  %x10 = load volatile i32, ptr addrspace(1) %q9, !weft.nonvolatile !0
  store volatile i32 %x9, ptr addrspace(1) %q9, !weft.nonvolatile !0
  %q10 = getelementptr i32, ptr addrspace(1) %a, i32 %x10
  %x11 = load volatile i32, ptr addrspace(1) %q10, !weft.nonvolatile !0
  store volatile i32 %x10, ptr addrspace(1) %q10, !weft.nonvolatile !0
  %q11 = getelementptr i32, ptr addrspace(1) %a, i32 %x11
  %x12 = load volatile i32, ptr addrspace(1) %q11, !weft.nonvolatile !0
  store volatile i32 %x11, ptr addrspace(1) %q11, !weft.nonvolatile !0
  %q12 = getelementptr i32, ptr addrspace(1) %a, i32 %x12
  %x13 = load volatile i32, ptr addrspace(1) %q12, !weft.nonvolatile !0
  store volatile i32 %x12, ptr addrspace(1) %q12, !weft.nonvolatile !0
  %q13 = getelementptr i32, ptr addrspace(1) %a, i32 %x13
  %x14 = load volatile i32, ptr addrspace(1) %q13, !weft.nonvolatile !0
  store volatile i32 %x13, ptr addrspace(1) %q13, !weft.nonvolatile !0
  %q14 = getelementptr i32, ptr addrspace(1) %a, i32 %x14
  %x15 = load volatile i32, ptr addrspace(1) %q14, !weft.nonvolatile !0
  store volatile i32 %x14, ptr addrspace(1) %q14, !weft.nonvolatile !0
  %q15 = getelementptr i32, ptr addrspace(1) %a, i32 %x15
  %x16 = load volatile i32, ptr addrspace(1) %q15, !weft.nonvolatile !0
  store volatile i32 %x15, ptr addrspace(1) %q15, !weft.nonvolatile !0
  %q16 = getelementptr i32, ptr addrspace(1) %a, i32 %x16
  %x17 = load volatile i32, ptr addrspace(1) %q16, !weft.nonvolatile !0
  store volatile i32 %x16, ptr addrspace(1) %q16, !weft.nonvolatile !0
  %q17 = getelementptr i32, ptr addrspace(1) %a, i32 %x17
  %x18 = load volatile i32, ptr addrspace(1) %q17, !weft.nonvolatile !0
  store volatile i32 %x17, ptr addrspace(1) %q17, !weft.nonvolatile !0
  %q18 = getelementptr i32, ptr addrspace(1) %a, i32 %x18
  %x19 = load volatile i32, ptr addrspace(1) %q18, !weft.nonvolatile !0
  store volatile i32 %x18, ptr addrspace(1) %q18, !weft.nonvolatile !0
  %q19 = getelementptr i32, ptr addrspace(1) %a, i32 %x19
  %x20 = load volatile i32, ptr addrspace(1) %q19, !weft.nonvolatile !0
  store volatile i32 %x19, ptr addrspace(1) %q19, !weft.nonvolatile !0
  %q20 = getelementptr i32, ptr addrspace(1) %a, i32 %x20
  %x21 = load volatile i32, ptr addrspace(1) %q20, !weft.nonvolatile !0
  store volatile i32 %x20, ptr addrspace(1) %q20, !weft.nonvolatile !0
  %q21 = getelementptr i32, ptr addrspace(1) %a, i32 %x21
  %x22 = load volatile i32, ptr addrspace(1) %q21, !weft.nonvolatile !0
  store volatile i32 %x21, ptr addrspace(1) %q21, !weft.nonvolatile !0
  %q22 = getelementptr i32, ptr addrspace(1) %a, i32 %x22
  %x23 = load volatile i32, ptr addrspace(1) %q22, !weft.nonvolatile !0
  store volatile i32 %x22, ptr addrspace(1) %q22, !weft.nonvolatile !0
  %q23 = getelementptr i32, ptr addrspace(1) %a, i32 %x23
  %x24 = load volatile i32, ptr addrspace(1) %q23, !weft.nonvolatile !0
  store volatile i32 %x23, ptr addrspace(1) %q23, !weft.nonvolatile !0
  %q24 = getelementptr i32, ptr addrspace(1) %a, i32 %x24
  %x25 = load volatile i32, ptr addrspace(1) %q24, !weft.nonvolatile !0
  store volatile i32 %x24, ptr addrspace(1) %q24, !weft.nonvolatile !0
  %q25 = getelementptr i32, ptr addrspace(1) %a, i32 %x25
  %x26 = load volatile i32, ptr addrspace(1) %q25, !weft.nonvolatile !0
  store volatile i32 %x25, ptr addrspace(1) %q25, !weft.nonvolatile !0
  store volatile i32 %x26, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; Three components side by side: with a gap behind each lane's until all are together, and not through memory.
; CHECK-LABEL: define internal i32 @threes.region.0.warp(
; CHECK-NOT: alloca
; CHECK-COUNT-32: load <3 x i32>, ptr {{%.*}}, align 4
; CHECK-COUNT-32: shufflevector <3 x i32> {{%.*}}, <3 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
; CHECK: shufflevector <128 x i32> {{%.*}}, <128 x i32> poison, <96 x i32> <i32 0, i32 1, i32 2, i32 4, i32 5, i32 6, i32 8,
; CHECK: ret i32 -1
define internal i32 @threes.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i32 %x to i64
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %j
  %y = load volatile <3 x i32>, ptr addrspace(1) %q, align 4, !weft.nonvolatile !0
  %z = add <3 x i32> %y, %y
  %first = extractelement <3 x i32> %z, i32 0
  store volatile i32 %first, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
