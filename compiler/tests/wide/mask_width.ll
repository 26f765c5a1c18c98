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

; What is made in one block and loads words in another crosses as words, whose signs the loads take as they are; so do slices of it.
; CHECK-LABEL: @carried(
; CHECK: [[WIDE:%.*]] = sext <32 x i1> {{%.*}} to <32 x i32>
; CHECK: [[PART:%.*]] = shufflevector <32 x i32> [[WIDE]], {{.*}}<8 x i32> <i32 8,
; CHECK: loop:
; CHECK: [[LIVE:%.*]] = icmp slt <32 x i32> [[WIDE]], zeroinitializer
; CHECK: call <32 x float> @llvm.masked.load.v32f32.p0(ptr {{%.*}}, i32 4, <32 x i1> [[LIVE]]
; CHECK: [[STORED:%.*]] = icmp slt <8 x i32> [[PART]], zeroinitializer
; CHECK: call void @llvm.masked.store.v8f32.p0({{.*}}<8 x i1> [[STORED]])
; BITS-LABEL: @carried(
; BITS-NOT: sext
; BITS: loop:
define i32 @carried(<32 x i32> %at, <32 x i32> %bound, ptr %from, ptr %to, i64 %n) {
entry:
  %live = icmp slt <32 x i32> %at, %bound
  %part = shufflevector <32 x i1> %live, <32 x i1> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %p = getelementptr float, ptr %from, i64 %k
  %x = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, i32 4, <32 x i1> %live, <32 x float> poison)
  %y = shufflevector <32 x float> %x, <32 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %q = getelementptr float, ptr %to, i64 %k
  call void @llvm.masked.store.v8f32.p0(<8 x float> %y, ptr %q, i32 4, <8 x i1> %part)
  %k1 = add i64 %k, 64
  %done = icmp eq i64 %k1, %n
  br i1 %done, label %end, label %loop
end:
  ret i32 0
}

; A part that was made in front of the loop is enough, and lanes may be there once for each component.
; CHECK-LABEL: @components(
; CHECK: [[INSIDE:%.*]] = sext <32 x i1> {{%.*}} to <32 x i32>
; CHECK: loop:
; CHECK: [[BOTH:%.*]] = and <32 x i32> [[INSIDE]],
; CHECK: [[EACH:%.*]] = shufflevector <32 x i32> [[BOTH]], {{.*}}<64 x i32> <i32 0, i32 0, i32 1, i32 1,
; CHECK: [[CHOSEN:%.*]] = icmp slt <64 x i32> [[EACH]], zeroinitializer
; CHECK: select <64 x i1> [[CHOSEN]]
define i32 @components(<32 x i32> %at, <32 x i32> %bound, ptr %from, ptr %to, i64 %n) {
entry:
  %inside = icmp slt <32 x i32> %at, %bound
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %row = icmp ult i64 %k, 100
  %one = insertelement <32 x i1> poison, i1 %row, i64 0
  %all = shufflevector <32 x i1> %one, <32 x i1> poison, <32 x i32> zeroinitializer
  %both = and <32 x i1> %inside, %all
  %each = shufflevector <32 x i1> %both, <32 x i1> poison, <64 x i32> <i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7, i32 8, i32 8, i32 9, i32 9, i32 10, i32 10, i32 11, i32 11, i32 12, i32 12, i32 13, i32 13, i32 14, i32 14, i32 15, i32 15, i32 16, i32 16, i32 17, i32 17, i32 18, i32 18, i32 19, i32 19, i32 20, i32 20, i32 21, i32 21, i32 22, i32 22, i32 23, i32 23, i32 24, i32 24, i32 25, i32 25, i32 26, i32 26, i32 27, i32 27, i32 28, i32 28, i32 29, i32 29, i32 30, i32 30, i32 31, i32 31>
  %p = getelementptr i64, ptr %from, i64 %k
  %x = load <64 x i32>, ptr %p
  %y = select <64 x i1> %each, <64 x i32> %x, <64 x i32> zeroinitializer
  %q = getelementptr i64, ptr %to, i64 %k
  store <64 x i32> %y, ptr %q
  %k1 = add i64 %k, 64
  %done = icmp eq i64 %k1, %n
  br i1 %done, label %end, label %loop
end:
  ret i32 0
}

; In the block where it is made it stays as it is.
; CHECK-LABEL: @at_once(
; CHECK-NOT: sext
; CHECK: ret <32 x float>
define <32 x float> @at_once(<32 x i32> %at, <32 x i32> %bound, ptr %from) {
  %live = icmp slt <32 x i32> %at, %bound
  %x = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %from, i32 4, <32 x i1> %live, <32 x float> poison)
  ret <32 x float> %x
}

declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, i32, <32 x i1>, <32 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
