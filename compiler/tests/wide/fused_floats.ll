; Products of floats with a sum, rounded once, where the processor has no such instruction: in double, rounded to odd.
; RUN: weftc --cpu=nehalem --passes=fused-floats --verify-each %s | FileCheck %s
; RUN: weftc --cpu=haswell --passes=fused-floats %s | FileCheck %s --check-prefix=NATIVE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define <32 x float> @wide(
; CHECK: [[P:%.*]] = fmul <32 x double>
; CHECK: [[S:%.*]] = fadd <32 x double> [[P]], [[C:%.*]]
; CHECK: [[PART:%.*]] = fsub <32 x double> [[S]], [[P]]
; CHECK: [[OTHER:%.*]] = fsub <32 x double> [[S]], [[PART]]
; CHECK: [[LOST:%.*]] = fsub <32 x double> [[P]], [[OTHER]]
; CHECK: [[MISSING:%.*]] = fsub <32 x double> [[C]], [[PART]]
; CHECK: [[E:%.*]] = fadd <32 x double> [[LOST]], [[MISSING]]
; CHECK: [[SIDES:%.*]] = fmul <32 x double> [[E]], [[S]]
; CHECK: fcmp olt <32 x double> [[SIDES]], zeroinitializer
; CHECK: fcmp ogt <32 x double> [[SIDES]], zeroinitializer
; CHECK: %y = fptrunc <32 x double> {{%.*}} to <32 x float>
; NATIVE-LABEL: define <32 x float> @wide(
; NATIVE-NEXT: call <32 x float> @llvm.fma.v32f32(
define <32 x float> @wide(<32 x float> %a, <32 x float> %b, <32 x float> %c) {
  %y = call <32 x float> @llvm.fma.v32f32(<32 x float> %a, <32 x float> %b, <32 x float> %c)
  ret <32 x float> %y
}

; One lane's, too; what may be rounded twice stays, as do doubles.
; CHECK-LABEL: define float @one(
; CHECK-NOT: @llvm.fma.f32
; CHECK: fptrunc double {{%.*}} to float
; CHECK: call float @llvm.fmuladd.f32(
; CHECK: call double @llvm.fma.f64(
define float @one(float %a, float %b, float %c, double %d) {
  %x = call float @llvm.fma.f32(float %a, float %b, float %c)
  %y = call float @llvm.fmuladd.f32(float %x, float %b, float %c)
  %z = call double @llvm.fma.f64(double %d, double %d, double %d)
  %w = fptrunc double %z to float
  %sum = fadd float %y, %w
  ret float %sum
}

declare <32 x float> @llvm.fma.v32f32(<32 x float>, <32 x float>, <32 x float>)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fmuladd.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
