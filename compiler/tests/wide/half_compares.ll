; Comparisons of half in which the order of the operands counts are made of floats; a comparison for equality stays.
; RUN: weftc --passes=half-compares --cpu=sapphirerapids --verify-each %s | FileCheck %s

; CHECK-LABEL: define <32 x i1> @less(
; CHECK: [[A:%.*]] = fpext <32 x half> %a to <32 x float>
; CHECK: [[B:%.*]] = fpext <32 x half> %b to <32 x float>
; CHECK: fcmp olt <32 x float> [[A]], [[B]]
define <32 x i1> @less(<32 x half> %a, <32 x half> %b) {
  %c = fcmp olt <32 x half> %a, %b
  ret <32 x i1> %c
}

; CHECK-LABEL: define <32 x i1> @equal(
; CHECK-NEXT: fcmp oeq <32 x half> %a, %b
define <32 x i1> @equal(<32 x half> %a, <32 x half> %b) {
  %c = fcmp oeq <32 x half> %a, %b
  ret <32 x i1> %c
}
