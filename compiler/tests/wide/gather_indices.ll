; A lane whose address is poison for certain takes another lane's, so that no piece of a split gather has an undefined index.
; RUN: weftc --cpu=haswell --passes=gather-indices %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @partial(
; CHECK: [[PTRS:%.*]] = getelementptr
; CHECK: [[ALL:%.*]] = shufflevector <8 x ptr> [[PTRS]], <8 x ptr> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 0, i32 0, i32 0>
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> [[ALL]],
define void @partial(ptr %a, <4 x i64> %i, <8 x i1> %m, ptr %out) {
  %wide = shufflevector <4 x i64> %i, <4 x i64> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  %twice = shl <8 x i64> %wide, <i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1, i64 1>
  %p = getelementptr i32, ptr %a, <8 x i64> %twice
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %out
  ret void
}

; Defined in all lanes: as it was.
; CHECK-LABEL: define void @whole(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @whole(ptr %a, <8 x i64> %i, <8 x i1> %m, ptr %out) {
  %p = getelementptr i32, ptr %a, <8 x i64> %i
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %out
  ret void
}

; No lane has an address: there is nothing to read.
; CHECK-LABEL: define void @nothing(
; CHECK-NOT: masked.gather
; CHECK: store <8 x i32> %other
define void @nothing(<8 x i32> %other, ptr %out) {
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> poison, i32 4, <8 x i1> zeroinitializer, <8 x i32> %other)
  store <8 x i32> %v, ptr %out
  ret void
}

; A variable of which one lane is ever stored, kept around a loop.
; CHECK-LABEL: define void @around(
; CHECK: [[PTRS:%.*]] = getelementptr
; CHECK: [[ALL:%.*]] = shufflevector <8 x ptr> [[PTRS]], <8 x ptr> poison, <8 x i32> zeroinitializer
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> [[ALL]],
define void @around(ptr %a, ptr %numbers, <8 x i1> %m, ptr %out) {
entry:
  br label %loop
loop:
  %kept = phi <8 x i64> [ undef, %entry ], [ %next, %more ], [ %kept, %loop ]
  %i = load i64, ptr %numbers
  %again = icmp sgt i64 %i, 100
  br i1 %again, label %loop, label %more
more:
  %next = insertelement <8 x i64> %kept, i64 %i, i64 0
  %p = getelementptr i32, ptr %a, <8 x i64> %next
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %out
  %go = icmp sgt i64 %i, 0
  br i1 %go, label %loop, label %done
done:
  ret void
}

; The same with another value at the start: as it was.
; CHECK-LABEL: define void @stored(
; CHECK-NOT: shufflevector
; CHECK: ret void
define void @stored(ptr %a, <8 x i64> %first, ptr %numbers, <8 x i1> %m, ptr %out) {
entry:
  br label %loop
loop:
  %kept = phi <8 x i64> [ %first, %entry ], [ %next, %loop ]
  %i = load i64, ptr %numbers
  %next = insertelement <8 x i64> %kept, i64 %i, i64 0
  %p = getelementptr i32, ptr %a, <8 x i64> %next
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %out
  %go = icmp sgt i64 %i, 0
  br i1 %go, label %loop, label %done
done:
  ret void
}
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
