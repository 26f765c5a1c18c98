; Control flow that canonicalize-cfg does not leave is refused, not miscompiled.
; RUN: not weftc --passes=linearize %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare i32 @__weft_local_id_x() memory(none)

; CHECK: linearize: a divergent branch has two sides in sides.region.0
define internal i32 @sides.region.0(ptr %launch, ptr %group) {
entry:
  %lid = call i32 @__weft_local_id_x()
  %odd = trunc i32 %lid to i1
  br i1 %odd, label %then, label %else
then:
  br label %join
else:
  br label %join
join:
  ret i32 -1
}
