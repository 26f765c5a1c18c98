; RUN: weftc --passes=ternary-logic --cpu=znver4 %s | FileCheck %s
; RUN: weftc --passes=ternary-logic --cpu=haswell %s | FileCheck %s --check-prefix=NONE
; NONE-NOT: pternlog

; A majority, of two registers. 232 is 0b11101000: where two or three of a, b and c are.
define <32 x i32> @majority(<32 x i32> %a, <32 x i32> %b, <32 x i32> %c) {
; CHECK-LABEL: @majority(
; CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512({{.*}}, i32 232)
; CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512({{.*}}, i32 232)
; CHECK-NOT: {{ (and|or|xor) }}
; CHECK: ret
  %both = and <32 x i32> %a, %b
  %either = xor <32 x i32> %a, %b
  %third = and <32 x i32> %either, %c
  %r = or disjoint <32 x i32> %third, %both
  ret <32 x i32> %r
}

; Of three products, and of numbers of other widths.
define <8 x i64> @products(<8 x i64> %a, <8 x i64> %b, <8 x i64> %c) {
; CHECK-LABEL: @products(
; CHECK: call <8 x i64> @llvm.x86.avx512.pternlog.q.512({{.*}}, i32 232)
; CHECK-NOT: {{ (and|or|xor) }}
; CHECK: ret
  %ab = and <8 x i64> %a, %b
  %ac = and <8 x i64> %a, %c
  %bc = and <8 x i64> %b, %c
  %one = or <8 x i64> %ab, %ac
  %r = or <8 x i64> %one, %bc
  ret <8 x i64> %r
}

define <32 x i8> @bytes(<32 x i8> %a, <32 x i8> %b, <32 x i8> %c) {
; CHECK-LABEL: @bytes(
; CHECK: call <8 x i32> @llvm.x86.avx512.pternlog.d.256({{.*}}, i32 232)
; CHECK: bitcast
; CHECK: ret
  %both = and <32 x i8> %a, %b
  %either = or <32 x i8> %a, %b
  %third = and <32 x i8> %either, %c
  %r = or <32 x i8> %third, %both
  ret <32 x i8> %r
}

; A complement is part of the table, and a constant is one of three values.
define <16 x i32> @complement(<16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: @complement(
; CHECK: call <16 x i32> @llvm.x86.avx512.pternlog.d.512({{.*}}, i32 {{[0-9]+}})
; CHECK-NOT: {{ (and|or|xor) }}
; CHECK: ret
  %not = xor <16 x i32> %b, splat (i32 -1)
  %one = and <16 x i32> %not, %a
  %other = xor <16 x i32> %one, splat (i32 255)
  %r = or <16 x i32> %other, %b
  ret <16 x i32> %r
}

; Two operations are one instruction of LLVM's.
define <16 x i32> @two(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c) {
; CHECK-LABEL: @two(
; CHECK-NOT: pternlog
; CHECK: ret
  %one = and <16 x i32> %a, %b
  %r = or <16 x i32> %one, %c
  ret <16 x i32> %r
}

; What something else uses is computed for that, and would be computed twice.
define <16 x i32> @shared(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, ptr %p) {
; CHECK-LABEL: @shared(
; CHECK-NOT: pternlog
; CHECK: ret
  %both = and <16 x i32> %a, %b
  %either = xor <16 x i32> %a, %b
  store <16 x i32> %either, ptr %p
  store <16 x i32> %both, ptr %p
  %third = and <16 x i32> %either, %c
  %r = or disjoint <16 x i32> %third, %both
  ret <16 x i32> %r
}

; A choice might make a masked one of it, and an `or` of two shifts a rotate.
define <16 x i32> @chosen(<16 x i1> %m, <16 x i32> %a, <16 x i32> %b, <16 x i32> %c) {
; CHECK-LABEL: @chosen(
; CHECK-NOT: pternlog
; CHECK: ret
  %both = and <16 x i32> %a, %b
  %either = xor <16 x i32> %a, %b
  %third = and <16 x i32> %either, %c
  %or = or disjoint <16 x i32> %third, %both
  %r = select <16 x i1> %m, <16 x i32> %or, <16 x i32> %a
  ret <16 x i32> %r
}

define <16 x i32> @rotated(<16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: @rotated(
; CHECK: or <16 x i32> %low, %high
; CHECK-NOT: pternlog
; CHECK: ret
  %low = lshr <16 x i32> %a, splat (i32 3)
  %high = shl <16 x i32> %a, splat (i32 29)
  %rotated = or <16 x i32> %low, %high
  %one = and <16 x i32> %rotated, %b
  %r = xor <16 x i32> %one, %a
  ret <16 x i32> %r
}

; MD5's steps keep a sum for the next one: each of both takes it in, and nobody computes it.
define <32 x i32> @kept(<32 x i32> %a, <32 x i32> %b, <32 x i32> %c, <32 x i32> %d) {
; CHECK-LABEL: @kept(
; CHECK-COUNT-4: call <16 x i32> @llvm.x86.avx512.pternlog.d.512({{.*}}, i32 150)
; CHECK-NOT: {{ xor }}
; CHECK: ret
  %ab = xor <32 x i32> %a, %b
  %one = xor <32 x i32> %ab, %c
  %sum = add <32 x i32> %one, %d
  %other = xor <32 x i32> %ab, %sum
  %r = add <32 x i32> %other, %b
  ret <32 x i32> %r
}

; What LLVM makes one of stays: an operation of an operation that nothing else uses.
define <16 x i32> @pairs(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, <16 x i32> %d) {
; CHECK-LABEL: @pairs(
; CHECK-NOT: pternlog
; CHECK: ret
  %ab = xor <16 x i32> %a, %b
  %cd = and <16 x i32> %c, %d
  %one = or <16 x i32> %ab, %cd
  %other = and <16 x i32> %ab, %c
  %r = add <16 x i32> %one, %other
  ret <16 x i32> %r
}
