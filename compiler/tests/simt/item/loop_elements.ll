; Words of a private array that a loop names by constants are registers while it runs, though bytes at places not known fill it before.
; RUN: weftc --passes=simplify %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Word 0 is loaded in front of the loop and stored behind it; word 1, which nothing stores, is loaded alone.
; CHECK-LABEL: @rounds
; CHECK: store i8
; CHECK: load i32, ptr %words
; CHECK: loop:
; CHECK-NOT: load
; CHECK-NOT: store
; CHECK: br i1
; CHECK: store i32 {{.*}}, ptr %words
; CHECK-NOT: store i32 {{.*}}, ptr %words
; CHECK: load i8
define spir_kernel void @rounds(i8 %byte, i64 %place, i32 %n, ptr addrspace(1) %out) {
entry:
  %words = alloca [4 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %words, i8 0, i64 16, i1 false)
  %at = getelementptr i8, ptr %words, i64 %place
  store i8 %byte, ptr %at
  %second = getelementptr i8, ptr %words, i64 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w0 = load i32, ptr %words
  %w1 = load i32, ptr %second
  %mixed = xor i32 %w0, %w1
  %turned = call i32 @llvm.fshl.i32(i32 %mixed, i32 %mixed, i32 7)
  %sum = add i32 %turned, %i
  store i32 %sum, ptr %words
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load i8, ptr %at
  store i8 %result, ptr addrspace(1) %out
  ret void
}

; A loop that also writes at a place not known, or parts of a word, keeps the array in memory.
; CHECK-LABEL: @places
; CHECK: loop:
; CHECK: load i32, ptr %words
; CHECK: store i32 {{.*}}, ptr %words
; CHECK-LABEL: @parts
; CHECK: loop:
; CHECK: load i32, ptr %words
; CHECK: store i16 {{.*}}, ptr %words
define spir_kernel void @places(i32 %n, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %words = alloca [4 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %words, i8 0, i64 16, i1 false)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w0 = load i32, ptr %words
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %value = load i32, ptr addrspace(1) %from
  %sum = add i32 %w0, %value
  store i32 %sum, ptr %words
  %place = and i32 %value, 3
  %at = getelementptr i32, ptr %words, i32 %place
  store i32 %i, ptr %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load i32, ptr %words
  store i32 %result, ptr addrspace(1) %out
  ret void
}

define spir_kernel void @parts(i64 %place, i32 %n, ptr addrspace(1) %out) {
entry:
  %words = alloca [4 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %words, i8 0, i64 16, i1 false)
  %at = getelementptr i8, ptr %words, i64 %place
  store i8 1, ptr %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w0 = load i32, ptr %words
  %sum = mul i32 %w0, 3
  %low = trunc i32 %sum to i16
  store i16 %low, ptr %words
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = load i32, ptr %words
  store i32 %result, ptr addrspace(1) %out
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
