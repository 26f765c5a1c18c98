; Arithmetic of vectors of which one element is used, where the operands' elements are at hand, is arithmetic of scalars.
; RUN: weftc --passes=simplify %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: @product
; CHECK-NOT: fmul <4 x float>
; CHECK: [[L:%.*]] = extractelement <4 x float> %a, i64 1
; CHECK: fmul float
; CHECK-LABEL: @whole
; CHECK: fmul <4 x float>
define spir_kernel void @product(<4 x float> %a, <4 x float> %b, ptr addrspace(1) %out) {
  %p = fmul <4 x float> %a, %b
  %p1 = extractelement <4 x float> %p, i64 1
  %a0 = extractelement <4 x float> %a, i64 0
  %b0 = extractelement <4 x float> %b, i64 0
  %s = call float @llvm.fma.f32(float %a0, float %b0, float %p1)
  store float %s, ptr addrspace(1) %out
  ret void
}

; Elements that nothing else takes are not taken of both.
define spir_kernel void @whole(<4 x float> %a, <4 x float> %b, ptr addrspace(1) %out) {
  %p = fmul <4 x float> %a, %b
  %p1 = extractelement <4 x float> %p, i64 1
  store float %p1, ptr addrspace(1) %out
  ret void
}
