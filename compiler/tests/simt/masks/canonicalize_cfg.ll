; Control flow fit for linearization.
; RUN: weftc --passes=canonicalize-cfg %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; With uniform branches only, a switch becomes branches and several returns become one; nothing else changes.
; CHECK-LABEL: define internal i32 @uniform.region.0(
; CHECK-NOT: switch
; CHECK-NOT: Flow
; CHECK: region.return:
; CHECK: [[NEXT:%.*]] = phi i32 {{.*}}
; CHECK-NEXT: ret i32 [[NEXT]]
; CHECK-NEXT: }
define internal i32 @uniform.region.0(ptr %launch, ptr %group) {
  %n = load i32, ptr %launch, !invariant.load !0
  switch i32 %n, label %none [ i32 0, label %one
                               i32 5, label %two ]
one:
  ret i32 1
two:
  ret i32 2
none:
  ret i32 -1
}

; A divergent early return around a uniform loop: the divergent branch is structured, the loop is as it was.
; CHECK-LABEL: define internal i32 @early.region.0(
; CHECK: br i1 {{%.*}}, label %body, label %Flow
; CHECK: loop:
; CHECK: br i1 %more, label %loop, label %{{.*}}, !structurizecfg.uniform
; CHECK: ret i32 -1
; CHECK-NEXT: }
define internal i32 @early.region.0(ptr %launch, ptr %group) {
entry:
  %n = load i32, ptr %launch, !invariant.load !0
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %out = icmp sge i32 %lid, %n
  br i1 %out, label %done, label %body
body:
  br label %loop
loop:
  %k = phi i32 [ 0, %body ], [ %next, %loop ]
  store volatile i32 %k, ptr addrspace(1) %a
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %after
after:
  store volatile i32 7, ptr addrspace(1) %a
  ret i32 -1
done:
  ret i32 -1
}

; An infinite loop gets an exit, and so does `unreachable`.
; CHECK-LABEL: define internal i32 @endless.region.0(
; CHECK-NOT: unreachable
; CHECK: br i1 true
; CHECK-NOT: unreachable
; CHECK: ret i32
; CHECK-NEXT: }
define internal i32 @endless.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %spin, label %check
spin:
  store volatile i32 1, ptr addrspace(1) %a
  br label %spin
check:
  %first = icmp eq i32 %lid, 0
  br i1 %first, label %never, label %done
never:
  unreachable
done:
  ret i32 -1
}

; Two entries to one loop, under a divergent branch: made reducible.
; CHECK-LABEL: define internal i32 @irreducible.region.0(
; CHECK: ret i32
; CHECK: irr.guard:
define internal i32 @irreducible.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %left, label %right
left:
  store volatile i32 1, ptr addrspace(1) %a
  br label %right
right:
  %x = load volatile i32, ptr addrspace(1) %a
  %again = icmp slt i32 %x, %lid
  br i1 %again, label %left, label %done
done:
  ret i32 -1
}

!0 = !{}
