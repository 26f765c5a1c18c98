; More loads than there are registers go from in front of a loop of few iterations to where it uses them; those that fit stay, and so do
; what the loop writes and what a long loop reads.
; RUN: weftc --cpu=haswell --passes=late-loads %s | FileCheck %s
; RUN: weftc --cpu=znver4 --passes=late-loads %s | FileCheck %s --check-prefix=WIDE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @few(
; CHECK: entry:
; CHECK-NEXT: br label %warp
; CHECK: warp:
; CHECK: %c = load <64 x float>
; CHECK: load <128 x float>
; CHECK: shufflevector
; CHECK: fadd
; CHECK: load <64 x float>
; CHECK: fmul
; WIDE-LABEL: define void @few(
; WIDE: entry:
; WIDE-NEXT: load <128 x float>
; WIDE: warp:
define void @few(ptr noalias %a, ptr noalias %b, ptr noalias %out) {
entry:
  %x = load <128 x float>, ptr %a
  %half = shufflevector <128 x float> %x, <128 x float> poison, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %y = load <64 x float>, ptr %b
  br label %warp

warp:
  %i = phi i64 [ 0, %entry ], [ %next, %warp ]
  %p = getelementptr <64 x float>, ptr %out, i64 %i
  %c = load <64 x float>, ptr %p
  %sum = fadd <64 x float> %c, %half
  %product = fmul <64 x float> %sum, %y
  store <64 x float> %product, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %done, label %warp

done:
  ret void
}

; CHECK-LABEL: define void @kept(
; CHECK: entry:
; CHECK-NEXT: load <64 x float>, ptr %a
; CHECK-NEXT: br label %warp
define void @kept(ptr noalias %a, ptr noalias %out) {
entry:
  %y = load <64 x float>, ptr %a
  br label %warp

warp:
  %i = phi i64 [ 0, %entry ], [ %next, %warp ]
  %p = getelementptr <64 x float>, ptr %out, i64 %i
  store <64 x float> %y, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %done, label %warp

done:
  ret void
}

; The loop may write what was read in front of it.
; CHECK-LABEL: define void @written(
; CHECK: entry:
; CHECK-NEXT: load <256 x float>, ptr %a
; CHECK-NEXT: br label %warp
define void @written(ptr %a, ptr %out) {
entry:
  %y = load <256 x float>, ptr %a
  br label %warp

warp:
  %i = phi i64 [ 0, %entry ], [ %next, %warp ]
  %p = getelementptr <256 x float>, ptr %out, i64 %i
  store <256 x float> %y, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %done, label %warp

done:
  ret void
}

; CHECK-LABEL: define void @long(
; CHECK: entry:
; CHECK-NEXT: load <256 x float>, ptr %a
; CHECK-NEXT: br label %warp
define void @long(ptr noalias %a, ptr noalias %out) {
entry:
  %y = load <256 x float>, ptr %a
  br label %warp

warp:
  %i = phi i64 [ 0, %entry ], [ %next, %warp ]
  %p = getelementptr <256 x float>, ptr %out, i64 %i
  store <256 x float> %y, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 400
  br i1 %end, label %done, label %warp

done:
  ret void
}

; What is used behind the loop, too, stays where it is.
; CHECK-LABEL: define <256 x float> @behind(
; CHECK: entry:
; CHECK-NEXT: load <256 x float>, ptr %a
; CHECK-NEXT: br label %warp
define <256 x float> @behind(ptr noalias %a, ptr noalias %out) {
entry:
  %y = load <256 x float>, ptr %a
  br label %warp

warp:
  %i = phi i64 [ 0, %entry ], [ %next, %warp ]
  %p = getelementptr <256 x float>, ptr %out, i64 %i
  store <256 x float> %y, ptr %p
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, 4
  br i1 %end, label %done, label %warp

done:
  ret <256 x float> %y
}
