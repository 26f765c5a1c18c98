; Lanes whose places in memory follow each other are stored two or four at a time.
; RUN: weftc --cpu=znver4 --passes=paired-stores %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Two rows of a tile, turned: places 4 bytes from each other by the loop's counters.
; CHECK-LABEL: define void @pairs(
; CHECK: [[FLOATS:%.*]] = shufflevector <4 x float> %a, <4 x float> %b, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
; CHECK: [[PAIRS:%.*]] = bitcast <8 x float> [[FLOATS]] to <4 x double>
; CHECK: [[PAIR:%.*]] = extractelement <4 x double> [[PAIRS]], i64 0
; CHECK: store double [[PAIR]], ptr %p, align 4
; CHECK: [[PAIR:%.*]] = extractelement <4 x double> [[PAIRS]], i64 3
; CHECK: store double [[PAIR]], ptr %p3, align 4
; CHECK-NOT: store float
; CHECK: ret void
define void @pairs(ptr %tile, <4 x float> %a, <4 x float> %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = phi i64 [ 1, %entry ], [ %j.next, %loop ]
  %p = getelementptr float, ptr %tile, i64 %i
  %q = getelementptr float, ptr %tile, i64 %j
  %p1 = getelementptr i8, ptr %p, i64 256
  %p2 = getelementptr i8, ptr %p, i64 512
  %p3 = getelementptr i8, ptr %p, i64 768
  %q1 = getelementptr i8, ptr %q, i64 256
  %q2 = getelementptr i8, ptr %q, i64 512
  %q3 = getelementptr i8, ptr %q, i64 768
  %a0 = extractelement <4 x float> %a, i64 0
  store float %a0, ptr %p, align 4
  %a1 = extractelement <4 x float> %a, i64 1
  store float %a1, ptr %p1, align 4
  %a2 = extractelement <4 x float> %a, i64 2
  store float %a2, ptr %p2, align 4
  %a3 = extractelement <4 x float> %a, i64 3
  store float %a3, ptr %p3, align 4
  %b0 = extractelement <4 x float> %b, i64 0
  store float %b0, ptr %q, align 4
  %b1 = extractelement <4 x float> %b, i64 1
  store float %b1, ptr %q1, align 4
  %b2 = extractelement <4 x float> %b, i64 2
  store float %b2, ptr %q2, align 4
  %b3 = extractelement <4 x float> %b, i64 3
  store float %b3, ptr %q3, align 4
  %next = add nuw nsw i64 %i, 2
  %j.next = add nuw nsw i64 %j, 2
  %end = icmp eq i64 %next, 16
  br i1 %end, label %done, label %loop
done:
  ret void
}

; Four rows: pairs of pairs.
; CHECK-LABEL: define void @fours(
; CHECK: [[FOURS:%.*]] = shufflevector <2 x double> {{%.*}}, <2 x double> {{%.*}}, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
; CHECK: [[FOUR:%.*]] = shufflevector <4 x double> [[FOURS]], <4 x double> poison, <2 x i32> <i32 0, i32 1>
; CHECK: store <2 x double> [[FOUR]], ptr %p, align 4
; CHECK: store <2 x double>
; CHECK-NOT: store
; CHECK: ret void
define void @fours(ptr %p, <2 x i32> %a, <2 x i32> %b, <2 x i32> %c, <2 x i32> %d) {
  %p4 = getelementptr i8, ptr %p, i64 4
  %p8 = getelementptr i8, ptr %p, i64 8
  %p12 = getelementptr i8, ptr %p, i64 12
  %q = getelementptr i8, ptr %p, i64 64
  %q4 = getelementptr i8, ptr %p, i64 68
  %q8 = getelementptr i8, ptr %p, i64 72
  %q12 = getelementptr i8, ptr %p, i64 76
  %a0 = extractelement <2 x i32> %a, i64 0
  store i32 %a0, ptr %p, align 4
  %a1 = extractelement <2 x i32> %a, i64 1
  store i32 %a1, ptr %q, align 4
  %b0 = extractelement <2 x i32> %b, i64 0
  store i32 %b0, ptr %p4, align 4
  %b1 = extractelement <2 x i32> %b, i64 1
  store i32 %b1, ptr %q4, align 4
  %c0 = extractelement <2 x i32> %c, i64 0
  store i32 %c0, ptr %p8, align 4
  %c1 = extractelement <2 x i32> %c, i64 1
  store i32 %c1, ptr %q8, align 4
  %d0 = extractelement <2 x i32> %d, i64 0
  store i32 %d0, ptr %p12, align 4
  %d1 = extractelement <2 x i32> %d, i64 1
  store i32 %d1, ptr %q12, align 4
  ret void
}

; One place is stored to twice: the order counts.
; CHECK-LABEL: define void @twice(
; CHECK-COUNT-9: store i32
define void @twice(ptr %p, <8 x i32> %a) {
  %p1 = getelementptr i8, ptr %p, i64 4
  %p2 = getelementptr i8, ptr %p, i64 8
  %p3 = getelementptr i8, ptr %p, i64 12
  %p4 = getelementptr i8, ptr %p, i64 16
  %p5 = getelementptr i8, ptr %p, i64 20
  %p6 = getelementptr i8, ptr %p, i64 24
  %p7 = getelementptr i8, ptr %p, i64 28
  %a0 = extractelement <8 x i32> %a, i64 0
  store i32 %a0, ptr %p, align 4
  %a1 = extractelement <8 x i32> %a, i64 1
  store i32 %a1, ptr %p1, align 4
  %a2 = extractelement <8 x i32> %a, i64 2
  store i32 %a2, ptr %p2, align 4
  %a3 = extractelement <8 x i32> %a, i64 3
  store i32 %a3, ptr %p3, align 4
  %a4 = extractelement <8 x i32> %a, i64 4
  store i32 %a4, ptr %p4, align 4
  %a5 = extractelement <8 x i32> %a, i64 5
  store i32 %a5, ptr %p5, align 4
  %a6 = extractelement <8 x i32> %a, i64 6
  store i32 %a6, ptr %p6, align 4
  %a7 = extractelement <8 x i32> %a, i64 7
  store i32 %a7, ptr %p7, align 4
  store i32 %a0, ptr %p7, align 4
  ret void
}
