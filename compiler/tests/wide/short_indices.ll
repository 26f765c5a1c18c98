; An index that 32 bits hold and that is made in another block is extended where a gather or scatter is.
; RUN: weftc --cpu=skylake-avx512 --passes=short-indices --verify-each %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr>, i32, <16 x i1>, <16 x float>)
declare void @llvm.masked.scatter.v16f32.v16p0(<16 x float>, <16 x ptr>, i32, <16 x i1>)

; CHECK-LABEL: define void @extended(
; CHECK-NEXT: entry:
; CHECK-NEXT: br i1
; CHECK: then:
; CHECK-NEXT: [[READ:%.*]] = sext <16 x i32> %k to <16 x i64>
; CHECK-NEXT: [[FROM:%.*]] = getelementptr float, ptr %a, <16 x i64> [[READ]]
; CHECK-NEXT: call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> [[FROM]]
; CHECK-NEXT: [[WRITTEN:%.*]] = sext <16 x i32> %k to <16 x i64>
; CHECK-NEXT: [[TO:%.*]] = getelementptr float, ptr %b, <16 x i64> [[WRITTEN]]
; CHECK-NEXT: call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v, <16 x ptr> [[TO]]
define void @extended(ptr %a, ptr %b, <16 x i32> %k, <16 x i1> %m, i1 %c) {
entry:
  %index = sext <16 x i32> %k to <16 x i64>
  %to = getelementptr float, ptr %b, <16 x i64> %index
  br i1 %c, label %then, label %end
then:
  %from = getelementptr float, ptr %a, <16 x i64> %index
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %from, i32 4, <16 x i1> %m, <16 x float> poison)
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v, <16 x ptr> %to, i32 4, <16 x i1> %m)
  br label %end
end:
  ret void
}

; Of another sum its bits say so.
; CHECK-LABEL: define void @known(
; CHECK: %index = and <16 x i64> %k,
; CHECK-NEXT: [[SHORT:%.*]] = trunc <16 x i64> %index to <16 x i32>
; CHECK: then:
; CHECK-NEXT: sext <16 x i32> [[SHORT]] to <16 x i64>
define void @known(ptr %a, <16 x i64> %k, <16 x i1> %m, i1 %c, ptr %out) {
entry:
  %index = and <16 x i64> %k, splat (i64 1023)
  br i1 %c, label %then, label %end
then:
  %from = getelementptr float, ptr %a, <16 x i64> %index
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %from, i32 4, <16 x i1> %m, <16 x float> poison)
  store <16 x float> %v, ptr %out
  br label %end
end:
  ret void
}

; Anywhere, and in the gather's own block: as they were.
; CHECK-LABEL: define void @others(
; CHECK-NOT: trunc
; CHECK: %near = sext
; CHECK: ret void
define void @others(ptr %a, <16 x i64> %k, <16 x i32> %i, <16 x i1> %m, i1 %c, ptr %out) {
entry:
  %index = shl <16 x i64> %k, splat (i64 1)
  br i1 %c, label %then, label %end
then:
  %from = getelementptr float, ptr %a, <16 x i64> %index
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %from, i32 4, <16 x i1> %m, <16 x float> poison)
  store <16 x float> %v, ptr %out
  %near = sext <16 x i32> %i to <16 x i64>
  %beside = getelementptr float, ptr %a, <16 x i64> %near
  %w = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %beside, i32 4, <16 x i1> %m, <16 x float> poison)
  store <16 x float> %w, ptr %out
  br label %end
end:
  ret void
}
