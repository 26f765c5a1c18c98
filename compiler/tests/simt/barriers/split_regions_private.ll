; Private variables whose contents live across a barrier go to scratch; others stay allocas of each region that
; uses them.
; RUN: weftc --passes=split-regions %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)
declare void @__weft_barrier(i32) convergent noduplicate
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; CHECK-LABEL: define internal i32 @k.region.0(
; CHECK: %kept = call nonnull align 16 dereferenceable(32) ptr @weft.private(i32 0)
; CHECK: %temporary = alloca [4 x i32], align 4
; CHECK: ret i32 1
; CHECK-LABEL: define internal i32 @k.region.1(
; CHECK: %temporary = alloca [4 x i32], align 4
; CHECK: getelementptr inbounds i32, ptr %temporary, i64
; CHECK: call nonnull align 16 dereferenceable(32) ptr @weft.private(i32 0)
; CHECK: ret i32 -1
; CHECK-NOT: call {{.*}} @weft.slot
define internal i32 @k.item(ptr %launch, ptr %group) {
  %kept = alloca [8 x i32], align 16
  %temporary = alloca [4 x i32], align 4
  %out = load ptr addrspace(1), ptr %launch, align 8, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %wide = zext i32 %lid to i64
  %t = getelementptr inbounds i32, ptr %temporary, i64 %wide
  %k = getelementptr inbounds i32, ptr %kept, i64 %wide
  call void @llvm.lifetime.start.p0(i64 16, ptr %temporary)
  store i32 1, ptr %temporary
  %a = load i32, ptr %t
  call void @llvm.lifetime.end.p0(i64 16, ptr %temporary)
  store i32 %a, ptr %kept
  call void @__weft_barrier(i32 1)
  call void @llvm.lifetime.start.p0(i64 16, ptr %temporary)
  store i32 2, ptr %temporary
  %b = load i32, ptr %t
  call void @llvm.lifetime.end.p0(i64 16, ptr %temporary)
  %c = load i32, ptr %k
  %sum = add i32 %b, %c
  store i32 %sum, ptr addrspace(1) %out
  ret i32 -1
}

!0 = !{}
