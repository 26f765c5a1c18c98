; The bits of a word below each lane: a byte's eight counts from a table, and what the bytes before have.
; RUN: weftc --cpu=haswell --passes=bits-below --verify-each %s | FileCheck %s
; RUN: weftc --cpu=znver4 --passes=bits-below %s | FileCheck %s --check-prefix=OTHER
; RUN: weftc --cpu=nehalem --passes=bits-below %s | FileCheck %s --check-prefix=OTHER
; OTHER-NOT: weft.bits_below

; CHECK: @weft.bits_below = internal constant [256 x i64] [i64 0, i64 72340172838076672, i64 72340172838076416, i64 144680345676153088,

; CHECK-LABEL: define <32 x i32> @ranks(
; CHECK: %[[WORD:.*]] = freeze i32 %word
; CHECK-NEXT: and i32 %[[WORD]], 255
; CHECK: load <8 x i8>, ptr %{{.*}}, align 8
; CHECK: zext <8 x i8> %{{.*}} to <8 x i32>
; CHECK: %[[BEFORE:.*]] = and i32 %[[WORD]], 255
; CHECK: call i32 @llvm.ctpop.i32(i32 %[[BEFORE]])
; CHECK: and i32 %[[WORD]], 16777215
; CHECK-NOT: ctpop.v32i32
; CHECK: ret <32 x i32>
define <32 x i32> @ranks(i32 %word) {
  %first = insertelement <32 x i32> poison, i32 %word, i64 0
  %words = shufflevector <32 x i32> %first, <32 x i32> poison, <32 x i32> zeroinitializer
  %below = and <32 x i32> %words, <i32 0, i32 1, i32 3, i32 7, i32 15, i32 31, i32 63, i32 127, i32 255, i32 511, i32 1023, i32 2047, i32 4095, i32 8191, i32 16383, i32 32767, i32 65535, i32 131071, i32 262143, i32 524287, i32 1048575, i32 2097151, i32 4194303, i32 8388607, i32 16777215, i32 33554431, i32 67108863, i32 134217727, i32 268435455, i32 536870911, i32 1073741823, i32 2147483647>
  %count = call <32 x i32> @llvm.ctpop.v32i32(<32 x i32> %below)
  ret <32 x i32> %count
}

; Each lane's own bit counts too, or each lane has a word of its own.
; CHECK-LABEL: define <32 x i32> @inclusive(
; CHECK: call <32 x i32> @llvm.ctpop.v32i32(
define <32 x i32> @inclusive(i32 %word) {
  %first = insertelement <32 x i32> poison, i32 %word, i64 0
  %words = shufflevector <32 x i32> %first, <32 x i32> poison, <32 x i32> zeroinitializer
  %own = and <32 x i32> %words, <i32 1, i32 3, i32 7, i32 15, i32 31, i32 63, i32 127, i32 255, i32 511, i32 1023, i32 2047, i32 4095, i32 8191, i32 16383, i32 32767, i32 65535, i32 131071, i32 262143, i32 524287, i32 1048575, i32 2097151, i32 4194303, i32 8388607, i32 16777215, i32 33554431, i32 67108863, i32 134217727, i32 268435455, i32 536870911, i32 1073741823, i32 2147483647, i32 -1>
  %count = call <32 x i32> @llvm.ctpop.v32i32(<32 x i32> %own)
  ret <32 x i32> %count
}

; CHECK-LABEL: define <32 x i32> @many(
; CHECK: call <32 x i32> @llvm.ctpop.v32i32(
define <32 x i32> @many(<32 x i32> %words) {
  %below = and <32 x i32> %words, <i32 0, i32 1, i32 3, i32 7, i32 15, i32 31, i32 63, i32 127, i32 255, i32 511, i32 1023, i32 2047, i32 4095, i32 8191, i32 16383, i32 32767, i32 65535, i32 131071, i32 262143, i32 524287, i32 1048575, i32 2097151, i32 4194303, i32 8388607, i32 16777215, i32 33554431, i32 67108863, i32 134217727, i32 268435455, i32 536870911, i32 1073741823, i32 2147483647>
  %count = call <32 x i32> @llvm.ctpop.v32i32(<32 x i32> %below)
  ret <32 x i32> %count
}

declare <32 x i32> @llvm.ctpop.v32i32(<32 x i32>)
