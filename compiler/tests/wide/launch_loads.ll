; What never changes while a group runs is loaded in front of its loops, through pointers that are themselves loaded so, and also
; where only some iterations need it.
; RUN: weftc --passes=launch-loads %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define i32 @k.group(
; CHECK: entry:
; CHECK: %arguments = load ptr, {{.*}} !invariant.load
; CHECK: %image = load ptr, {{.*}} !invariant.load
; CHECK: %width = load i32, {{.*}} !invariant.load
; CHECK: br label %warp
; CHECK: used:
; Beyond what may be read wherever the pointer is known, and memory that may change.
; CHECK: %far = load i32
; CHECK: %changing = load i32
; CHECK: ret i32 -1
define i32 @k.group(ptr noalias nonnull dereferenceable(176) %launch, ptr noalias nonnull dereferenceable(64) %group) {
entry:
  br label %warp

warp:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds i8, ptr %launch, i64 104
  %arguments = load ptr, ptr %p, align 8, !invariant.load !0, !dereferenceable !1
  %some = icmp ugt i32 %i, 3
  br i1 %some, label %used, label %latch

used:
  %image = load ptr, ptr %arguments, align 8, !invariant.load !0, !dereferenceable !2
  %w = getelementptr inbounds i8, ptr %image, i64 24
  %width = load i32, ptr %w, align 8, !invariant.load !0
  %f = getelementptr inbounds i8, ptr %image, i64 80
  %far = load i32, ptr %f, align 8, !invariant.load !0
  %changing = load i32, ptr %w, align 8
  %sum = add i32 %width, %far
  %sums = add i32 %sum, %changing
  call void @use(i32 %sums)
  br label %latch

latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %warp, label %end

end:
  ret i32 -1
}
declare void @use(i32)
!0 = !{}
!1 = !{i64 8}
!2 = !{i64 80}
