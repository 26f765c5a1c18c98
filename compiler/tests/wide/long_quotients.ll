; Quotients of 64-bit lanes by constants are products of 32 bits, not of each lane taken out.
; RUN: weftc --cpu=haswell --passes=long-quotients --verify-each %s | FileCheck %s

; One register after the other.
; CHECK-LABEL: define <8 x i64> @by_seven(
; CHECK-NOT: udiv
; CHECK: [[LOW:%.*]] = shufflevector <8 x i64> %x, <8 x i64> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: and <4 x i64> [[LOW]], <i64 4294967295, {{.*}}>
; CHECK: lshr <4 x i64> [[LOW]], <i64 32, {{.*}}>
; CHECK: shufflevector <8 x i64> %x, <8 x i64> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK-NOT: udiv
; CHECK: ret
define <8 x i64> @by_seven(<8 x i64> %x) {
  %q = udiv <8 x i64> %x, splat (i64 7)
  ret <8 x i64> %q
}

; CHECK-LABEL: define <4 x i64> @modulo(
; CHECK-NOT: {{[su]}}rem
; CHECK: [[PRODUCT:%.*]] = mul <4 x i64> {{.*}}, <i64 998244353, {{.*}}>
; CHECK-NEXT: sub <4 x i64> %x, [[PRODUCT]]
define <4 x i64> @modulo(<4 x i64> %x) {
  %r = urem <4 x i64> %x, splat (i64 998244353)
  ret <4 x i64> %r
}

; CHECK-LABEL: define <4 x i64> @signed(
; CHECK-NOT: {{[su]}}{{div|rem}}
; CHECK: ret
define <4 x i64> @signed(<4 x i64> %x, <4 x i64> %y) {
  %q = sdiv <4 x i64> %x, splat (i64 -10)
  %r = srem <4 x i64> %y, splat (i64 641)
  %s = add <4 x i64> %q, %r
  ret <4 x i64> %s
}

; Powers of two are shifts, and LLVM divides words by itself. Numbers are divided by a product of the processor's.
; CHECK-LABEL: define <4 x i64> @left(
; CHECK: udiv <4 x i64> %x, <i64 8, {{.*}}>
; CHECK: udiv <4 x i32> %w, <i32 7, {{.*}}>
; CHECK: udiv i64 %n, 7
; CHECK: udiv <4 x i64> {{.*}}, %x
define <4 x i64> @left(<4 x i64> %x, <4 x i32> %w, i64 %n) {
  %a = udiv <4 x i64> %x, splat (i64 8)
  %b = udiv <4 x i32> %w, splat (i32 7)
  %c = udiv i64 %n, 7
  %d = zext <4 x i32> %b to <4 x i64>
  %e = add <4 x i64> %a, %d
  %f = insertelement <4 x i64> %e, i64 %c, i64 0
  %g = udiv <4 x i64> %f, %x
  ret <4 x i64> %g
}
