; RUN: weftc --passes=bit-merges %s | FileCheck %s

define <16 x i32> @merge(<16 x i1> %m, <16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: @merge(
; CHECK: [[FENCE:%.*]] = call <16 x float> @llvm.arithmetic.fence.v16f32(
; CHECK: [[MERGE:%.*]] = bitcast <16 x float> [[FENCE]] to <16 x i32>
; CHECK: select <16 x i1> %m, <16 x i32> [[MERGE]], <16 x i32> %a
  %low = and <16 x i32> %a, <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255>
  %high = and <16 x i32> %b, <i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256, i32 -256>
  %merge = or disjoint <16 x i32> %low, %high
  %r = select <16 x i1> %m, <16 x i32> %merge, <16 x i32> %a
  ret <16 x i32> %r
}

; A sum of bits that is no merge stays as it is.
define <16 x i32> @rotation(<16 x i1> %m, <16 x i32> %a, <16 x i32> %b) {
; CHECK-LABEL: @rotation(
; CHECK-NOT: fence
; CHECK: ret
  %low = lshr <16 x i32> %a, %b
  %high = shl <16 x i32> %a, %b
  %or = or <16 x i32> %low, %high
  %r = select <16 x i1> %m, <16 x i32> %or, <16 x i32> %a
  ret <16 x i32> %r
}
