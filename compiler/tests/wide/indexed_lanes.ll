; Elements that a loop takes by an index are loaded from a vector that is stored in front of the loop.
; RUN: weftc --cpu=icelake-server --passes=indexed-lanes %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define float @sum(
; CHECK: [[LANES:%.*]] = alloca <32 x float>, align 64
; CHECK: [[X:%.*]] = load <32 x float>, ptr %from
; CHECK-NEXT: store <32 x float> [[X]], ptr [[LANES]], align 64
; CHECK: loop:
; CHECK: [[WIDE:%.*]] = zext i32 %k to i64
; CHECK: [[INDEX:%.*]] = and i64 [[WIDE]], 31
; CHECK: [[AT:%.*]] = getelementptr inbounds float, ptr [[LANES]], i64 [[INDEX]]
; CHECK: load float, ptr [[AT]], align 4
; What changes in the loop stays, and so does an index that is known.
; CHECK: extractelement <32 x float> %both, i32 %k
; CHECK: extractelement <32 x float> [[X]], i32 3
define float @sum(ptr %from) {
entry:
  %x = load <32 x float>, ptr %from
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %v = phi <32 x float> [ %x, %entry ], [ %both, %loop ]
  %e = extractelement <32 x float> %x, i32 %k
  %both = fadd <32 x float> %v, %x
  %f = extractelement <32 x float> %both, i32 %k
  %g = extractelement <32 x float> %x, i32 3
  %s1 = fadd float %s, %e
  %s2 = fadd float %s1, %f
  %t = fadd float %s2, %g
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, 32
  br i1 %again, label %loop, label %done
done:
  ret float %t
}

; Without a loop nothing is gained.
; CHECK-LABEL: define float @once(
; CHECK-NOT: alloca
define float @once(<32 x float> %x, i32 %k) {
  %e = extractelement <32 x float> %x, i32 %k
  ret float %e
}
