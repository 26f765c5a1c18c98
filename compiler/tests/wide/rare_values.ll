; What only the unlikely side of a branch uses is computed there, also where that side is in a loop, or begins with one.
; RUN: weftc --passes=rare-values %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define i32 @k.group(
; CHECK: entry:
; CHECK-NEXT: %both = add i32 %a, 1
; CHECK-NEXT: %stored = load i32, ptr %p
; CHECK-NEXT: br label %warp
; CHECK: warp.rows_crit_edge:
; CHECK-NEXT: %twice = shl i32 %a, 1
; CHECK-NEXT: %bound = add i32 %twice, 3
; CHECK-NEXT: br label %rows
define i32 @k.group(ptr %p, i32 %a) {
entry:
  %twice = shl i32 %a, 1
  %bound = add i32 %twice, 3
  %both = add i32 %a, 1
  %stored = load i32, ptr %p, align 4
  br label %warp

warp:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %inside = icmp ult i32 %i, %both
  br i1 %inside, label %usual, label %rows, !prof !0

usual:
  store i32 %both, ptr %p, align 4
  br label %latch

rows:
  %row = phi i32 [ 0, %warp ], [ %below, %rows ]
  %sum = add i32 %bound, %row
  %all = add i32 %sum, %stored
  store i32 %all, ptr %p, align 4
  %below = add i32 %row, 1
  %more = icmp ult i32 %below, 4
  br i1 %more, label %rows, label %latch

latch:
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 8
  br i1 %again, label %warp, label %exit

exit:
  ret i32 -1
}

; Where either side may run, nothing moves.
; CHECK-LABEL: define i32 @even.group(
; CHECK: entry:
; CHECK-NEXT: %twice = shl
define i32 @even.group(ptr %p, i32 %a, i1 %c) {
entry:
  %twice = shl i32 %a, 1
  br i1 %c, label %one, label %exit, !prof !1

one:
  store i32 %twice, ptr %p, align 4
  br label %exit

exit:
  ret i32 -1
}

!0 = !{!"branch_weights", i32 1048575, i32 1}
!1 = !{!"branch_weights", i32 10, i32 1}
