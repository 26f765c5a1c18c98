; RUN: weftc --cpu=sapphirerapids --passes=shuffled-masks %s | FileCheck %s
; RUN: weftc --cpu=haswell --passes=shuffled-masks %s | FileCheck %s --check-prefix=HASWELL
; Lanes are taken out of what is compared, not out of masks; with mask registers alone.

; CHECK-LABEL: define <4 x i1> @compared(
; CHECK: [[A:%.*]] = shufflevector <8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: [[B:%.*]] = shufflevector <8 x i32> %b, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
; CHECK: [[ODD:%.*]] = icmp slt <4 x i32> [[A]], [[B]]
; CHECK-NOT: i1> poison
; CHECK: ret
; HASWELL-LABEL: define <4 x i1> @compared(
; HASWELL-NEXT: icmp slt <8 x i32>
; HASWELL-NEXT: shufflevector <8 x i1>
define <4 x i1> @compared(<8 x i32> %a, <8 x i32> %b) {
  %mask = icmp slt <8 x i32> %a, %b
  %odd = shufflevector <8 x i1> %mask, <8 x i1> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  ret <4 x i1> %odd
}

; Through what joins masks, and shuffles of shuffles.
; CHECK-LABEL: define <2 x i1> @joined(
; CHECK: fcmp nnan olt <2 x float>
; CHECK: icmp eq <2 x i32>
; CHECK: or <2 x i1>
; CHECK-NOT: i1> poison
; CHECK: ret
define <2 x i1> @joined(<8 x float> %a, <8 x float> %b, <4 x i32> %c) {
  %mask = fcmp nnan olt <8 x float> %a, %b
  %even = shufflevector <8 x i1> %mask, <8 x i1> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %zero = icmp eq <4 x i32> %c, zeroinitializer
  %any = or <4 x i1> %even, %zero
  %some = shufflevector <4 x i1> %any, <4 x i1> poison, <2 x i32> <i32 1, i32 3>
  ret <2 x i1> %some
}

; Lanes side by side are a part of a register; masks that are loaded have nothing in front of them; lanes that are repeated would be compared twice.
; CHECK-LABEL: define void @others(
; CHECK: shufflevector <8 x i1> %mask
; CHECK: shufflevector <8 x i1> %mask
; CHECK: shufflevector <8 x i1> %loaded
; CHECK: ret
define void @others(<8 x i32> %a, <8 x i32> %b, ptr %p, ptr %q) {
  %mask = icmp slt <8 x i32> %a, %b
  %half = shufflevector <8 x i1> %mask, <8 x i1> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %twice = shufflevector <8 x i1> %mask, <8 x i1> poison, <8 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3>
  %loaded = load <8 x i1>, ptr %p
  %odd = shufflevector <8 x i1> %loaded, <8 x i1> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  store <4 x i1> %half, ptr %q
  store <8 x i1> %twice, ptr %q
  store <4 x i1> %odd, ptr %q
  ret void
}
