; Private variables that are too large for a thread's stack, which would hold those of all lanes at once, go to the
; worker's scratch. Without a barrier, others stay as they are, even if their addresses escape.
; RUN: weftc --passes=split-regions %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; CHECK-LABEL: define internal i32 @large.region.0(
; CHECK: call nonnull align 4 dereferenceable(4000) ptr @weft.private(i32 0)
; CHECK: %small = alloca [500 x i32]
; CHECK-NOT: alloca
define internal i32 @large.item(ptr %launch, ptr %group) {
  %small = alloca [500 x i32], align 4
  %large = alloca [1000 x i32], align 4
  %out = load ptr addrspace(1), ptr %launch, align 8, !invariant.load !0
  %lid = call i32 @__weft_local_id_x()
  %wide = zext i32 %lid to i64
  %s = getelementptr inbounds i32, ptr %small, i64 %wide
  %l = getelementptr inbounds i32, ptr %large, i64 %wide
  %which = icmp eq i32 %lid, 3
  %either = select i1 %which, ptr %small, ptr %s
  store i32 1, ptr %either
  store i32 2, ptr %large
  %a = load i32, ptr %s
  %b = load i32, ptr %l
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(1) %out
  ret i32 -1
}

!0 = !{}
