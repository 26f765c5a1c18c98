; Maxima and minima of a number and anything else are one comparison that chooses.
; RUN: weftc --cpu=znver4 --passes=number-extremes %s | FileCheck %s

; CHECK-LABEL: @rows(
; CHECK: %m = phi <16 x float>
; CHECK: %[[MORE:.*]] = fcmp ogt <16 x float> %x, %m
; CHECK: %most = select <16 x i1> %[[MORE]], <16 x float> %x, <16 x float> %m
; CHECK-NOT: @llvm.maxnum
define <16 x float> @rows(ptr %in, i64 %count) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %m = phi <16 x float> [ splat (float 0xFFF0000000000000), %entry ], [ %most, %loop ]
  %place = getelementptr <16 x float>, ptr %in, i64 %k
  %x = load <16 x float>, ptr %place
  %most = call <16 x float> @llvm.maxnum.v16f32(<16 x float> %m, <16 x float> %x)
  %next = add i64 %k, 1
  %on = icmp ult i64 %next, %count
  br i1 %on, label %loop, label %done
done:
  ret <16 x float> %most
}

; What begins with anything, or may become NaN on its way, stays, and so do halves.
; CHECK-LABEL: @anything(
; CHECK: call double @llvm.minnum.f64(double %m, double %x)
define double @anything(ptr %in, i64 %count) {
entry:
  %first = load double, ptr %in
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %m = phi double [ %first, %entry ], [ %least, %loop ]
  %place = getelementptr double, ptr %in, i64 %k
  %x = load double, ptr %place
  %least = call double @llvm.minnum.f64(double %m, double %x)
  %next = add i64 %k, 1
  %on = icmp ult i64 %next, %count
  br i1 %on, label %loop, label %done
done:
  ret double %least
}

; CHECK-LABEL: @scaled(
; CHECK: call float @llvm.maxnum.f32(float %m, float %x)
define float @scaled(ptr %in, i64 %count, float %by) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %m = phi float [ 0.0, %entry ], [ %less, %loop ]
  %place = getelementptr float, ptr %in, i64 %k
  %x = load float, ptr %place
  %most = call float @llvm.maxnum.f32(float %m, float %x)
  %less = fmul float %most, %by
  %next = add i64 %k, 1
  %on = icmp ult i64 %next, %count
  br i1 %on, label %loop, label %done
done:
  ret float %less
}

; CHECK-LABEL: @halves(
; CHECK: call half @llvm.maxnum.f16
define half @halves(half %x, i32 %n) {
  %number = sitofp i32 %n to half
  %most = call half @llvm.maxnum.f16(half %number, half %x)
  ret half %most
}

; An integer is a number, and so is the lesser of it and anything.
; CHECK-LABEL: @of_integers(
; CHECK: %[[LESS:.*]] = fcmp olt float %x, %number
; CHECK: %least = select i1 %[[LESS]], float %x, float %number
; CHECK: %[[MORE:.*]] = fcmp ogt float %y, %least
; CHECK: select i1 %[[MORE]], float %y, float %least
define float @of_integers(float %x, float %y, i32 %n) {
  %number = sitofp i32 %n to float
  %least = call float @llvm.minnum.f32(float %x, float %number)
  %most = call float @llvm.maxnum.f32(float %least, float %y)
  ret float %most
}

declare <16 x float> @llvm.maxnum.v16f32(<16 x float>, <16 x float>)
declare double @llvm.minnum.f64(double, double)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare half @llvm.maxnum.f16(half, half)
