; Masked accesses to 8 bytes are accesses to 16, whose mask has zeros behind its own lanes, where masks are registers; others stay.
; RUN: weftc --passes=short-masks --cpu=znver4 --verify-each %s | FileCheck %s --check-prefixes=CHECK,WIDE
; RUN: weftc --passes=short-masks --cpu=haswell --verify-each %s | FileCheck %s --check-prefixes=CHECK,PLAIN

declare <8 x i8> @llvm.masked.load.v8i8.p0(ptr, i32, <8 x i1>, <8 x i8>)
declare void @llvm.masked.store.v8i8.p0(<8 x i8>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v16i8.p0(<16 x i8>, ptr, i32, <16 x i1>)

; CHECK-LABEL: define void @first_of_many(
; WIDE: [[BITS:%.*]] = bitcast <8 x i1> %first to i8
; WIDE: [[WORD:%.*]] = zext i8 [[BITS]] to i16
; WIDE: bitcast i16 [[WORD]] to <16 x i1>
; WIDE: [[READ:%.*]] = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr %from, i32 1,
; WIDE: shufflevector <16 x i8> [[READ]], <16 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; WIDE: [[BITS:%.*]] = bitcast <8 x i1> %first to i8
; WIDE: [[WORD:%.*]] = zext i8 [[BITS]] to i16
; WIDE: [[MASK:%.*]] = bitcast i16 [[WORD]] to <16 x i1>
; WIDE: call void @llvm.masked.store.v16i8.p0(<16 x i8> {{.*}}, ptr %to, i32 1, <16 x i1> [[MASK]])
; PLAIN: call <8 x i8> @llvm.masked.load.v8i8.p0(
; PLAIN: call void @llvm.masked.store.v8i8.p0(
define void @first_of_many(ptr %from, ptr %to, <64 x i1> %mask) {
  %first = shufflevector <64 x i1> %mask, <64 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %value = call <8 x i8> @llvm.masked.load.v8i8.p0(ptr %from, i32 1, <8 x i1> %first, <8 x i8> poison)
  call void @llvm.masked.store.v8i8.p0(<8 x i8> %value, ptr %to, i32 1, <8 x i1> %first)
  ret void
}

; CHECK-LABEL: define void @whole(
; CHECK-NOT: zext
; CHECK: call void @llvm.masked.store.v16i8.p0(<16 x i8> %value, ptr %to, i32 1, <16 x i1> %mask)
define void @whole(ptr %to, <16 x i8> %value, <16 x i1> %mask) {
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %value, ptr %to, i32 1, <16 x i1> %mask)
  ret void
}
