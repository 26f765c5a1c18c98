; Sums of bytes that are only compared, in bytes that stay at 255.
; RUN: weftc --cpu=icelake-server --passes=saturated-bytes --verify-each %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define <64 x i1> @compared(
; CHECK-NEXT: [[AB:%.*]] = call <64 x i8> @llvm.uadd.sat.v64i8(<64 x i8> %a, <64 x i8> %b)
; CHECK-NEXT: [[SUM:%.*]] = call <64 x i8> @llvm.uadd.sat.v64i8(<64 x i8> [[AB]], <64 x i8> %c)
; CHECK-NEXT: [[THREE:%.*]] = icmp eq <64 x i8> [[SUM]], {{.*}}i8 3
; CHECK-NEXT: [[LARGE:%.*]] = icmp ugt <64 x i8> [[SUM]], {{.*}}i8 -2
; CHECK-NEXT: or <64 x i1> [[THREE]], [[LARGE]]
define <64 x i1> @compared(<64 x i8> %a, <64 x i8> %b, <64 x i8> %c) {
  %x = zext <64 x i8> %a to <64 x i32>
  %y = zext <64 x i8> %b to <64 x i32>
  %z = zext <64 x i8> %c to <64 x i32>
  %xy = add nuw nsw <64 x i32> %x, %y
  %sum = add nuw nsw <64 x i32> %xy, %z
  %three = icmp eq <64 x i32> %sum, splat (i32 3)
  %large = icmp sgt <64 x i32> %sum, splat (i32 254)
  %is = or <64 x i1> %three, %large
  ret <64 x i1> %is
}

; Bits cannot reach 255. Minima and maxima stay what they are.
; CHECK-LABEL: define <64 x i1> @bits(
; CHECK: [[A:%.*]] = zext <64 x i1> %a to <64 x i8>
; CHECK: [[SUM:%.*]] = add <64 x i8> [[A]]
; CHECK: [[MOST:%.*]] = call <64 x i8> @llvm.umax.v64i8(<64 x i8> [[SUM]], <64 x i8> %c)
; CHECK: icmp ult <64 x i8> [[MOST]], {{.*}}i8 2
define <64 x i1> @bits(<64 x i1> %a, <64 x i1> %b, <64 x i8> %c) {
  %x = zext <64 x i1> %a to <64 x i16>
  %y = zext <64 x i1> %b to <64 x i16>
  %z = zext <64 x i8> %c to <64 x i16>
  %xy = add <64 x i16> %x, %y
  %most = call <64 x i16> @llvm.smax.v64i16(<64 x i16> %xy, <64 x i16> %z)
  %is = icmp slt <64 x i16> %most, splat (i16 2)
  ret <64 x i1> %is
}

; 255 itself, a sum that is wanted, too, and one that may be negative stay in int.
; CHECK-LABEL: define void @others(
; CHECK-NOT: sat
; CHECK-NOT: icmp {{.*}} i8>
; CHECK: ret void
define void @others(<64 x i8> %a, <64 x i8> %b, ptr %p, ptr %q) {
  %x = zext <64 x i8> %a to <64 x i32>
  %y = zext <64 x i8> %b to <64 x i32>
  %sum = add nuw nsw <64 x i32> %x, %y
  %is = icmp eq <64 x i32> %sum, splat (i32 255)
  store <64 x i1> %is, ptr %p
  %other = add nuw nsw <64 x i32> %x, splat (i32 9)
  %less = icmp slt <64 x i32> %other, splat (i32 100)
  store <64 x i1> %less, ptr %p
  store <64 x i32> %other, ptr %q
  %difference = sub nsw <64 x i32> %x, %y
  %positive = icmp sgt <64 x i32> %difference, splat (i32 3)
  store <64 x i1> %positive, ptr %p
  ret void
}

declare <64 x i16> @llvm.smax.v64i16(<64 x i16>, <64 x i16>)
