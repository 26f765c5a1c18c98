; What follows from a row's number by a long chain of operations is computed for all rows in front of the loop over them; lanes of a row's place
; and its columns' are sums of scalars.
; RUN: weftc --passes=row-values %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare float @llvm.floor.f32(float)
declare i32 @llvm.smin.i32(i32, i32)

; CHECK-LABEL: define i32 @k.group(
; CHECK: entry:
; CHECK-DAG: [[WEIGHTS:%.*]] = alloca float, i32 8, align 32
; CHECK-DAG: [[PLACES:%.*]] = alloca i32, i32 8, align 32
; CHECK: sitofp <8 x i32> {{.*}} to <8 x float>
; CHECK: call <8 x float> @llvm.floor.v8f32(
; CHECK: call <8 x i32> @llvm.smin.v8i32(
; CHECK-DAG: store <8 x float> {{.*}}, ptr [[WEIGHTS]], align 32
; CHECK-DAG: store <8 x i32> {{.*}}, ptr [[PLACES]], align 32
; CHECK: warp:
; CHECK-NOT: floor
; CHECK-DAG: getelementptr inbounds float, ptr [[WEIGHTS]], i32 %i
; CHECK-DAG: getelementptr inbounds i32, ptr [[PLACES]], i32 %i
; CHECK: latch:
define i32 @k.group(ptr %p, ptr %q, i32 %first, float %scale, i32 %last) {
entry:
  br label %warp

warp:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %row = add i32 %i, %first
  %number = sitofp i32 %row to float
  %at = fmul float %number, %scale
  %low = call float @llvm.floor.f32(float %at)
  %weight = fsub float %at, %low
  %whole = fptosi float %low to i32
  %place = call i32 @llvm.smin.i32(i32 %whole, i32 %last)
  store i32 %place, ptr %p, align 4
  br label %latch

latch:
  store float %weight, ptr %q, align 4
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 8
  br i1 %again, label %warp, label %exit

exit:
  ret i32 -1
}

; CHECK-LABEL: define i32 @lanes.group(
; CHECK: [[LANE:%.*]] = extractelement <16 x i32> %columns, i64 8
; CHECK: warp:
; CHECK-NOT: add <16 x i32>
; CHECK: usual:
; CHECK: add nsw i32 [[LANE]], %place
; CHECK: apart:
; CHECK: add nsw <16 x i32>
define i32 @lanes.group(ptr %p, i32 %pitch, <16 x i32> %columns, i1 %c) {
entry:
  br label %warp

warp:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %place = mul i32 %i, %pitch
  %one = insertelement <16 x i32> poison, i32 %place, i64 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %sum = add nsw <16 x i32> %all, %columns
  br i1 %c, label %usual, label %apart

usual:
  %lane = extractelement <16 x i32> %sum, i64 8
  store i32 %lane, ptr %p, align 4
  br label %latch

apart:
  store <16 x i32> %sum, ptr %p, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 8
  br i1 %again, label %warp, label %exit

exit:
  ret i32 -1
}

; Vectors whose lanes are all the same are numbers, also where the first lane alone is computed; what stays is joined in front of the loop.
; CHECK-LABEL: define i32 @splats.group(
; CHECK: [[BOTH:%.*]] = or <4 x i32> %columns, <i32 -8388608, i32 -8388608, i32 -8388608, i32 -8388608>
; CHECK: fmul <8 x float> {{.*}}, <float 2.550000e+02,
; CHECK: shl <8 x i32>
; CHECK: warp:
; CHECK-NOT: fmul
; CHECK: [[ROW:%.*]] = load i32, ptr
; CHECK: [[SPLAT:%.*]] = insertelement <4 x i32> poison, i32 [[ROW]], i64 0
; CHECK: or <4 x i32> {{.*}}, [[BOTH]]
define i32 @splats.group(ptr %p, i32 %first, <4 x i32> %columns) {
entry:
  br label %warp

warp:
  %i = phi i32 [ 0, %entry ], [ %next, %warp ]
  %row = add i32 %i, %first
  %number = sitofp i32 %row to float
  %at = fmul float %number, 0x3F50000000000000
  %one = insertelement <4 x float> poison, float %at, i64 0
  %scaled = fmul <4 x float> %one, <float 2.550000e+02, float poison, float poison, float poison>
  %all = shufflevector <4 x float> %scaled, <4 x float> poison, <4 x i32> zeroinitializer
  %rounded = fadd <4 x float> %all, <float 8388608.0, float 8388608.0, float 8388608.0, float 8388608.0>
  %bits = bitcast <4 x float> %rounded to <4 x i32>
  %green = shl <4 x i32> %bits, <i32 8, i32 8, i32 8, i32 8>
  %some = or <4 x i32> %green, %columns
  %color = or <4 x i32> %some, <i32 -8388608, i32 -8388608, i32 -8388608, i32 -8388608>
  store <4 x i32> %color, ptr %p, align 4
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 8
  br i1 %again, label %warp, label %exit

exit:
  ret i32 -1
}

; A short chain stays, and what is hardly ever run, and a loop of any number of rows.
; CHECK-LABEL: define i32 @short.group(
; CHECK-NOT: alloca
; CHECK: ret
define i32 @short.group(ptr %p, i32 %first, float %scale, i32 %count) {
entry:
  br label %warp

warp:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %row = add i32 %i, %first
  %twice = mul i32 %row, %count
  store i32 %twice, ptr %p, align 4
  %rare = icmp eq i32 %i, 7
  br i1 %rare, label %seldom, label %latch, !prof !0

seldom:
  %number = sitofp i32 %row to float
  %at = fmul float %number, %scale
  %low = call float @llvm.floor.f32(float %at)
  store float %low, ptr %p, align 4
  br label %latch

latch:
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, 8
  br i1 %again, label %warp, label %more

more:
  br label %any

any:
  %j = phi i32 [ 0, %more ], [ %after, %any ]
  %height = sitofp i32 %j to float
  %high = fmul float %height, %scale
  %below = call float @llvm.floor.f32(float %high)
  store float %below, ptr %p, align 4
  %after = add i32 %j, 1
  %further = icmp ult i32 %after, %count
  br i1 %further, label %any, label %exit

exit:
  ret i32 -1
}

!0 = !{!"branch_weights", i32 1, i32 2000}
