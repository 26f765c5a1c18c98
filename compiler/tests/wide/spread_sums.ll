; Half of the sums that a block of sums waits for become products with one and a sum, where the processor has units for either.
; RUN: weftc --cpu=znver4 --passes=spread-sums %s | FileCheck %s
; RUN: weftc --cpu=icelake-server --passes=spread-sums %s | FileCheck %s --check-prefix=ONE

; CHECK-LABEL: @squares(
; CHECK: %ones = call <16 x float> asm "", "=v,0"(<16 x float> <float 1.000000e+00,
; CHECK: %[[ONES:.*]] = shufflevector <16 x float> %ones, <16 x float> poison, <256 x i32>
; CHECK: %s = call <256 x float> @llvm.fma.v256f32(<256 x float> %a, <256 x float> %[[ONES]], <256 x float> %b)
; CHECK: %t = fadd <256 x float> %a, %c
; CHECK: %[[LESS:.*]] = fneg <256 x float> %c
; CHECK: %u = call <256 x float> @llvm.fma.v256f32(<256 x float> %[[LESS]], <256 x float> %{{.*}}, <256 x float> %b)
; CHECK: %v = fsub <256 x float> %a, %c
; ONE-LABEL: @squares(
; ONE-NOT: call
define void @squares(ptr %to, <256 x float> %a, <256 x float> %b, <256 x float> %c) {
  %s = fadd <256 x float> %a, %b
  %t = fadd <256 x float> %a, %c
  %u = fsub <256 x float> %b, %c
  %v = fsub <256 x float> %a, %c
  store <256 x float> %s, ptr %to
  ret void
}

; Where each waits for the one before it, and where there are as many products, all stay.
; CHECK-LABEL: @chain(
; CHECK-NOT: call
; CHECK: ret
define <32 x float> @chain(<32 x float> %a, <32 x float> %b) {
  %s0 = fadd <32 x float> %a, %b
  %s1 = fadd <32 x float> %s0, %b
  %s2 = fadd <32 x float> %s1, %b
  %s3 = fadd <32 x float> %s2, %b
  %s4 = fadd <32 x float> %s3, %b
  %s5 = fadd <32 x float> %s4, %b
  %s6 = fadd <32 x float> %s5, %b
  %s7 = fadd <32 x float> %s6, %b
  %s8 = fadd <32 x float> %s7, %b
  %s9 = fadd <32 x float> %s8, %b
  ret <32 x float> %s9
}

; CHECK-LABEL: @products(
; CHECK-NOT: call
; CHECK: ret
define <512 x float> @products(<512 x float> %a, <512 x float> %b) {
  %s = fadd <512 x float> %a, %b
  %p = fmul <512 x float> %s, %b
  ret <512 x float> %p
}

; Nor a sum that becomes one with its product anyway.
; CHECK-LABEL: @contracted(
; CHECK-NOT: call
; CHECK: ret
define <512 x float> @contracted(<512 x float> %a, <512 x float> %b, <512 x float> %c) {
  %p = fmul contract <512 x float> %a, %b
  %s = fadd contract <512 x float> %p, %c
  ret <512 x float> %s
}
