; A mask of a question that all lanes share beside a number's bits is known, lane by lane, behind the branch that asks the question.
; RUN: weftc --passes=decided-masks %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32 immarg, <4 x i1>)
declare void @use(i1)

; The question may be asked twice, and a mask may be made of the number that it is about; where other lanes run, none of these do.
; CHECK-LABEL: define void @first_lanes(
; CHECK: br i1 %again, label %some, label %none
; CHECK: some:
; CHECK: call void @llvm.masked.store{{.*}}(<4 x float> %v, ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 false>)
; CHECK: %at = getelementptr float, ptr %p, i32 %first
; CHECK: call void @llvm.masked.store{{.*}}(<4 x float> %v, ptr %at, i32 4, <4 x i1> <i1 false, i1 false, i1 false, i1 true>)
; CHECK: none:
; CHECK: call void @llvm.masked.store{{.*}}(<4 x float> %v, ptr %p, i32 4, <4 x i1> zeroinitializer)
; CHECK: call void @llvm.masked.store{{.*}}(<4 x float> %v, ptr %p, i32 4, <4 x i1> %unknown)
; CHECK: join:
; CHECK: call void @llvm.masked.store{{.*}}(<4 x float> %v, ptr %p, i32 4, <4 x i1> %mask)
define void @first_lanes(i32 %first, ptr %p, <4 x float> %v) {
  %is.first = icmp eq i32 %first, 0
  %count = select i1 %is.first, i8 2, i8 0
  %one = insertelement <4 x i8> poison, i8 %count, i64 0
  %splat = shufflevector <4 x i8> %one, <4 x i8> poison, <4 x i32> zeroinitializer
  %mask = icmp ugt <4 x i8> %splat, <i8 0, i8 1, i8 2, i8 3>
  %number = insertelement <4 x i32> poison, i32 %first, i64 0
  %numbers = shufflevector <4 x i32> %number, <4 x i32> poison, <4 x i32> zeroinitializer
  %lanes = add <4 x i32> %numbers, <i32 0, i32 1, i32 2, i32 3>
  %unknown = icmp ugt <4 x i32> %lanes, <i32 2, i32 2, i32 2, i32 2>
  %again = icmp eq i32 %first, 0
  br i1 %again, label %some, label %none

some:
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 4, <4 x i1> %mask)
  %at = getelementptr float, ptr %p, i32 %first
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %at, i32 4, <4 x i1> %unknown)
  br label %join

none:
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 4, <4 x i1> %mask)
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 4, <4 x i1> %unknown)
  br label %join

join:
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 4, <4 x i1> %mask)
  ret void
}

; Both sides of `and`, the opposite comparison, and a mask all of whose lanes are on.
; CHECK-LABEL: define void @conditions(
; CHECK: both:
; CHECK: call void @use(i1 false)
; CHECK: br i1 true,
; CHECK: all:
; CHECK: call void @llvm.masked.store{{.*}}(<4 x float> %v, ptr %p, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>)
; CHECK: end:
; CHECK: call void @use(i1 %above)
define void @conditions(i32 %a, i32 %b, <4 x i1> %mask, ptr %p, <4 x float> %v) {
  %below = icmp ult i32 %a, %b
  %above = icmp uge i32 %a, %b
  %bits = bitcast <4 x i1> %mask to i4
  %full = icmp eq i4 %bits, -1
  %asked = and i1 %below, %full
  br i1 %asked, label %both, label %end

both:
  call void @use(i1 %above)
  br i1 %full, label %all, label %end

all:
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v, ptr %p, i32 4, <4 x i1> %mask)
  br label %end

end:
  call void @use(i1 %above)
  ret void
}
