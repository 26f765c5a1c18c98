; RUN: weftc --cpu=sapphirerapids --passes=shuffled-masks %s | FileCheck %s
; RUN: weftc --cpu=haswell --passes=shuffled-masks %s | FileCheck %s --check-prefix=HASWELL
; A mask in which each lane stands three times is made of bits, a register after the other; other masks, and other processors', stay.

; CHECK-LABEL: define <96 x float> @loads(
; CHECK: [[BITS:%.*]] = bitcast <32 x i1> %mask to i32
; CHECK: [[APART:%.*]] = call i64 @llvm.x86.bmi.pdep.64(i64 {{.*}}, i64 40210710958665)
; CHECK: mul i64 [[APART]], 7
; CHECK: call i64 @llvm.x86.bmi.pdep.64
; CHECK-COUNT-6: call <16 x float> @llvm.masked.load.v16f32.p0(ptr {{.*}}, i32 4, <16 x i1>
; CHECK-NOT: masked.load
; CHECK: ret
; HASWELL: call <96 x float> @llvm.masked.load
define <96 x float> @loads(ptr %p, <32 x i1> %mask) {
  %three = shufflevector <32 x i1> %mask, <32 x i1> poison, <96 x i32> <i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 8, i32 8, i32 8, i32 9, i32 9, i32 9, i32 10, i32 10, i32 10, i32 11, i32 11, i32 11, i32 12, i32 12, i32 12, i32 13, i32 13, i32 13, i32 14, i32 14, i32 14, i32 15, i32 15, i32 15, i32 16, i32 16, i32 16, i32 17, i32 17, i32 17, i32 18, i32 18, i32 18, i32 19, i32 19, i32 19, i32 20, i32 20, i32 20, i32 21, i32 21, i32 21, i32 22, i32 22, i32 22, i32 23, i32 23, i32 23, i32 24, i32 24, i32 24, i32 25, i32 25, i32 25, i32 26, i32 26, i32 26, i32 27, i32 27, i32 27, i32 28, i32 28, i32 28, i32 29, i32 29, i32 29, i32 30, i32 30, i32 30, i32 31, i32 31, i32 31>
  %all = call <96 x float> @llvm.masked.load.v96f32.p0(ptr %p, i32 4, <96 x i1> %three, <96 x float> poison)
  ret <96 x float> %all
}

; Of 16 lanes the bytes are no whole register.
; CHECK-LABEL: define void @stores(
; CHECK: call i64 @llvm.x86.bmi.pdep.64
; CHECK: call void @llvm.masked.store.v32i8.p0(<32 x i8> {{.*}}, ptr {{.*}}, i32 1, <32 x i1>
; CHECK: call void @llvm.masked.store.v16i8.p0(<16 x i8>
; CHECK: ret
define void @stores(ptr %p, <16 x i1> %mask, <48 x i8> %v) {
  %three = shufflevector <16 x i1> %mask, <16 x i1> poison, <48 x i32> <i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 4, i32 4, i32 4, i32 5, i32 5, i32 5, i32 6, i32 6, i32 6, i32 7, i32 7, i32 7, i32 8, i32 8, i32 8, i32 9, i32 9, i32 9, i32 10, i32 10, i32 10, i32 11, i32 11, i32 11, i32 12, i32 12, i32 12, i32 13, i32 13, i32 13, i32 14, i32 14, i32 14, i32 15, i32 15, i32 15>
  call void @llvm.masked.store.v48i8.p0(<48 x i8> %v, ptr %p, i32 1, <48 x i1> %three)
  ret void
}

; CHECK-LABEL: define <32 x float> @twice(
; CHECK: call <32 x float> @llvm.masked.load
define <32 x float> @twice(ptr %p, <16 x i1> %mask) {
  %two = shufflevector <16 x i1> %mask, <16 x i1> poison, <32 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7, i32 8, i32 8, i32 9, i32 9, i32 10, i32 10, i32 11, i32 11, i32 12, i32 12, i32 13, i32 13, i32 14, i32 14, i32 15, i32 15>
  %all = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, i32 4, <32 x i1> %two, <32 x float> poison)
  ret <32 x float> %all
}

declare <96 x float> @llvm.masked.load.v96f32.p0(ptr, i32, <96 x i1>, <96 x float>)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, i32, <32 x i1>, <32 x float>)
declare void @llvm.masked.store.v48i8.p0(<48 x i8>, ptr, i32, <48 x i1>)
