; Upper halves of products of words are computed by registers, from words that are extended beside the product.
; RUN: weftc --passes=high-products --cpu=znver3 --verify-each %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @long(
; CHECK-COUNT-4: mul <8 x i64>
; CHECK-NOT: mul <32 x i64>
define <32 x i32> @long(<32 x i32> %a, <32 x i32> %b) {
  %x = zext <32 x i32> %a to <32 x i64>
  %y = zext <32 x i32> %b to <32 x i64>
  %product = mul nuw <32 x i64> %x, %y
  %high = lshr <32 x i64> %product, splat (i64 32)
  %half = trunc nuw <32 x i64> %high to <32 x i32>
  ret <32 x i32> %half
}

; A piece of what is extended in front of the loop, and a constant that a word with a sign holds.
; CHECK-LABEL: @in_front(
; CHECK: loop:
; CHECK: sext <8 x i32>
; CHECK: mul <8 x i64> {{.*}}, <i64 -1431655765,
define <8 x i32> @in_front(<16 x i32> %a, i32 %n) {
entry:
  %x = sext <16 x i32> %a to <16 x i64>
  %piece = shufflevector <16 x i64> %x, <16 x i64> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %product = mul <8 x i64> %piece, splat (i64 -1431655765)
  %high = ashr <8 x i64> %product, splat (i64 32)
  %half = trunc <8 x i64> %high to <8 x i32>
  %more = add <8 x i32> %sum, %half
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret <8 x i32> %more
}

; One has a sign, and the other none; a product that is needed whole.
; CHECK-LABEL: @neither(
; CHECK: mul <32 x i64>
; CHECK: mul <32 x i64>
define <32 x i32> @neither(<32 x i32> %a, <32 x i32> %b, ptr %p) {
  %x = zext <32 x i32> %a to <32 x i64>
  %y = sext <32 x i32> %b to <32 x i64>
  %product = mul <32 x i64> %x, %y
  %high = lshr <32 x i64> %product, splat (i64 32)
  %half = trunc <32 x i64> %high to <32 x i32>
  %whole = mul <32 x i64> %x, %x
  store <32 x i64> %whole, ptr %p
  %upper = lshr <32 x i64> %whole, splat (i64 32)
  %other = trunc <32 x i64> %upper to <32 x i32>
  %both = add <32 x i32> %half, %other
  ret <32 x i32> %both
}
