; Comparisons and extensions of what differs between lanes by constants are hidden on processors with registers of 128 bits; no others.
; RUN: weftc --passes=known-lanes --cpu=nehalem --verify-each %s | FileCheck %s --check-prefixes=CHECK,HIDDEN
; RUN: weftc --passes=known-lanes --cpu=haswell --verify-each %s | FileCheck %s --check-prefixes=CHECK,PLAIN

; CHECK-LABEL: define <8 x i1> @ids(
; HIDDEN: [[FENCE:%.*]] = call <8 x float> @llvm.arithmetic.fence.v8f32(
; HIDDEN: [[AND:%.*]] = bitcast <8 x float> [[FENCE]] to <8 x i32>
; HIDDEN: icmp ne <8 x i32> [[AND]], zeroinitializer
; PLAIN: icmp ne <8 x i32> %and, zeroinitializer
define <8 x i1> @ids(<8 x i32> %base) {
  %id = add <8 x i32> %base, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %and = and <8 x i32> %id, splat (i32 4)
  %c = icmp ne <8 x i32> %and, zeroinitializer
  ret <8 x i1> %c
}

; CHECK-LABEL: define <8 x i64> @extended(
; HIDDEN: [[FENCE:%.*]] = call <4 x float> @llvm.arithmetic.fence.v4f32(
; HIDDEN: [[PART:%.*]] = bitcast <4 x float> [[FENCE]] to <8 x i16>
; HIDDEN: zext <8 x i16> [[PART]] to <8 x i64>
; PLAIN: zext <8 x i16> %part to <8 x i64>
define <8 x i64> @extended(<8 x i16> %value) {
  %part = and <8 x i16> %value, <i16 0, i16 0, i16 0, i16 0, i16 1, i16 1, i16 1, i16 1>
  %w = zext <8 x i16> %part to <8 x i64>
  ret <8 x i64> %w
}

; CHECK-LABEL: define <8 x i1> @others(
; CHECK: icmp ne <8 x i32> %and, zeroinitializer
define <8 x i1> @others(<8 x i32> %value) {
  %and = and <8 x i32> %value, splat (i32 4)
  %c = icmp ne <8 x i32> %and, zeroinitializer
  ret <8 x i1> %c
}
