; Masks that live across blocks are as wide as the elements that they are of, where the processor has no registers for masks.
; RUN: weftc --cpu=haswell --passes=mask-width --verify-each %s | FileCheck %s
; RUN: weftc --cpu=nehalem --passes=mask-width --verify-each %s | FileCheck %s --check-prefix=SSE
; RUN: weftc --cpu=icelake-server --passes=mask-width %s | FileCheck %s --check-prefix=BITS
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A search in bytes: the vote takes a bit of each byte.
; CHECK-LABEL: @bytes(
; CHECK: phi <64 x i8>
; CHECK: [[BOTH:%.*]] = or <32 x i8>
; CHECK: call i32 @llvm.x86.avx2.pmovmskb(<32 x i8> [[BOTH]])
; SSE-LABEL: @bytes(
; SSE: phi <64 x i8>
; SSE: call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>
; BITS-LABEL: @bytes(
; BITS: phi <64 x i1>
define i32 @bytes(<64 x i8> %first, <64 x i8> %word, ptr %text) {
entry:
  %begin = icmp eq <64 x i8> %first, %word
  br label %loop
loop:
  %live = phi <64 x i1> [ %begin, %entry ], [ %next, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %p = getelementptr i8, ptr %text, i64 %k
  %t = load <64 x i8>, ptr %p, align 1
  %same = icmp eq <64 x i8> %t, %word
  %next = and <64 x i1> %live, %same
  %k1 = add i64 %k, 1
  %bits = bitcast <64 x i1> %next to i64
  %done = icmp eq i64 %bits, 0
  br i1 %done, label %end, label %loop
end:
  ret i32 0
}

; Of 16 bits the upper byte has the sign.
; CHECK-LABEL: @halves(
; CHECK: phi <32 x i16>
; CHECK: [[SIGNS:%.*]] = call i32 @llvm.x86.avx2.pmovmskb(
; CHECK: and i32 [[SIGNS]], -1431655766
; SSE-LABEL: @halves(
; SSE: phi <32 x i16>
define i32 @halves(<32 x i16> %first, <32 x i16> %word, ptr %text) {
entry:
  %begin = icmp eq <32 x i16> %first, %word
  br label %loop
loop:
  %live = phi <32 x i1> [ %begin, %entry ], [ %next, %loop ]
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %p = getelementptr i16, ptr %text, i64 %k
  %t = load <32 x i16>, ptr %p, align 1
  %same = icmp eq <32 x i16> %t, %word
  %next = and <32 x i1> %live, %same
  %k1 = add i64 %k, 1
  %bits = bitcast <32 x i1> %next to i32
  %done = icmp eq i32 %bits, 0
  br i1 %done, label %end, label %loop
end:
  ret i32 0
}

; What words are selected by is of words, whatever else it is combined with.
; CHECK-LABEL: @words(
; CHECK: phi <32 x i32>
; CHECK: select <32 x i1> {{%.*}}, <32 x float>
; CHECK: call i32 @llvm.x86.avx.movmsk.ps.256(
; SSE-LABEL: @words(
; SSE: call i32 @llvm.x86.sse.movmsk.ps(
define <32 x float> @words(<32 x i8> %first, <32 x i8> %word, <32 x float> %x, <32 x float> %bound) {
entry:
  %begin = icmp eq <32 x i8> %first, %word
  br label %loop
loop:
  %live = phi <32 x i1> [ %begin, %entry ], [ %next, %loop ]
  %y = phi <32 x float> [ %x, %entry ], [ %z, %loop ]
  %twice = fadd <32 x float> %y, %y
  %z = select <32 x i1> %live, <32 x float> %twice, <32 x float> %y
  %less = fcmp olt <32 x float> %z, %bound
  %next = and <32 x i1> %live, %less
  %bits = bitcast <32 x i1> %next to i32
  %done = icmp eq i32 %bits, 0
  br i1 %done, label %end, label %loop
end:
  ret <32 x float> %z
}
