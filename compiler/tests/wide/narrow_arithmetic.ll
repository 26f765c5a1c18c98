; Arithmetic on bytes in int or float whose results 16 bits hold, in 16 bits.
; RUN: weftc --cpu=icelake-server --passes=narrow-arithmetic --verify-each %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A sum of neighbours, compared: 3 * 255 is less than 2^16.
; CHECK-LABEL: define <32 x i1> @compared(
; CHECK: [[A:%.*]] = zext <32 x i8> %a to <32 x i16>
; CHECK: [[B:%.*]] = zext <32 x i8> %b to <32 x i16>
; CHECK: [[AB:%.*]] = add <32 x i16> [[A]], [[B]]
; CHECK: [[SUM:%.*]] = add <32 x i16> [[AB]]
; CHECK: [[IS:%.*]] = icmp eq <32 x i16> [[SUM]], {{.*}}i16 3
; CHECK-NEXT: ret <32 x i1> [[IS]]
define <32 x i1> @compared(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c) {
  %x = zext <32 x i8> %a to <32 x i32>
  %y = zext <32 x i8> %b to <32 x i32>
  %z = zext <32 x i8> %c to <32 x i32>
  %xy = add nuw nsw <32 x i32> %x, %y
  %sum = add nuw nsw <32 x i32> %xy, %z
  %is = icmp eq <32 x i32> %sum, splat (i32 3)
  ret <32 x i1> %is
}

; Floats are exact as long as they are such integers. What is not, as a quarter, begins with the sum.
; CHECK-LABEL: define <32 x float> @gradient(
; CHECK: zext <32 x i8> %a to <32 x i16>
; CHECK: [[TWICE:%.*]] = mul <32 x i16> {{.*}}, {{.*}}i16 2
; CHECK: [[ADD:%.*]] = add <32 x i16> [[TWICE]]
; CHECK: [[SUB:%.*]] = sub <32 x i16> [[ADD]]
; CHECK-NEXT: [[WORDS:%.*]] = sext <32 x i16> [[SUB]] to <32 x i32>
; CHECK-NEXT: [[FLOATS:%.*]] = sitofp <32 x i32> [[WORDS]] to <32 x float>
; CHECK-NEXT: fmul <32 x float> [[FLOATS]]
; CHECK-NOT: uitofp
; CHECK: ret
define <32 x float> @gradient(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c) {
  %x = uitofp <32 x i8> %a to <32 x float>
  %y = uitofp <32 x i8> %b to <32 x float>
  %z = uitofp <32 x i8> %c to <32 x float>
  %xy = call <32 x float> @llvm.fmuladd.v32f32(<32 x float> %x, <32 x float> splat (float 2.0), <32 x float> %y)
  %d = fsub <32 x float> %xy, %z
  %q = fmul <32 x float> %d, splat (float 0.25)
  ret <32 x float> %q
}

; A mean that is cut to a byte, and differences within bounds.
; CHECK-LABEL: define <32 x i8> @mean(
; CHECK: lshr <32 x i16>
; CHECK: [[CUT:%.*]] = trunc <32 x i16> {{.*}} to <32 x i8>
; CHECK-NEXT: ret <32 x i8> [[CUT]]
define <32 x i8> @mean(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c, <32 x i8> %d) {
  %x = zext <32 x i8> %a to <32 x i32>
  %y = zext <32 x i8> %b to <32 x i32>
  %z = zext <32 x i8> %c to <32 x i32>
  %u = zext <32 x i8> %d to <32 x i32>
  %xy = add nuw nsw <32 x i32> %x, %y
  %zu = add nuw nsw <32 x i32> %z, %u
  %sum = add nuw nsw <32 x i32> %xy, %zu
  %mean = lshr <32 x i32> %sum, splat (i32 2)
  %r = trunc nuw <32 x i32> %mean to <32 x i8>
  ret <32 x i8> %r
}

; CHECK-LABEL: define <32 x i8> @sharp(
; CHECK: [[LOW:%.*]] = call <32 x i16> @llvm.smax.v32i16(
; CHECK: [[BOTH:%.*]] = call <32 x i16> @llvm.smin.v32i16(<32 x i16> [[LOW]]
; CHECK: trunc <32 x i16> [[BOTH]] to <32 x i8>
define <32 x i8> @sharp(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c) {
  %x = zext <32 x i8> %a to <32 x i32>
  %y = zext <32 x i8> %b to <32 x i32>
  %z = zext <32 x i8> %c to <32 x i32>
  %twice = shl nuw nsw <32 x i32> %x, splat (i32 1)
  %yz = add nuw nsw <32 x i32> %y, %z
  %d = sub nsw <32 x i32> %twice, %yz
  %low = call <32 x i32> @llvm.smax.v32i32(<32 x i32> %d, <32 x i32> zeroinitializer)
  %both = call <32 x i32> @llvm.smin.v32i32(<32 x i32> %low, <32 x i32> splat (i32 255))
  %r = trunc <32 x i32> %both to <32 x i8>
  ret <32 x i8> %r
}

; What may need more bits, or has the zero that -1.0 * 0.0 is, or is too little to pay for its conversions, stays.
; CHECK-LABEL: define <32 x i32> @products(
; CHECK-NOT: i16
; CHECK: ret
define <32 x i32> @products(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c) {
  %x = zext <32 x i8> %a to <32 x i32>
  %y = zext <32 x i8> %b to <32 x i32>
  %z = zext <32 x i8> %c to <32 x i32>
  %xy = mul nuw nsw <32 x i32> %x, %y
  %xyz = mul nuw nsw <32 x i32> %xy, %z
  ret <32 x i32> %xyz
}

; CHECK-LABEL: define <32 x float> @negated(
; CHECK: fmul <32 x float>
; CHECK: ret
define <32 x float> @negated(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c) {
  %x = uitofp <32 x i8> %a to <32 x float>
  %y = uitofp <32 x i8> %b to <32 x float>
  %z = uitofp <32 x i8> %c to <32 x float>
  %xy = fadd <32 x float> %x, %y
  %xyz = fadd <32 x float> %xy, %z
  %n = fmul <32 x float> %xyz, splat (float -1.0)
  ret <32 x float> %n
}

; CHECK-LABEL: define <32 x i32> @once(
; CHECK-NOT: i16
; CHECK: ret
define <32 x i32> @once(<32 x i8> %a, <32 x i8> %b) {
  %x = zext <32 x i8> %a to <32 x i32>
  %y = zext <32 x i8> %b to <32 x i32>
  %xy = add nuw nsw <32 x i32> %x, %y
  ret <32 x i32> %xy
}

declare <32 x float> @llvm.fmuladd.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare <32 x i32> @llvm.smax.v32i32(<32 x i32>, <32 x i32>)
declare <32 x i32> @llvm.smin.v32i32(<32 x i32>, <32 x i32>)
