; Arithmetic of half where the processor has none: in float, each operation rounded.
; RUN: weftc --cpu=haswell --passes=half-floats %s | FileCheck %s
; RUN: weftc --cpu=sapphirerapids --passes=half-floats %s | FileCheck %s --check-prefix=NATIVE
; RUN: weftc --cpu=nehalem --passes=half-floats %s | FileCheck %s --check-prefix=PLAIN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A value is extended once in a block; what is computed is used rounded.
; CHECK-LABEL: define <8 x half> @sums(
; CHECK: [[A:%.*]] = fpext <8 x half> %a to <8 x float>
; CHECK: [[B:%.*]] = fpext <8 x half> %b to <8 x float>
; CHECK: [[S:%.*]] = fadd <8 x float> [[A]], [[B]]
; CHECK: %s = fptrunc <8 x float> [[S]] to <8 x half>
; CHECK: [[R:%.*]] = fpext <8 x half> %s to <8 x float>
; CHECK: [[P:%.*]] = fmul <8 x float> [[R]], [[A]]
; CHECK: %p = fptrunc <8 x float> [[P]] to <8 x half>
; CHECK: ret <8 x half> %p
; NATIVE-LABEL: define <8 x half> @sums(
; NATIVE-NEXT: fadd <8 x half>
; NATIVE-NEXT: fmul <8 x half>
; No conversions at all: bits.
; PLAIN-LABEL: define <8 x half> @sums(
; PLAIN-NOT: fpext
; PLAIN-NOT: fptrunc
; PLAIN: define <8 x half> @fused(
define <8 x half> @sums(<8 x half> %a, <8 x half> %b) {
  %s = fadd <8 x half> %a, %b
  %p = fmul <8 x half> %s, %a
  ret <8 x half> %p
}

; The sum's rounding error is known, and the last bit set where it is not zero.
; CHECK-LABEL: define <8 x half> @fused(
; CHECK: [[P:%.*]] = fmul <8 x float>
; CHECK: [[S:%.*]] = fadd <8 x float> [[P]], [[C:%.*]]
; CHECK: [[PART:%.*]] = fsub <8 x float> [[S]], [[P]]
; CHECK: [[INEXACT:%.*]] = fcmp one <8 x float> {{%.*}}, zeroinitializer
; CHECK: [[ODD:%.*]] = or <8 x i32> {{%.*}}, {{.*}}i32 1
; CHECK: select <8 x i1> [[INEXACT]], <8 x i32> [[ODD]]
; CHECK: fptrunc <8 x float> {{%.*}} to <8 x half>
; NATIVE-LABEL: define <8 x half> @fused(
; NATIVE-NEXT: call <8 x half> @llvm.fma
define <8 x half> @fused(<8 x half> %a, <8 x half> %b, <8 x half> %c) {
  %r = call <8 x half> @llvm.fma.v8f16(<8 x half> %a, <8 x half> %b, <8 x half> %c)
  ret <8 x half> %r
}

; A double is rounded to odd first; signs are bits; comparisons and integers go by float.
; CHECK-LABEL: define half @others(
; CHECK: [[NEAR:%.*]] = fptrunc double %d to float
; CHECK: fpext float [[NEAR]] to double
; CHECK: or i32 {{%.*}}, 1
; CHECK: xor i16 {{%.*}}, -32768
; CHECK: [[I:%.*]] = sitofp i64 %i to float
; CHECK: fptrunc float [[I]] to half
; CHECK: fcmp olt float
; CHECK: call float @llvm.sqrt.f32(
define half @others(double %d, i64 %i) {
  %h = fptrunc double %d to half
  %n = fneg half %h
  %j = sitofp i64 %i to half
  %less = fcmp olt half %n, %j
  %q = select i1 %less, half %n, half %j
  %r = call half @llvm.sqrt.f16(half %q)
  ret half %r
}

declare <8 x half> @llvm.fma.v8f16(<8 x half>, <8 x half>, <8 x half>)
declare half @llvm.sqrt.f16(half)
