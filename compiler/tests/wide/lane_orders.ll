; Which of two sorted values a lane takes is known: the least and the greatest, and no mask.
; RUN: weftc --cpu=haswell --passes=lane-orders --verify-each %s | FileCheck %s

; CHECK-LABEL: define <4 x i32> @rising(
; CHECK-NEXT: [[LEAST:%.*]] = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %a, <4 x i32> %b)
; CHECK-NEXT: [[GREATEST:%.*]] = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %a, <4 x i32> %b)
; CHECK-NEXT: shufflevector <4 x i32> [[LEAST]], <4 x i32> [[GREATEST]], <4 x i32> <i32 0, i32 1, i32 6, i32 7>
; CHECK-NEXT: ret
define <4 x i32> @rising(<4 x i32> %a, <4 x i32> %b) {
  %more = icmp ugt <4 x i32> %a, %b
  %turned = xor <4 x i1> %more, <i1 false, i1 false, i1 true, i1 true>
  %low = select <4 x i1> %turned, <4 x i32> %b, <4 x i32> %a
  ret <4 x i32> %low
}

; CHECK-LABEL: define <4 x i16> @high(
; CHECK: shufflevector <4 x i16> {{%.*}}, <4 x i16> {{%.*}}, <4 x i32> <i32 4, i32 5, i32 2, i32 3>
define <4 x i16> @high(<4 x i16> %a, <4 x i16> %b) {
  %less = icmp sle <4 x i16> %a, %b
  %turned = xor <4 x i1> %less, <i1 false, i1 false, i1 true, i1 true>
  %high = select <4 x i1> %turned, <4 x i16> %b, <4 x i16> %a
  ret <4 x i16> %high
}

; Not of the values that are compared, and of 64 bits, whose least AVX2 does not have.
; CHECK-LABEL: define <4 x i32> @others(
; CHECK-NOT: umin
; CHECK-LABEL: define <4 x i64> @long(
; CHECK-NOT: umin
; CHECK: ret <4 x i64>
define <4 x i32> @others(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c) {
  %more = icmp ugt <4 x i32> %a, %b
  %turned = xor <4 x i1> %more, <i1 false, i1 false, i1 true, i1 true>
  %low = select <4 x i1> %turned, <4 x i32> %c, <4 x i32> %a
  ret <4 x i32> %low
}
define <4 x i64> @long(<4 x i64> %a, <4 x i64> %b) {
  %more = icmp ugt <4 x i64> %a, %b
  %turned = xor <4 x i1> %more, <i1 false, i1 false, i1 true, i1 true>
  %low = select <4 x i1> %turned, <4 x i64> %b, <4 x i64> %a
  ret <4 x i64> %low
}
