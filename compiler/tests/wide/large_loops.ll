; A loop too large to be unrolled stays as it is, with its metadata; LLVM is not asked what its vectors cost. A small one is unrolled. One that divides
; integers is large, as each element is divided for itself.
; RUN: weftc --cpu=haswell --passes=optimize %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @large(
; CHECK-COUNT-24: fadd <256 x float>
; CHECK-NOT: fadd <256 x float>
; CHECK: br i1 {{.*}}, !llvm.loop [[LARGE:![0-9]+]]
define void @large(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <256 x float> [ zeroinitializer, %entry ], [ %s24, %loop ]
  %a = getelementptr <256 x float>, ptr %q, i64 %i
  %x = load <256 x float>, ptr %a, align 4
  %s1 = fadd <256 x float> %s0, %x
  %s2 = fadd <256 x float> %s1, %x
  %s3 = fadd <256 x float> %s2, %x
  %s4 = fadd <256 x float> %s3, %x
  %s5 = fadd <256 x float> %s4, %x
  %s6 = fadd <256 x float> %s5, %x
  %s7 = fadd <256 x float> %s6, %x
  %s8 = fadd <256 x float> %s7, %x
  %s9 = fadd <256 x float> %s8, %x
  %s10 = fadd <256 x float> %s9, %x
  %s11 = fadd <256 x float> %s10, %x
  %s12 = fadd <256 x float> %s11, %x
  %s13 = fadd <256 x float> %s12, %x
  %s14 = fadd <256 x float> %s13, %x
  %s15 = fadd <256 x float> %s14, %x
  %s16 = fadd <256 x float> %s15, %x
  %s17 = fadd <256 x float> %s16, %x
  %s18 = fadd <256 x float> %s17, %x
  %s19 = fadd <256 x float> %s18, %x
  %s20 = fadd <256 x float> %s19, %x
  %s21 = fadd <256 x float> %s20, %x
  %s22 = fadd <256 x float> %s21, %x
  %s23 = fadd <256 x float> %s22, %x
  %s24 = fadd <256 x float> %s23, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  store <256 x float> %s24, ptr %p, align 4
  ret void
}

; CHECK-LABEL: define void @divides(
; CHECK: udiv <32 x i64>
; CHECK-NOT: udiv
; CHECK: ret void
define void @divides(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi <32 x i64> [ splat (i64 -1), %entry ], [ %rest, %loop ]
  %a = getelementptr <32 x i64>, ptr %q, i64 %i
  %base = load <32 x i64>, ptr %a, align 8
  %rest = udiv <32 x i64> %x, %base
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <32 x i64> %rest, ptr %p, align 8
  ret void
}

; CHECK-LABEL: define void @small(
; CHECK-COUNT-2: store i32
; CHECK-LABEL: define void @twice(
; CHECK-COUNT-2: store i32
; CHECK-NOT: br
; CHECK: ret void
define void @small(ptr noalias %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @twice(ptr noalias %p) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, 2
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK: [[LARGE]] = distinct !{[[LARGE]], [[PROGRESS:![0-9]+]]}
; CHECK: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
