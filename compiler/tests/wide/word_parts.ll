; Parts of words that are all computed alike stay where they lie.
; RUN: weftc --cpu=haswell --passes=word-parts --verify-each %s | FileCheck %s

; CHECK-LABEL: define <8 x i32> @inverted(
; CHECK-NEXT: [[BYTES:%.*]] = bitcast <8 x i32> %x to <32 x i8>
; CHECK-NEXT: [[OTHERS:%.*]] = xor <32 x i8> [[BYTES]], <i8 -1, i8 -1, i8 -1, i8 -1, i8 -1,
; CHECK-NEXT: [[WORDS:%.*]] = bitcast <32 x i8> [[OTHERS]] to <8 x i32>
; CHECK-NEXT: ret <8 x i32> [[WORDS]]
define <8 x i32> @inverted(<8 x i32> %x) {
  %b0 = trunc <8 x i32> %x to <8 x i8>
  %s1 = lshr <8 x i32> %x, splat (i32 8)
  %b1 = trunc <8 x i32> %s1 to <8 x i8>
  %s2 = lshr <8 x i32> %x, splat (i32 16)
  %b2 = trunc <8 x i32> %s2 to <8 x i8>
  %s3 = lshr <8 x i32> %x, splat (i32 24)
  %b3 = trunc <8 x i32> %s3 to <8 x i8>
  %n0 = xor <8 x i8> %b0, splat (i8 -1)
  %n1 = xor <8 x i8> %b1, splat (i8 -1)
  %n2 = xor <8 x i8> %b2, splat (i8 -1)
  %n3 = xor <8 x i8> %b3, splat (i8 -1)
  %w0 = zext <8 x i8> %n0 to <8 x i32>
  %z1 = zext <8 x i8> %n1 to <8 x i32>
  %w1 = shl <8 x i32> %z1, splat (i32 8)
  %o1 = or <8 x i32> %w1, %w0
  %z2 = zext <8 x i8> %n2 to <8 x i32>
  %w2 = shl <8 x i32> %z2, splat (i32 16)
  %o2 = or <8 x i32> %o1, %w2
  %z3 = zext <8 x i8> %n3 to <8 x i32>
  %w3 = shl <8 x i32> %z3, splat (i32 24)
  %o3 = or <8 x i32> %o2, %w3
  ret <8 x i32> %o3
}

; A part that nothing happens to, of two words, by a function.
; CHECK-LABEL: define <4 x i32> @untouched(
; CHECK-DAG: [[X:%.*]] = bitcast <4 x i32> %x to <8 x i16>
; CHECK: add <8 x i16> [[X]], <i16 7, i16 0, i16 7, i16 0, i16 7, i16 0, i16 7, i16 0>
; CHECK-LABEL: define <4 x i32> @brighter(
; CHECK-DAG: [[X:%.*]] = bitcast <4 x i32> %x to <8 x i16>
; CHECK-DAG: [[Y:%.*]] = bitcast <4 x i32> %y to <8 x i16>
; CHECK: call <8 x i16> @llvm.uadd.sat.v8i16(<8 x i16> [[X]], <8 x i16> [[Y]])
define <4 x i32> @untouched(<4 x i32> %x) {
  %low = trunc <4 x i32> %x to <4 x i16>
  %sum = add <4 x i16> %low, splat (i16 7)
  %z = zext <4 x i16> %sum to <4 x i32>
  %high = and <4 x i32> %x, splat (i32 -65536)
  %o = or disjoint <4 x i32> %high, %z
  ret <4 x i32> %o
}
define <4 x i32> @brighter(<4 x i32> %x, <4 x i32> %y) {
  %a0 = trunc <4 x i32> %x to <4 x i16>
  %xs = lshr <4 x i32> %x, splat (i32 16)
  %a1 = trunc <4 x i32> %xs to <4 x i16>
  %b0 = trunc <4 x i32> %y to <4 x i16>
  %ys = lshr <4 x i32> %y, splat (i32 16)
  %b1 = trunc <4 x i32> %ys to <4 x i16>
  %s0 = call <4 x i16> @llvm.uadd.sat.v4i16(<4 x i16> %a0, <4 x i16> %b0)
  %s1 = call <4 x i16> @llvm.uadd.sat.v4i16(<4 x i16> %a1, <4 x i16> %b1)
  %z0 = zext <4 x i16> %s0 to <4 x i32>
  %z1 = zext <4 x i16> %s1 to <4 x i32>
  %h = shl <4 x i32> %z1, splat (i32 16)
  %o = or disjoint <4 x i32> %h, %z0
  ret <4 x i32> %o
}

; Exchanged, or computed otherwise: each part goes its own way.
; CHECK-LABEL: define <4 x i32> @exchanged(
; CHECK-NOT: bitcast
; CHECK-LABEL: define <4 x i32> @unlike(
; CHECK-NOT: bitcast
define <4 x i32> @exchanged(<4 x i32> %x) {
  %low = trunc <4 x i32> %x to <4 x i16>
  %s = lshr <4 x i32> %x, splat (i32 16)
  %high = trunc <4 x i32> %s to <4 x i16>
  %n0 = xor <4 x i16> %high, splat (i16 -1)
  %n1 = xor <4 x i16> %low, splat (i16 -1)
  %z0 = zext <4 x i16> %n0 to <4 x i32>
  %z1 = zext <4 x i16> %n1 to <4 x i32>
  %h = shl <4 x i32> %z1, splat (i32 16)
  %o = or disjoint <4 x i32> %h, %z0
  ret <4 x i32> %o
}
define <4 x i32> @unlike(<4 x i32> %x) {
  %low = trunc <4 x i32> %x to <4 x i16>
  %s = lshr <4 x i32> %x, splat (i32 16)
  %high = trunc <4 x i32> %s to <4 x i16>
  %n0 = xor <4 x i16> %low, splat (i16 -1)
  %n1 = add <4 x i16> %high, splat (i16 1)
  %z0 = zext <4 x i16> %n0 to <4 x i32>
  %z1 = zext <4 x i16> %n1 to <4 x i32>
  %h = shl <4 x i32> %z1, splat (i32 16)
  %o = or disjoint <4 x i32> %h, %z0
  ret <4 x i32> %o
}
declare <4 x i16> @llvm.uadd.sat.v4i16(<4 x i16>, <4 x i16>)
