; Whether a lane is at a place, or none is, where lanes count by ones: by how far the first one is from it, without a vector.
; RUN: weftc --passes=widen --verify-each --local-size=64,1,1 --ids-fit-31-bits %s | FileCheck %s
; RUN: weftc --passes=widen --verify-each --local-size=16,4,1 --ids-fit-31-bits %s | FileCheck %s --check-prefix=ROWS

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i64 @__weft_global_id_x() memory(none)
declare i32 @__weft_local_id_x() memory(none)
declare i1 @weft.any(i1)
declare i1 @weft.all(i1)

; CHECK-LABEL: define internal i32 @first.region.0.warp(
; CHECK: [[FAR:%.*]] = sub i64 0, [[ID:%.*]]
; CHECK: [[NONE:%.*]] = icmp uge i64 [[FAR]], 32
; CHECK: br i1 [[NONE]],
; CHECK-NOT: bitcast <32 x i1>
; CHECK: ret i32

; Rows of 16 begin anew: each has a first lane of its own.
; ROWS-LABEL: define internal i32 @first.region.0.warp(
; ROWS: icmp uge i64 {{.*}}, 16
; ROWS: icmp uge i64 {{.*}}, 16
; ROWS: and i1
; ROWS-NOT: bitcast <32 x i1>
; ROWS: ret i32
define internal i32 @first.region.0(ptr %launch, ptr %group) {
  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %id = call i64 @__weft_global_id_x()
  %away = icmp ne i64 %id, 0
  %none = call i1 @weft.all(i1 %away)
  br i1 %none, label %inside, label %end

inside:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %id
  store volatile i32 1, ptr addrspace(1) %q, !weft.nonvolatile !0
  br label %end

end:
  ret i32 -1
}

; The other way round, against the order of lanes.
; CHECK-LABEL: define internal i32 @last.region.0.warp(
; CHECK: [[FAR:%.*]] = sub i32 [[N:%.*]], {{.*}}
; CHECK: [[NONE:%.*]] = icmp uge i32 [[FAR]], 32
; CHECK: [[SOME:%.*]] = xor i1 [[NONE]], true
; CHECK: br i1 [[SOME]],
define internal i32 @last.region.0(ptr %launch, ptr %group) {
  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr addrspace(1) %p, !invariant.load !0
  %id = call i32 @__weft_local_id_x()
  %back = sub i32 100, %id
  %at = icmp eq i32 %n, %back
  %some = call i1 @weft.any(i1 %at)
  br i1 %some, label %inside, label %end

inside:
  store volatile i32 1, ptr addrspace(1) %p, !weft.nonvolatile !0
  br label %end

end:
  ret i32 -1
}

; Every second place may be passed over.
; CHECK-LABEL: define internal i32 @even.region.0.warp(
; CHECK: bitcast <32 x i1> {{.*}} to i32
define internal i32 @even.region.0(ptr %launch, ptr %group) {
  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr addrspace(1) %p, !invariant.load !0
  %id = call i32 @__weft_local_id_x()
  %twice = shl i32 %id, 1
  %at = icmp eq i32 %twice, %n
  %some = call i1 @weft.any(i1 %at)
  br i1 %some, label %inside, label %end

inside:
  store volatile i32 1, ptr addrspace(1) %p, !weft.nonvolatile !0
  br label %end

end:
  ret i32 -1
}

!0 = !{}
