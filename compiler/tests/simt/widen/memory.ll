; Loads and stores of a warp, by the shape of their address.
; RUN: weftc --cpu=znver3 --passes=widen --verify-each --local-size=64,1,1 %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; Consecutive lanes, consecutive elements: one vector. The warp's lanes are `warp * 32 + l`. Volatile that pinning
; put on is gone.
; CHECK-LABEL: define internal i32 @contiguous.region.0.warp(ptr noalias nonnull %launch, ptr noalias nonnull %group, ptr noalias nonnull %frame, i32 %warp)
; CHECK: [[FIRST:%.*]] = mul nuw nsw i32 %warp, 32
; CHECK: [[I:%.*]] = zext i32 [[FIRST]] to i64
; CHECK: [[P:%.*]] = getelementptr float, ptr {{%.*}}, i64 [[I]]
; CHECK: load <32 x float>, ptr [[P]], align 4
; CHECK: store <32 x float> {{%.*}}, ptr [[P]], align 4
; CHECK-NEXT: ret i32 -1
define internal i32 @contiguous.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load volatile float, ptr addrspace(1) %p, !weft.nonvolatile !0
  %y = fadd float %x, 1.0
  store volatile float %y, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; Going down: a vector from the last lane's element on, turned around.
; CHECK-LABEL: define internal i32 @reversed.region.0.warp(
; CHECK: [[P:%.*]] = getelementptr i8, ptr {{%.*}}, i64 -124
; CHECK: [[X:%.*]] = load <32 x float>, ptr [[P]], align 4
; CHECK: shufflevector <32 x float> [[X]], <32 x float> poison, <32 x i32> <i32 31, i32 30, i32 29,
; CHECK: [[P:%.*]] = getelementptr i8, ptr {{%.*}}, i64 -124
; CHECK: [[Y:%.*]] = shufflevector <32 x float> {{%.*}}, <32 x float> poison, <32 x i32> <i32 31, i32 30,
; CHECK: store <32 x float> [[Y]], ptr [[P]], align 4
; CHECK-NEXT: ret i32 -1
define internal i32 @reversed.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %j = sub i64 100, %i
  %p = getelementptr float, ptr addrspace(1) %a, i64 %j
  %x = load volatile float, ptr addrspace(1) %p, !weft.nonvolatile !0
  %y = fadd float %x, 1.0
  store volatile float %y, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; One place for all lanes: a scalar load, spread where lanes want it, and of the stores the last lane's.
; CHECK-LABEL: define internal i32 @uniform.region.0.warp(
; CHECK: [[FIRST:%.*]] = mul nuw nsw i32 %warp, 32
; CHECK: [[X:%.*]] = load i32, ptr [[A:%.*]], align 4
; CHECK: insertelement <32 x i32> poison, i32 [[X]], i64 0
; CHECK: store <32 x i32>
; CHECK: [[LAST:%.*]] = add i32 [[FIRST]], 31
; CHECK: store i32 [[LAST]], ptr [[A]], align 4
; CHECK-NEXT: ret i32 -1
define internal i32 @uniform.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load volatile i32, ptr addrspace(1) %a, !weft.nonvolatile !0
  store volatile i32 %x, ptr addrspace(1) %p, !weft.nonvolatile !0
  store volatile i32 %lid, ptr addrspace(1) %a, !weft.nonvolatile !0
  ret i32 -1
}

; Any address: a load or store a lane, first to last (with gathers: gather.ll). All
; lanes have loaded before the first one stores.
; CHECK-LABEL: define internal i32 @varying.region.0.warp(
; CHECK: load <32 x i16>
; CHECK-NOT: store
; CHECK-COUNT-32: load i16, ptr {{%.*}}, align 2
; CHECK-NOT: load
; CHECK: add <32 x i16>
; CHECK-COUNT-32: store i16 {{%.*}}, ptr {{%.*}}, align 2
; CHECK-NOT: store
; CHECK: ret i32 -1
define internal i32 @varying.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %p = getelementptr i16, ptr addrspace(1) %a, i64 %i
  %x = load volatile i16, ptr addrspace(1) %p, !weft.nonvolatile !0
  %j = zext i16 %x to i64
  %q = getelementptr i16, ptr addrspace(1) %a, i64 %j
  %y = load volatile i16, ptr addrspace(1) %q, !weft.nonvolatile !0
  %z = add i16 %y, 1
  store volatile i16 %z, ptr addrspace(1) %q, !weft.nonvolatile !0
  ret i32 -1
}

; The same of 32 bits.
; CHECK-LABEL: define internal i32 @gather.region.0.warp(
; CHECK-COUNT-32: load i32, ptr
; CHECK-COUNT-32: store i32 {{%.*}}, ptr
; CHECK: ret i32 -1
define internal i32 @gather.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %i = zext i32 %lid to i64
  %j = mul i64 %i, 5
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %j
  %x = load volatile i32, ptr addrspace(1) %p, !weft.nonvolatile !0
  %y = add i32 %x, 1
  store volatile i32 %y, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; An unsigned 32-bit index may wrap: tested at run time, by how far the first lane's is from the end; contiguous where it
; did not, else an access for each lane, rolled up, for that is rare.
; CHECK-LABEL: define internal i32 @checked.region.0.warp(
; CHECK: [[HOLDS:%.*]] = icmp ule i32 {{%.*}}, -32
; CHECK: br i1 [[HOLDS]], label %[[FAST:.*]], label %[[SLOW:[a-z0-9.]+]]
; CHECK: [[FAST]]:
; CHECK-NEXT: [[TOGETHER:%.*]] = load <32 x i16>
; CHECK: [[SLOW]]:
; CHECK-NOT: load i16
; CHECK: store <32 x ptr> {{%.*}}, ptr %pointers
; CHECK: br label %rolled
; CHECK: phi <32 x i16> [ [[TOGETHER]], %[[FAST]] ], [ {{%.*}}, %rolled.done ]
; CHECK: br i1 {{%.*}}, label %[[FAST:.*]], label %[[SLOW:[a-z0-9.]+]]
; CHECK: [[FAST]]:
; CHECK-NEXT: store <32 x i16>
; CHECK: [[SLOW]]:
; CHECK-NOT: store i16
; CHECK: store <32 x ptr> {{%.*}}, ptr %pointers
; CHECK: br label %rolled
; CHECK: ret i32 -1
define internal i32 @checked.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %s = add i32 %lid, %n
  %i = zext i32 %s to i64
  %p = getelementptr i16, ptr addrspace(1) %a, i64 %i
  %x = load volatile i16, ptr addrspace(1) %p, !weft.nonvolatile !0
  store volatile i16 %x, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

; With the promise not to wrap, or a signed index, there is nothing to test.
; CHECK-LABEL: define internal i32 @promised.region.0.warp(
; CHECK-NOT: br i1
; CHECK: load <32 x i16>
; CHECK-NOT: br i1
; CHECK: ret i32 -1
define internal i32 @promised.region.0(ptr %launch, ptr %group) {
  %a = load ptr addrspace(1), ptr %launch, !invariant.load !0
  %n = load i32, ptr %launch, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %s = add nsw i32 %lid, %n
  %i = sext i32 %s to i64
  %p = getelementptr i16, ptr addrspace(1) %a, i64 %i
  %x = load volatile i16, ptr addrspace(1) %p, !weft.nonvolatile !0
  store volatile i16 %x, ptr addrspace(1) %p, !weft.nonvolatile !0
  ret i32 -1
}

!0 = !{}
