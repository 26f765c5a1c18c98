; Divergent branches become masks: after the pass every branch is uniform.
; RUN: weftc --passes=linearize --verify-each --local-size=64,1,1 %s | FileCheck %s
; RUN: weftc --passes=linearize --verify-each --local-size=50,1,1 %s | FileCheck %s --check-prefix=PARTIAL

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; A side that accesses memory is entered if any lane is live in it, and runs under their mask; the value at the
; join is chosen for each lane. Blocks that run for all lanes have no mask.
; CHECK-LABEL: define internal i32 @skip.region.0(
; CHECK-NOT: weft.mask
; CHECK: [[ANY:%.*]] = call i1 @weft.any(i1 %odd)
; CHECK-NEXT: br i1 [[ANY]], label %then, label %join
; CHECK: then:
; CHECK-NEXT: call void @weft.mask(i1 %odd)
; CHECK-NEXT: [[X:%.*]] = load volatile i32
; CHECK-NEXT: [[CHOSEN:%.*]] = select i1 %odd, i32 [[X]], i32 5
; CHECK: join:
; CHECK-NEXT: phi i32 [ [[CHOSEN]], %then ], [ 5, %entry ]
; CHECK-NOT: weft.mask
; CHECK: ret i32 -1
; The last warp of 50 work-items is partial: the mask starts from the lanes that have a work-item.
; PARTIAL-LABEL: define internal i32 @skip.region.0(
; PARTIAL: [[LIVE:%.*]] = call i1 @weft.live()
; PARTIAL-NEXT: call void @weft.mask(i1 [[LIVE]])
; PARTIAL: [[MASK:%.*]] = select i1 [[LIVE]], i1 %odd, i1 false
; PARTIAL: call i1 @weft.any(i1 [[MASK]])
; PARTIAL: then:
; PARTIAL-NEXT: call void @weft.mask(i1 [[MASK]])
; PARTIAL: select i1 [[MASK]], i32 %x, i32 5
; PARTIAL: join:
; PARTIAL: call void @weft.mask(i1 [[LIVE]])
define internal i32 @skip.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %join
then:
  %x = load volatile i32, ptr addrspace(1) %a
  br label %join
join:
  %r = phi i32 [ %x, %then ], [ 5, %entry ]
  store volatile i32 %r, ptr addrspace(1) %a
  ret i32 -1
}

; A cheap side without memory accesses always runs, without a branch. Its mask is that of the branch's `else` edge.
; CHECK-LABEL: define internal i32 @cheap.region.0(
; CHECK-NOT: weft.any
; CHECK: [[NOT:%.*]] = xor i1 %odd, true
; CHECK-NEXT: br label %else
; CHECK: else:
; CHECK: [[CHOSEN:%.*]] = select i1 [[NOT]], i32 %x, i32 5
; CHECK: phi i32 [ [[CHOSEN]], %else ]
; CHECK: ret i32 -1
define internal i32 @cheap.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %join, label %else
else:
  %x = mul i32 %lid, 3
  br label %join
join:
  %r = phi i32 [ %x, %else ], [ 5, %entry ]
  store volatile i32 %r, ptr addrspace(1) %a
  ret i32 -1
}

; A division may trap, so a side that divides does not run if no lane is live.
; CHECK-LABEL: define internal i32 @unsafe.region.0(
; CHECK: call i1 @weft.any
; CHECK-NEXT: br i1 {{%.*}}, label %then, label %join
; CHECK: ret i32 -1
define internal i32 @unsafe.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %join
then:
  %x = sdiv i32 100, %lid
  br label %join
join:
  %r = phi i32 [ %x, %then ], [ 5, %entry ]
  store volatile i32 %r, ptr addrspace(1) %a
  ret i32 -1
}

; An inner mask is part of the outer one. Neither side is cheap, so both are skipped if no lane is live.
; CHECK-LABEL: define internal i32 @nested.region.0(
; CHECK: br i1 {{%.*}}, label %outer, label %join
; CHECK: outer:
; CHECK-NEXT: call void @weft.mask(i1 %below)
; CHECK: [[BOTH:%.*]] = select i1 %below, i1 %odd, i1 false
; CHECK: [[ANY:%.*]] = call i1 @weft.any(i1 [[BOTH]])
; CHECK-NEXT: br i1 [[ANY]], label %inner, label %outer.join
; CHECK: inner:
; CHECK-NEXT: call void @weft.mask(i1 [[BOTH]])
; CHECK: outer.join:
; CHECK-NEXT: call void @weft.mask(i1 %below)
; CHECK: ret i32 -1
define internal i32 @nested.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %x = load volatile i32, ptr addrspace(1) %a
  %below = icmp slt i32 %lid, %x
  br i1 %below, label %outer, label %join
outer:
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %inner, label %outer.join
inner:
  store volatile i32 1, ptr addrspace(1) %a
  br label %outer.join
outer.join:
  store volatile i32 2, ptr addrspace(1) %a
  br label %join
join:
  ret i32 -1
}

; A uniform branch inside a divergent region stays as it is. Both sides run under the region's mask, and their values
; meet in a block of the region's own before the other lanes come back.
; CHECK-LABEL: define internal i32 @uniform_inside.region.0(
; CHECK: then:
; CHECK-NEXT: call void @weft.mask(i1 %odd)
; CHECK: br i1 %some, label %left, label %right
; CHECK: left:
; CHECK-NEXT: call void @weft.mask(i1 %odd)
; CHECK: br label %[[TAIL:.*]]
; CHECK: right:
; CHECK-NEXT: call void @weft.mask(i1 %odd)
; CHECK: br label %[[TAIL]]
; CHECK: [[TAIL]]:
; CHECK: [[INNER:%.*]] = phi i32
; CHECK: [[CHOSEN:%.*]] = select i1 %odd, i32 [[INNER]], i32 30
; CHECK: join:
; CHECK: phi i32 {{.*}}[ [[CHOSEN]], %[[TAIL]] ]
; CHECK: ret i32 -1
define internal i32 @uniform_inside.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %join
then:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %left, label %right
left:
  store volatile i32 1, ptr addrspace(1) %a
  br label %join
right:
  store volatile i32 2, ptr addrspace(1) %a
  br label %join
join:
  %r = phi i32 [ 10, %left ], [ 20, %right ], [ 30, %entry ]
  store volatile i32 %r, ptr addrspace(1) %a
  ret i32 -1
}

; A loop that lanes leave one by one runs until none is live. Each lane holds the values that later code uses from its
; last iteration: `sum`, and also `next`, although it is the same in all lanes that still run.
; CHECK-LABEL: define internal i32 @loop.region.0(
; CHECK: loop:
; CHECK-DAG: [[NEXT_HELD:%.*]] = phi i32 [ [[NEXT_EXIT:%.*]], %loop ], [ poison, %entry ]
; CHECK-DAG: [[SUM_HELD:%.*]] = phi i32 [ [[SUM_EXIT:%.*]], %loop ], [ poison, %entry ]
; CHECK-DAG: [[LIVE:%.*]] = phi i1 [ [[STAY:%.*]], %loop ], [ true, %entry ]
; CHECK: call void @weft.mask(i1 [[LIVE]])
; CHECK: [[STAY]] = select i1 [[LIVE]], i1 %more, i1 false
; CHECK-DAG: [[SUM_EXIT]] = select i1 [[LIVE]], i32 %sum, i32 [[SUM_HELD]]
; CHECK-DAG: [[NEXT_EXIT]] = select i1 [[LIVE]], i32 %next, i32 [[NEXT_HELD]]
; CHECK: [[ANY:%.*]] = call i1 @weft.any(i1 [[STAY]])
; CHECK-NEXT: br i1 [[ANY]], label %loop, label %done
; CHECK: done:
; CHECK-DAG: phi i32 [ [[SUM_EXIT]], %loop ]
; CHECK-DAG: phi i32 [ [[NEXT_EXIT]], %loop ]
; CHECK-NOT: weft.mask
; CHECK: ret i32 -1
define internal i32 @loop.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 7, %entry ], [ %sum, %loop ]
  %x = load volatile i32, ptr addrspace(1) %a
  %sum = add i32 %s, %x
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %lid
  br i1 %more, label %loop, label %done
done:
  store volatile i32 %sum, ptr addrspace(1) %a
  store volatile i32 %next, ptr addrspace(1) %a
  ret i32 -1
}

; A uniform loop keeps its branch, even in a divergent region.
; CHECK-LABEL: define internal i32 @uniform_loop.region.0(
; CHECK: loop:
; CHECK: call void @weft.mask(i1 %odd)
; CHECK-NOT: weft.any
; CHECK: br i1 %more, label %loop, label %join
; CHECK: ret i32 -1
define internal i32 @uniform_loop.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %loop, label %join
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %k, ptr addrspace(1) %a
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %join
join:
  ret i32 -1
}

; If one side leaves no value, all lanes take the other's: a uniform value stays uniform, as a later branch may need
; it.
; CHECK-LABEL: define internal i32 @undefined.region.0(
; CHECK: then:
; CHECK-NOT: select
; CHECK: join:
; CHECK-NEXT: [[R:%.*]] = phi i32 [ %n, %then ], [ %n, %entry ]
; CHECK-NEXT: [[S:%.*]] = phi i32 [ %m, %then ], [ undef, %entry ]
; CHECK: br i1 %some, label %left, label %right
define internal i32 @undefined.region.0(ptr %launch, ptr %group) {
entry:
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %m = add i32 %n, 1
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %join
then:
  store volatile i32 0, ptr addrspace(1) %a
  br label %join
join:
  %r = phi i32 [ undef, %then ], [ %n, %entry ]
  %s = phi i32 [ %m, %then ], [ undef, %entry ]
  %t = add i32 %r, %s
  %some = icmp sgt i32 %t, 0
  br i1 %some, label %left, label %right
left:
  store volatile i32 1, ptr addrspace(1) %a
  br label %right
right:
  ret i32 -1
}

!0 = !{}
