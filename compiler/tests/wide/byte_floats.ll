; A byte of a word times a constant: in the mantissa of 2^23 or 2^15 it is a float without being converted.
; RUN: weftc --cpu=icelake-server --passes=byte-floats %s | FileCheck %s
; RUN: weftc --cpu=haswell --passes=byte-floats %s | FileCheck %s --check-prefix=PLAIN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @bytes(
; CHECK: [[B0:%.*]] = and <16 x i32> %w, {{.*}}i32 255
; CHECK: [[F0:%.*]] = or <16 x i32> [[B0]], {{.*}}i32 1258291200
; CHECK: [[N0:%.*]] = bitcast <16 x i32> [[F0]] to <16 x float>
; CHECK: call <16 x float> @llvm.fma.v16f32(<16 x float> [[N0]], {{.*}}float 0x3F70101020000000{{.*}}float 0xC0E0101020000000
; CHECK: [[HIGH:%.*]] = lshr <16 x i32> %w, {{.*}}i32 16
; CHECK: [[B3:%.*]] = and <16 x i32> [[HIGH]], {{.*}}i32 65280
; CHECK: or <16 x i32> [[B3]], {{.*}}i32 1191182336
; A conversion that is needed anyway stays.
; CHECK: uitofp
; CHECK: ret void
; PLAIN-NOT: @llvm.fma
define void @bytes(<16 x i32> %w, ptr %to) {
  %b0 = and <16 x i32> %w, splat (i32 255)
  %f0 = uitofp nneg <16 x i32> %b0 to <16 x float>
  %n0 = fmul <16 x float> %f0, splat (float 0x3F70101020000000)
  %b3 = lshr <16 x i32> %w, splat (i32 24)
  %f3 = uitofp nneg <16 x i32> %b3 to <16 x float>
  %n3 = fmul <16 x float> %f3, splat (float 0x3F70101020000000)
  %s1 = lshr <16 x i32> %w, splat (i32 8)
  %b1 = and <16 x i32> %s1, splat (i32 255)
  %f1 = uitofp nneg <16 x i32> %b1 to <16 x float>
  %n1 = fmul <16 x float> %f1, splat (float 0x3F70101020000000)
  store <16 x float> %n0, ptr %to
  store <16 x float> %n3, ptr %to
  store <16 x float> %n1, ptr %to
  store <16 x float> %f1, ptr %to
  ret void
}

; The lower half of a word; the upper one takes a shift and is converted as before.
; CHECK-LABEL: define void @words(
; CHECK: [[W:%.*]] = and <16 x i32> %w, {{.*}}i32 65535
; CHECK: or <16 x i32> [[W]], {{.*}}i32 1258291200
; CHECK: call <16 x float> @llvm.fma.v16f32(
; CHECK: lshr <16 x i32> %w, {{.*}}i32 16
; CHECK-NEXT: uitofp
define void @words(<16 x i32> %w, ptr %to) {
  %b0 = and <16 x i32> %w, splat (i32 65535)
  %f0 = uitofp nneg <16 x i32> %b0 to <16 x float>
  %n0 = fmul <16 x float> %f0, splat (float 0x3EF0001000000000)
  store volatile <16 x float> %n0, ptr %to
  %b1 = lshr <16 x i32> %w, splat (i32 16)
  %f1 = uitofp nneg <16 x i32> %b1 to <16 x float>
  %n1 = fmul <16 x float> %f1, splat (float 0x3EF0001000000000)
  store volatile <16 x float> %n1, ptr %to
  ret void
}

; Numbers of 16 bits are no words.
; CHECK-LABEL: define void @halves(
; CHECK: uitofp
; CHECK: fmul
define void @halves(<16 x i16> %w, ptr %to) {
  %b = and <16 x i16> %w, splat (i16 255)
  %f = uitofp <16 x i16> %b to <16 x float>
  %n = fmul <16 x float> %f, splat (float 0x3F70101020000000)
  store <16 x float> %n, ptr %to
  ret void
}
