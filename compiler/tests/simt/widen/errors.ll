; What linearize should not have left is refused.
; RUN: not weftc --passes=widen %s 2>&1 | FileCheck %s
; CHECK: widen: a divergent branch: {{ *}}br i1 %odd

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

define internal i32 @k.region.0(ptr %launch, ptr %group) {
entry:
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  ret i32 -1
}
