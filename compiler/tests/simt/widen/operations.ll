; Instructions that work on each lane by itself.
; RUN: weftc --cpu=haswell --passes=widen --verify-each --local-size=64,1,1 --ids-fit-31-bits %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare i32 @__weft_local_id_y() memory(none)
declare i64 @__weft_global_id_x() memory(none)
declare i1 @weft.any(i1)
declare i1 @weft.all(i1)
declare float @llvm.fma.f32(float, float, float)
declare {i32, i1} @llvm.uadd.with.overflow.i32(i32, i32)

; A division never traps: a lane that divides by 0, or the least number by -1, divides by 1. Vectors of 32 bits divide
; in floating point, wider ones as they are.
; CHECK-LABEL: define internal i32 @divide.region.0.warp(
; CHECK: [[A:%.*]] = load <32 x i32>
; CHECK: [[ZERO:%.*]] = icmp eq <32 x i32> [[B:%.*]], zeroinitializer
; CHECK: [[MINUS:%.*]] = icmp eq <32 x i32> [[B]], <i32 -1,
; CHECK: [[LEAST:%.*]] = icmp eq <32 x i32> [[A]], <i32 -2147483648,
; CHECK: [[OVERFLOW:%.*]] = and <32 x i1> [[LEAST]], [[MINUS]]
; CHECK: [[BAD:%.*]] = or <32 x i1> [[ZERO]], [[OVERFLOW]]
; CHECK: [[SAFE:%.*]] = select <32 x i1> [[BAD]], <32 x i32> <i32 1,
; CHECK: fdiv <32 x double>
; CHECK: fptosi <32 x double> {{%.*}} to <32 x i32>
; CHECK-NOT: div <32 x i32>
; A remainder is what the quotient leaves.
; CHECK: fdiv <32 x double>
; CHECK: mul <32 x i32>
; CHECK: sub <32 x i32>
; By a constant: as it stands.
; CHECK: sdiv <32 x i32> [[A]], <i32 7,
; 64 bits: as integers, but on AVX-512 (long_division.cl), where an undefined divisor of a dead lane would be the end of all.
; CHECK: [[B:%.*]] = freeze <32 x i64>
; CHECK: [[ZERO:%.*]] = icmp eq <32 x i64> [[B]], zeroinitializer
; CHECK: [[SAFE:%.*]] = select <32 x i1> [[ZERO]], <32 x i64> <i64 1,
; CHECK: udiv <32 x i64> {{%.*}}, [[SAFE]]
; Uniform: the scalar, as safe.
; CHECK: [[SAFE:%.*]] = select i1 {{%.*}}, i32 1, i32
; CHECK: sdiv i32 {{100|%.*}}, [[SAFE]]
; CHECK: ret i32 -1
define internal i32 @divide.region.0(ptr %launch, ptr %group) {
  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %a = load volatile i32, ptr addrspace(1) %q, !weft.nonvolatile !0
  %quotient = sdiv i32 %a, %lid
  store volatile i32 %quotient, ptr addrspace(1) %q, !weft.nonvolatile !0
  %rest = srem i32 %a, %lid
  store volatile i32 %rest, ptr addrspace(1) %q, !weft.nonvolatile !0
  %seventh = sdiv i32 %a, 7
  store volatile i32 %seventh, ptr addrspace(1) %q, !weft.nonvolatile !0
  %b = sext i32 %a to i64
  %wide = udiv i64 %i, %b
  %r = getelementptr i64, ptr addrspace(1) %p, i64 %i
  store volatile i64 %wide, ptr addrspace(1) %r, !weft.nonvolatile !0
  %scalar = sdiv i32 100, %n
  store volatile i32 %scalar, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; An id against a bound: how many lanes are below it, compared in bytes.
; CHECK-LABEL: define internal i32 @bound.region.0.warp(
; CHECK: call i64 @llvm.umin.i64(i64 {{%.*}}, i64 32)
; CHECK: trunc i64 {{%.*}} to i8
; CHECK: icmp ult <32 x i8> <i8 0, i8 1, i8 2,
; CHECK-NOT: icmp {{.*}} <32 x i64>
; CHECK: ret i32 -1
define internal i32 @bound.region.0(ptr %launch, ptr %group) {
  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i64, ptr %launch, !invariant.load !0
  %gid = call i64 @__weft_global_id_x()
  %inside = icmp slt i64 %gid, %n
  %x = zext i1 %inside to i8
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %gid
  store volatile i8 %x, ptr addrspace(1) %q, !weft.nonvolatile !0
  ret i32 -1
}

; Votes are scalars; an intrinsic is called for the whole warp; a result of several parts is a vector a part.
; CHECK-LABEL: define internal i32 @calls.region.0.warp(
; CHECK: [[BITS:%.*]] = bitcast <32 x i1> {{%.*}} to i32
; CHECK: [[ANY:%.*]] = icmp ne i32 [[BITS]], 0
; CHECK: [[BITS:%.*]] = bitcast <32 x i1> {{%.*}} to i32
; CHECK: [[ALL:%.*]] = icmp eq i32 [[BITS]], -1
; CHECK: and i1 [[ANY]], [[ALL]]
; CHECK: call <32 x float> @llvm.fma.v32f32(
; CHECK: [[BOTH:%.*]] = call { <32 x i32>, <32 x i1> } @llvm.uadd.with.overflow.v32i32(
; CHECK-DAG: extractvalue { <32 x i32>, <32 x i1> } [[BOTH]], 0
; CHECK-DAG: extractvalue { <32 x i32>, <32 x i1> } [[BOTH]], 1
; CHECK: ret i32 -1
define internal i32 @calls.region.0(ptr %launch, ptr %group) {
  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  %any = call i1 @weft.any(i1 %odd)
  %all = call i1 @weft.all(i1 %odd)
  %both = and i1 %any, %all
  %f = uitofp i32 %lid to float
  %fma = call float @llvm.fma.f32(float %f, float %f, float 1.0)
  %square = fptoui float %fma to i32
  %sum = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %square, i32 %lid)
  %s = extractvalue {i32, i1} %sum, 0
  %over = extractvalue {i32, i1} %sum, 1
  %t = select i1 %over, i32 -1, i32 %s
  %u = select i1 %both, i32 %t, i32 %lid
  %i = zext i32 %lid to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store volatile i32 %u, ptr addrspace(1) %q, !weft.nonvolatile !0
  ret i32 -1
}

; Lanes that return different regions have met different barriers: -2.
; CHECK-LABEL: define internal i32 @next.region.0.warp(
; CHECK: [[NEXT:%.*]] = select <32 x i1>
; CHECK: [[FIRST:%.*]] = extractelement <32 x i32> [[NEXT]], i64 0
; CHECK: icmp ne <32 x i32> [[NEXT]],
; CHECK: [[RESULT:%.*]] = select i1 {{%.*}}, i32 -2, i32 [[FIRST]]
; CHECK: ret i32 [[RESULT]]
define internal i32 @next.region.0(ptr %launch, ptr %group) {
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  %next = select i1 %odd, i32 1, i32 2
  ret i32 %next
}

!0 = !{}
