; A constant that is rotated by an amount that is none is hidden where the processor has no rotates; not otherwise, and no other value is.
; RUN: weftc --passes=constant-rotates --cpu=haswell --verify-each %s | FileCheck %s --check-prefixes=CHECK,HIDDEN
; RUN: weftc --passes=constant-rotates --cpu=znver4 --verify-each %s | FileCheck %s --check-prefixes=CHECK,PLAIN

; CHECK-LABEL: define <32 x i32> @words(
; HIDDEN: [[FENCE:%.*]] = call <32 x float> @llvm.arithmetic.fence.v32f32(
; HIDDEN: [[ONES:%.*]] = bitcast <32 x float> [[FENCE]] to <32 x i32>
; HIDDEN: @llvm.fshl.v32i32(<32 x i32> [[ONES]], <32 x i32> [[ONES]], <32 x i32> %amount)
; PLAIN-NEXT: %r = call <32 x i32> @llvm.fshl
define <32 x i32> @words(<32 x i32> %amount) {
  %r = call <32 x i32> @llvm.fshl.v32i32(<32 x i32> splat (i32 1), <32 x i32> splat (i32 1), <32 x i32> %amount)
  ret <32 x i32> %r
}

; CHECK-LABEL: define <32 x i8> @bytes(
; CHECK: @llvm.arithmetic.fence.v8f32(
define <32 x i8> @bytes(<32 x i8> %amount) {
  %r = call <32 x i8> @llvm.fshr.v32i8(<32 x i8> splat (i8 3), <32 x i8> splat (i8 3), <32 x i8> %amount)
  ret <32 x i8> %r
}

; CHECK-LABEL: define <32 x i32> @others(
; CHECK-NOT: call {{.*}}fence
define <32 x i32> @others(<32 x i32> %a, <32 x i32> %amount) {
  %r = call <32 x i32> @llvm.fshl.v32i32(<32 x i32> %a, <32 x i32> %a, <32 x i32> %amount)
  %s = call <32 x i32> @llvm.fshl.v32i32(<32 x i32> splat (i32 1), <32 x i32> %a, <32 x i32> %amount)
  %t = add <32 x i32> %r, %s
  ret <32 x i32> %t
}

declare <32 x i32> @llvm.fshl.v32i32(<32 x i32>, <32 x i32>, <32 x i32>)
declare <32 x i8> @llvm.fshr.v32i8(<32 x i8>, <32 x i8>, <32 x i8>)
