; Control flow as a loop over blocks.
; RUN: weftc --passes=canonicalize-cfg --dispatch=always %s | FileCheck %s
; RUN: weftc --passes=canonicalize-cfg,linearize --dispatch=always %s | FileCheck %s --check-prefix=MASKS

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; Two entries to one cycle. Values of the first block stay; %x, which %done uses, is stored where it is made.
; CHECK-LABEL: define internal i32 @irreducible.region.0(
; CHECK: %next.block = alloca i32
; CHECK: [[FIRST:%.*]] = select i1 %odd, i32 2, i32 1
; CHECK-NEXT: store i32 [[FIRST]], ptr %next.block
; CHECK: br label %dispatch
; CHECK: left:
; CHECK: store i32 1, ptr %next.block
; CHECK-NEXT: br label %dispatched
; CHECK: right:
; CHECK: store i32 %x, ptr [[SLOT:%.*]]
; CHECK: select i1 %again, i32 2, i32 3
; CHECK: done:
; CHECK: load i32, ptr [[SLOT]]
; CHECK: ret i32 -1
; CHECK: dispatch:
; CHECK: [[OWN:%.*]] = select i1 %running, i32 {{%.*}}, i32 3
; CHECK: %least = call i32 @weft.least(i32 [[OWN]])
; CHECK: br i1 %here, label %chosen, label %dispatch.next
; CHECK: dispatched:
; CHECK: chosen:
; CHECK: switch i32 %least, label %left [
; CHECK-NEXT: i32 1, label %right
; CHECK-NEXT: ]
; CHECK: dispatch.next:
; CHECK: br i1 %stays, label %dispatch, label %done
; CHECK: }

; MASKS-LABEL: define internal i32 @irreducible.region.0(
; MASKS: dispatch:
; MASKS: br i1 %any{{[0-9]*}}, label %chosen, label %dispatch.next
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
  store volatile i32 %x, ptr addrspace(1) %a
  ret i32 -1
}

; A phi is a variable that its predecessors write; an address is computed again where it is used.
; CHECK-LABEL: define internal i32 @loop.region.0(
; CHECK: body:
; CHECK-NEXT: [[I:%.*]] = load i32, ptr %i.next
; CHECK: %step = add i32 [[I]], 1
; CHECK: store i32 %step, ptr %i.next
; CHECK: after:
; CHECK: load i32, ptr
; CHECK-NEXT: getelementptr i32, ptr addrspace(1) %a, i32
define internal i32 @loop.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %step, %body ]
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store volatile i32 1, ptr addrspace(1) %p
  %step = add i32 %i, 1
  %more = icmp slt i32 %step, %lid
  br i1 %more, label %body, label %after
after:
  store volatile i32 2, ptr addrspace(1) %p
  ret i32 -1
}

!0 = !{}
