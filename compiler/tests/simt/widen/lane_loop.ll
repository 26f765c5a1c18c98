; What has no form for a warp runs for one live lane after the other, in place, with a remark.
; RUN: weftc --passes=widen --verify-each --local-size=64,1,1 --remarks %s -o %t.ll 2>%t.log
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=REMARK < %t.log

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @weft.mask(i1)

; REMARK: remark: atomicrmw: one live lane after the other, in a loop [widen]
; REMARK-NEXT: remark: cmpxchg: one live lane after the other, in a loop [widen]
; REMARK-NOT: remark

; CHECK-LABEL: define internal i32 @add.region.0.warp(
; CHECK: store <32 x i32> {{%.*}}, ptr [[OPERANDS:%.*]], align 128
; CHECK: lane:
; CHECK: [[LEFT:%.*]] = phi i32 [ -1, %{{.*}} ], [ [[REST:%.*]], %changed ]
; CHECK: [[BIT:%.*]] = call i32 @llvm.cttz.i32(i32 [[LEFT]], i1 true)
; CHECK: [[LANE:%.*]] = zext i32 [[BIT]] to i64
; CHECK: [[AT:%.*]] = getelementptr inbounds i32, ptr [[OPERANDS]], i64 [[LANE]]
; CHECK: [[VALUE:%.*]] = load i32, ptr [[AT]]
; CHECK: [[FOUND:%.*]] = load atomic i32, ptr [[PLACE:%.*]] monotonic
; CHECK: [[STAYS:%.*]] = icmp uge i32 [[FOUND]], [[VALUE]]
; CHECK: br i1 [[STAYS]], label %changed, label %changes
; CHECK: lanes.done:
; CHECK: load <32 x i32>, ptr [[RESULTS:%.*]], align
; CHECK: ret i32 -1
; CHECK: changes:
; CHECK: [[BEFORE:%.*]] = atomicrmw volatile umax ptr [[PLACE]], i32 [[VALUE]] monotonic
; CHECK: [[OLD:%.*]] = phi i32 [ [[FOUND]], %lane ], [ [[BEFORE]], %changes ]
; CHECK: [[AT:%.*]] = getelementptr inbounds i32, ptr [[RESULTS]], i64 [[LANE]]
; CHECK: store i32 [[OLD]], ptr [[AT]]
; CHECK: [[LESS:%.*]] = sub i32 [[LEFT]], 1
; CHECK: [[REST]] = and i32 [[LEFT]], [[LESS]]
; CHECK: [[MORE:%.*]] = icmp ne i32 [[REST]], 0
; CHECK: br i1 [[MORE]], label %lane, label %lanes.done
define internal i32 @add.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %square = mul i32 %lid, %lid
  %old = atomicrmw volatile umax ptr addrspace(1) %a, i32 %square monotonic, !weft.nonvolatile !0
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store volatile i32 %old, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; Under a mask only for the lanes that are live, and for none if none is. Both members of the result come back.
; CHECK-LABEL: define internal i32 @exchange.region.0.warp(
; CHECK: [[ODD:%.*]] = trunc <32 x i32> {{%.*}} to <32 x i1>
; CHECK: [[LIVE:%.*]] = bitcast <32 x i1> [[ODD]] to i32
; CHECK: [[ANY:%.*]] = icmp ne i32 [[LIVE]], 0
; CHECK-NEXT: br i1 [[ANY]], label %lane, label %lanes.done
; CHECK: phi i32 [ [[LIVE]], %{{.*}} ]
; CHECK: cmpxchg ptr {{%.*}}, i32 0, i32 {{%.*}} acquire monotonic
; CHECK: lanes.done:
; CHECK-DAG: load <32 x i32>
; CHECK-DAG: load <32 x i8>
; CHECK: ret i32 -1
define internal i32 @exchange.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  call void @weft.mask(i1 %odd)
  %both = cmpxchg ptr addrspace(1) %a, i32 0, i32 %lid acquire monotonic
  %old = extractvalue { i32, i1 } %both, 0
  %done = extractvalue { i32, i1 } %both, 1
  %value = select i1 %done, i32 %old, i32 17
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store volatile i32 %value, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
