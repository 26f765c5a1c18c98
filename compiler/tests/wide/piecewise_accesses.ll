; What two loops have of a vector, a register's worth each, is loaded in front of its loop and stored behind it, if nothing between could tell.
; RUN: weftc --cpu=znver4 --passes=piecewise-accesses %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @apart(
; CHECK: first.entry:
; CHECK-NEXT: [[LOW:%.*]] = load <16 x float>, ptr %frame,
; CHECK: first:
; CHECK: phi <16 x float> [ [[LOW]], %first.entry ]
; CHECK: first.exit:
; CHECK-NEXT: store <16 x float> %a.next, ptr %frame
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr i8, ptr %frame, i64 64
; CHECK-NEXT: [[HIGH:%.*]] = load <16 x float>, ptr [[PLACE]]
; CHECK: second:
; CHECK: phi <16 x float> [ [[HIGH]], %first.exit ]
; CHECK: second.exit:
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr i8, ptr %frame, i64 64
; CHECK-NEXT: store <16 x float> %b.next, ptr [[PLACE]]
; CHECK-NOT: <32 x float>
; CHECK: ret void
define void @apart(ptr noalias %frame, ptr noalias %rows) {
entry:
  %all = load <32 x float>, ptr %frame
  br label %first.entry
first.entry:
  %low = shufflevector <32 x float> %all, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  br label %first
first:
  %i = phi i64 [ 0, %first.entry ], [ %i.next, %first ]
  %a = phi <16 x float> [ %low, %first.entry ], [ %a.next, %first ]
  %p = getelementptr <16 x float>, ptr %rows, i64 %i
  %x = load <16 x float>, ptr %p
  %a.next = fadd <16 x float> %a, %x
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, 8
  br i1 %i.end, label %first.exit, label %first
first.exit:
  %high = shufflevector <32 x float> %all, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  br label %second
second:
  %j = phi i64 [ 0, %first.exit ], [ %j.next, %second ]
  %b = phi <16 x float> [ %high, %first.exit ], [ %b.next, %second ]
  %q = getelementptr <16 x float>, ptr %rows, i64 %j
  %y = load <16 x float>, ptr %q
  %b.next = fadd <16 x float> %b, %y
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, 8
  br i1 %j.end, label %second.exit, label %second
second.exit:
  %whole = shufflevector <16 x float> %a.next, <16 x float> %b.next, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  br label %after
after:
  %lcssa = phi <32 x float> [ %whole, %second.exit ]
  store <32 x float> %lcssa, ptr %frame
  ret void
}

; The loops read what may be the same memory: it is written behind both. Nothing is written in between, so that loads may wait.
; CHECK-LABEL: define void @perhaps(
; CHECK: first.exit:
; CHECK-NOT: store
; CHECK: second.exit:
; CHECK: store <32 x float>
define void @perhaps(ptr %frame, ptr %rows) {
entry:
  %all = load <32 x float>, ptr %frame
  br label %first.entry
first.entry:
  %low = shufflevector <32 x float> %all, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  br label %first
first:
  %i = phi i64 [ 0, %first.entry ], [ %i.next, %first ]
  %a = phi <16 x float> [ %low, %first.entry ], [ %a.next, %first ]
  %p = getelementptr <16 x float>, ptr %rows, i64 %i
  %x = load <16 x float>, ptr %p
  %a.next = fadd <16 x float> %a, %x
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, 8
  br i1 %i.end, label %first.exit, label %first
first.exit:
  %high = shufflevector <32 x float> %all, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  br label %second
second:
  %j = phi i64 [ 0, %first.exit ], [ %j.next, %second ]
  %b = phi <16 x float> [ %high, %first.exit ], [ %b.next, %second ]
  %q = getelementptr <16 x float>, ptr %rows, i64 %j
  %y = load <16 x float>, ptr %q
  %b.next = fadd <16 x float> %b, %y
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, 8
  br i1 %j.end, label %second.exit, label %second
second.exit:
  %whole = shufflevector <16 x float> %a.next, <16 x float> %b.next, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <32 x float> %whole, ptr %frame
  ret void
}

; Written between the load and a loop that may read it there: loaded as it was.
; CHECK-LABEL: define void @written(
; CHECK: entry:
; CHECK-NEXT: load <32 x float>
define void @written(ptr %frame, ptr %other, float %f) {
entry:
  %all = load <32 x float>, ptr %frame
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %other, i64 %i
  store float %f, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, 8
  br i1 %i.end, label %exit, label %loop
exit:
  %high = shufflevector <32 x float> %all, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x float> %high, ptr %other
  ret void
}
