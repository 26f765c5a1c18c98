; Comparisons and extensions of what differs between lanes by constants are hidden on processors with registers of 128 bits, no others; masks of known lanes that are spread, on those without mask registers.
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

; A mask spread over words of lanes, some of which are known to be off: hidden where masks have no registers. One that is not spread stays.
; CHECK-LABEL: define void @spread(
; CHECK: %mask = and
; CHECK-NEXT: [[BYTES:%.*]] = sext <8 x i1> %mask to <8 x i8>
; CHECK: [[FENCE:%.*]] = call <2 x float> @llvm.arithmetic.fence.v2f32(
; CHECK: [[HIDDEN:%.*]] = icmp ne <8 x i8>
; CHECK: %words = shufflevector <8 x i1> [[HIDDEN]],
; CHECK: @llvm.masked.load.v8i32.p0(ptr %q, i32 4, <8 x i1> %mask,
define void @spread(ptr %p, ptr %q, <8 x i1> %on, ptr %out) {
  %mask = and <8 x i1> %on, <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>
  %words = shufflevector <8 x i1> %mask, <8 x i1> poison, <16 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7>
  %a = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %p, i32 4, <16 x i1> %words, <16 x i32> poison)
  store <16 x i32> %a, ptr %out
  %b = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %q, i32 4, <8 x i1> %mask, <8 x i32> poison)
  store <8 x i32> %b, ptr %out
  ret void
}
declare <16 x i32> @llvm.masked.load.v16i32.p0(ptr, i32, <16 x i1>, <16 x i32>)
declare <8 x i32> @llvm.masked.load.v8i32.p0(ptr, i32, <8 x i1>, <8 x i32>)
