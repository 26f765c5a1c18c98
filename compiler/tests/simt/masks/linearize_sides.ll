; A divergent branch with work on both sides becomes two that each jump over one side. Which lanes took the first is made in front of it,
; since where it is jumped over none did (mask_phis.h).
; RUN: weftc --passes=linearize --local-size=64,1,1 %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; CHECK: %[[TAKEN:.*]] = select i1 %odd, i1 true, i1 false
; CHECK: br i1 %any{{.*}}, label %then, label %join.flow
; CHECK: then:
; CHECK: call void @weft.mask(i1 %odd)
; CHECK: else:
; CHECK: call void @weft.mask(i1 %[[REST:.*]])
; CHECK: join.flow:
; CHECK-NOT: phi
; CHECK: %[[REST]] = xor i1 %[[TAKEN]], true
; CHECK: br i1 %any{{.*}}, label %else, label %join
define internal i32 @sides.region.0(ptr %launch, ptr %group) {
entry:
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %else
then:
  store volatile i32 1, ptr addrspace(1) null
  br label %join
else:
  store volatile i32 2, ptr addrspace(1) null
  br label %join
join:
  ret i32 -1
}
