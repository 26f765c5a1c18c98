; printf becomes stores in the layout of abi::Services::print and a call of the service.
; RUN: weftc --passes=lower-printf %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@format = private addrspace(2) constant [8 x i8] c"%d %v3f\00"
@text = private addrspace(2) constant [4 x i8] c"abc\00"

declare i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: define internal i32 @k.item(
define internal i32 @k.item(ptr %launch, ptr %group, i32 %i, <3 x float> %v, <3 x i8> %c, i64 %l) {
; CHECK: [[BUFFER:%.*]] = alloca [48 x i8], align 8
; CHECK: call void @llvm.lifetime.start.p0(i64 48, ptr [[BUFFER]])
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 0
; CHECK: store i32 %i, ptr [[AT]], align 4
; A vector's elements follow each other, from an offset aligned to min(its size, 8); 3-vectors take the room of 4.
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 8
; CHECK: store float {{%.*}}, ptr [[AT]], align 4
; CHECK: getelementptr inbounds i8, ptr [[BUFFER]], i64 12
; CHECK: getelementptr inbounds i8, ptr [[BUFFER]], i64 16
; CHECK: getelementptr inbounds i8, ptr [[BUFFER]], i64 24
; CHECK: store i8
; CHECK: getelementptr inbounds i8, ptr [[BUFFER]], i64 32
; CHECK: store i64 %l
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 40
; CHECK: store ptr addrspacecast (ptr addrspace(2) @text to ptr), ptr [[AT]], align 8
; CHECK: call void @__weft_print(ptr %launch, ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr [[BUFFER]], i32 48)
; CHECK: call void @llvm.lifetime.end.p0(i64 48, ptr [[BUFFER]])
; CHECK: call void @__weft_print(ptr %launch, {{.*}}, ptr null, i32 0)
; CHECK: ret i32 0
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i, <3 x float> %v, <3 x i8> %c, i64 %l, ptr addrspace(2) @text)
  %s = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @text)
  ret i32 %r
}

; CHECK: define internal void @__weft_print(ptr %0, ptr %1, ptr %2, i32 %3)
; CHECK: %print = load ptr
; CHECK: call void %print(ptr %state, ptr %1, ptr %2, i32 %3)
