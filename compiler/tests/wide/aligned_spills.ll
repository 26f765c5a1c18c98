; RUN: weftc --cpu=skylake-avx512 --passes=aligned-spills %s | FileCheck %s
; RUN: weftc --cpu=nehalem --passes=aligned-spills %s | FileCheck %s --check-prefix=NEHALEM
; Forty registers at once where there are 32: the frame is aligned for what spills. Two are none of that business, and registers of
; 128 bits are as wide as the stack is aligned anyway.

; CHECK-LABEL: define void @many(
; CHECK-SAME: #[[ALIGNED:[0-9]+]]
; CHECK-LABEL: define void @few(ptr %p) {
; CHECK: attributes #[[ALIGNED]] = { "stackrealign" }
; NEHALEM-NOT: stackrealign

define void @many(ptr %p) {
  %a = load <320 x float>, ptr %p
  %q = getelementptr <320 x float>, ptr %p, i64 1
  %b = load <320 x float>, ptr %q
  %product = fmul <320 x float> %a, %b
  %sum = fadd <320 x float> %a, %product
  %quotient = fdiv <320 x float> %sum, %b
  store <320 x float> %quotient, ptr %p
  ret void
}

define void @few(ptr %p) {
  %a = load <16 x float>, ptr %p
  %q = getelementptr <16 x float>, ptr %p, i64 1
  %b = load <16 x float>, ptr %q
  %product = fmul <16 x float> %a, %b
  store <16 x float> %product, ptr %p
  ret void
}
