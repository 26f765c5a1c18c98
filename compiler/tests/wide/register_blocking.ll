; RUN: weftc --cpu=icelake-server --passes=register-blocking %s | FileCheck %s --check-prefixes=CHECK,AVX512
; RUN: weftc --cpu=haswell --passes=register-blocking %s | FileCheck %s --check-prefixes=CHECK,AVX2

declare <512 x float> @llvm.fma.v512f32(<512 x float>, <512 x float>, <512 x float>)
declare <128 x float> @llvm.fma.v128f32(<128 x float>, <128 x float>, <128 x float>)

; Two values of 32 registers each in a loop whose end no lane decides: a loop for each register block, one after the other,
; with a counter of its own. Inputs are taken apart in front of the loop, results are put together behind the last one.
define void @loop(ptr %p, float %a, i32 %n) {
; CHECK-LABEL: @loop(
; CHECK: register_block.entry:
; AVX512: shufflevector <512 x float> %start, <512 x float> poison, <16 x i32>
; AVX512: br label %[[S0:register_block[0-9]*]]
; AVX512: [[S0]]:
; AVX512-NEXT: %[[I:.*]] = phi i32 [ 0, %register_block.entry ], [ %[[NEXT:.*]], %[[S0]] ]
; AVX512: phi <16 x float> [ <float 1.000000e+00, {{.*}}>, %register_block.entry ], [ %{{.*}}, %[[S0]] ]
; AVX512-NOT: <512 x float>
; AVX512: %[[NEXT]] = add i32 %[[I]], 1
; AVX512: call <16 x float> @llvm.fma.v16f32(
; AVX512-NOT: <512 x float>
; AVX512: br i1 %{{.*}}, label %[[S0]], label %register_block.exit
; AVX2: phi <8 x float>
; AVX2: call <8 x float> @llvm.fma.v8f32(
; CHECK: {{^}}exit:
; CHECK-NEXT: store <512 x float>
entry:
  %start = load <512 x float>, ptr %p, align 4
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = phi <512 x float> [ splat (float 1.0), %entry ], [ %x1, %body ]
  %y = phi <512 x float> [ %start, %entry ], [ %y1, %body ]
  %x1 = call <512 x float> @llvm.fma.v512f32(<512 x float> %y, <512 x float> %x, <512 x float> %y)
  %y1 = call <512 x float> @llvm.fma.v512f32(<512 x float> %x1, <512 x float> %y, <512 x float> %x1)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %exit
exit:
  store <512 x float> %y1, ptr %p, align 4
  ret void
}

; The same without a loop. Loads belong to the register blocks; the store comes after all of them. With half the
; registers a block would have too few chains side by side: it would wait for its own results.
define void @line(ptr %p, ptr %q, <16 x float> %c) {
; CHECK-LABEL: @line(
; AVX512: load <16 x float>, ptr %p, align 4
; AVX512-NOT: <512 x float>
; AVX512: shufflevector <16 x float> %c, <16 x float> poison, <16 x i32>
; AVX512: fmul <16 x float>
; AVX512: fadd <16 x float>
; AVX512: getelementptr inbounds i8, ptr %p, i64 1984
; AVX512: fadd <16 x float>
; AVX512: shufflevector <256 x float> %{{.*}}, <256 x float> %{{.*}}, <512 x i32>
; AVX2: fadd <512 x float>
; CHECK-NOT: load
; CHECK: store <512 x float>
; CHECK: ret void
  %x = load <512 x float>, ptr %p, align 4
  %y = load <512 x float>, ptr %q, align 4
  %u = shufflevector <16 x float> %c, <16 x float> poison, <512 x i32> zeroinitializer
  %a = fmul <512 x float> %x, %u
  %b = fadd <512 x float> %a, %y
  %d = fmul <512 x float> %b, %x
  %e = fadd <512 x float> %d, %y
  store <512 x float> %e, ptr %p, align 4
  ret void
}

; A loop stays whole if a wide value ends it or it writes memory.
define void @ends_by_lanes(ptr %p) {
; CHECK-LABEL: @ends_by_lanes(
; CHECK-NOT: register_block.entry
; CHECK: ret void
entry:
  br label %body
body:
  %x = phi <512 x float> [ splat (float 1.0), %entry ], [ %x1, %body ]
  %x1 = fmul <512 x float> %x, %x
  %bits = fcmp olt <512 x float> %x1, splat (float 4.0)
  %any = call i1 @llvm.vector.reduce.or.v512i1(<512 x i1> %bits)
  br i1 %any, label %body, label %exit
exit:
  store <512 x float> %x1, ptr %p, align 4
  ret void
}
declare i1 @llvm.vector.reduce.or.v512i1(<512 x i1>)

define void @writes(ptr %p, i32 %n) {
; CHECK-LABEL: @writes(
; CHECK-NOT: register_block.entry
; CHECK: ret void
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = phi <512 x float> [ splat (float 1.0), %entry ], [ %x1, %body ]
  %y = phi <512 x float> [ splat (float 2.0), %entry ], [ %x, %body ]
  %x1 = fmul <512 x float> %x, %y
  store <512 x float> %x1, ptr %p, align 4
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %exit
exit:
  ret void
}

; Values that fit the registers stay as they are.
define void @fits(ptr %p, i32 %n) {
; CHECK-LABEL: @fits(
; CHECK: fmul <32 x float>
; CHECK: ret void
  %x = load <32 x float>, ptr %p, align 4
  %a = fmul <32 x float> %x, %x
  %b = fmul <32 x float> %a, %x
  store <32 x float> %b, ptr %p, align 4
  ret void
}

; A product of blocks: sums in registers, what is multiplied loaded for all lanes or repeated. Each register block loads and repeats
; for itself; addresses and what it repeats are parts of its loads, and cost it nothing.
define void @blocked(ptr %p, ptr %q, i32 %n) {
; CHECK-LABEL: @blocked(
; AVX512: register_block{{[0-9]*}}:
; AVX512: load <16 x float>, ptr
; AVX512: call <16 x float> @llvm.fma.v16f32(
; AVX512-NOT: <128 x float>
; AVX512: register_block.exit
; AVX512: register_block.exit{{.+}}:
; CHECK: {{^}}exit:
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s0 = phi <128 x float> [ zeroinitializer, %entry ], [ %t0, %body ]
  %s1 = phi <128 x float> [ zeroinitializer, %entry ], [ %t1, %body ]
  %s2 = phi <128 x float> [ zeroinitializer, %entry ], [ %t2, %body ]
  %s3 = phi <128 x float> [ zeroinitializer, %entry ], [ %t3, %body ]
  %at = getelementptr float, ptr %p, i32 %i
  %row = load <16 x float>, ptr %at, align 4
  %rows = shufflevector <16 x float> %row, <16 x float> poison, <128 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %at0.0 = getelementptr float, ptr %q, i32 0
  %at0.1 = getelementptr float, ptr %q, i32 1
  %one0.0 = load float, ptr %at0.0, align 4
  %one0.1 = load float, ptr %at0.1, align 4
  %pair0.0 = insertelement <2 x float> poison, float %one0.0, i64 0
  %pair0.1 = insertelement <2 x float> %pair0.0, float %one0.1, i64 1
  %column0 = shufflevector <2 x float> %pair0.1, <2 x float> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t0 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column0, <128 x float> %rows, <128 x float> %s0)
  %at1.0 = getelementptr float, ptr %q, i32 2
  %at1.1 = getelementptr float, ptr %q, i32 3
  %one1.0 = load float, ptr %at1.0, align 4
  %one1.1 = load float, ptr %at1.1, align 4
  %pair1.0 = insertelement <2 x float> poison, float %one1.0, i64 0
  %pair1.1 = insertelement <2 x float> %pair1.0, float %one1.1, i64 1
  %column1 = shufflevector <2 x float> %pair1.1, <2 x float> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t1 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column1, <128 x float> %rows, <128 x float> %s1)
  %at2.0 = getelementptr float, ptr %q, i32 4
  %at2.1 = getelementptr float, ptr %q, i32 5
  %one2.0 = load float, ptr %at2.0, align 4
  %one2.1 = load float, ptr %at2.1, align 4
  %pair2.0 = insertelement <2 x float> poison, float %one2.0, i64 0
  %pair2.1 = insertelement <2 x float> %pair2.0, float %one2.1, i64 1
  %column2 = shufflevector <2 x float> %pair2.1, <2 x float> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t2 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column2, <128 x float> %rows, <128 x float> %s2)
  %at3.0 = getelementptr float, ptr %q, i32 6
  %at3.1 = getelementptr float, ptr %q, i32 7
  %one3.0 = load float, ptr %at3.0, align 4
  %one3.1 = load float, ptr %at3.1, align 4
  %pair3.0 = insertelement <2 x float> poison, float %one3.0, i64 0
  %pair3.1 = insertelement <2 x float> %pair3.0, float %one3.1, i64 1
  %column3 = shufflevector <2 x float> %pair3.1, <2 x float> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %t3 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column3, <128 x float> %rows, <128 x float> %s3)
  %next = add i32 %i, 16
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %exit
exit:
  %to0 = getelementptr <128 x float>, ptr %p, i32 0
  store <128 x float> %t0, ptr %to0, align 4
  %to1 = getelementptr <128 x float>, ptr %p, i32 1
  store <128 x float> %t1, ptr %to1, align 4
  %to2 = getelementptr <128 x float>, ptr %p, i32 2
  store <128 x float> %t2, ptr %to2, align 4
  %to3 = getelementptr <128 x float>, ptr %p, i32 3
  store <128 x float> %t3, ptr %to3, align 4
  ret void
}

; A row that is longer than a register and that four warps have alike: a register block has a part of it, for all of them.
define void @row_of_registers(ptr %p, ptr %q, i32 %n) {
; CHECK-LABEL: @row_of_registers(
; AVX2: register_block:
; AVX2: %[[ROW:[0-9]+]] = load <32 x float>
; AVX2-NOT: <64 x float>
; AVX2: shufflevector <32 x float> %[[ROW]], <32 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; AVX2-NOT: <i32 16,
; AVX2: shufflevector <32 x float> %[[ROW]], <32 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; AVX2: register_block.exit
; AVX2: %[[NEXT_ROW:[0-9]+]] = load <32 x float>
; AVX2-NOT: <i32 8, i32 9, i32 10
; AVX2: shufflevector <32 x float> %[[NEXT_ROW]], <32 x float> poison, <8 x i32> <i32 16,
; AVX2: shufflevector <32 x float> %[[NEXT_ROW]], <32 x float> poison, <8 x i32> <i32 24,
; The registers of AVX-512 hold it all.
; AVX512-NOT: register_block
; CHECK: {{^}}exit:
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi <128 x float> [ zeroinitializer, %entry ], [ %t, %body ]
  %at = getelementptr float, ptr %p, i32 %i
  %row = load <32 x float>, ptr %at, align 4
  %twice = shufflevector <32 x float> %row, <32 x float> poison, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %rows = shufflevector <64 x float> %twice, <64 x float> poison, <128 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %at0 = getelementptr float, ptr %q, i32 %i
  %one0 = load float, ptr %at0, align 4
  %at1 = getelementptr float, ptr %at0, i32 %n
  %one1 = load float, ptr %at1, align 4
  %at2 = getelementptr float, ptr %at1, i32 %n
  %one2 = load float, ptr %at2, align 4
  %at3 = getelementptr float, ptr %at2, i32 %n
  %one3 = load float, ptr %at3, align 4
  %four0 = insertelement <4 x float> poison, float %one0, i64 0
  %four1 = insertelement <4 x float> %four0, float %one1, i64 1
  %four2 = insertelement <4 x float> %four1, float %one2, i64 2
  %four3 = insertelement <4 x float> %four2, float %one3, i64 3
  %column = shufflevector <4 x float> %four3, <4 x float> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3, i32 3>
  %t = call <128 x float> @llvm.fma.v128f32(<128 x float> %column, <128 x float> %rows, <128 x float> %s)
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %exit
exit:
  store <128 x float> %t, ptr %p, align 4
  ret void
}

; What the sums share is gathered at addresses that repeat a pointer: the elements of a vector of pointers have a size, too.
define void @gathered_row(ptr %p, ptr %q, <128 x i32> %lanes, i32 %n) {
; CHECK-LABEL: @gathered_row(
; CHECK: shufflevector <2 x ptr>
; CHECK: {{^}}exit:
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s0 = phi <128 x float> [ zeroinitializer, %entry ], [ %t0, %body ]
  %s1 = phi <128 x float> [ zeroinitializer, %entry ], [ %t1, %body ]
  %s2 = phi <128 x float> [ zeroinitializer, %entry ], [ %t2, %body ]
  %s3 = phi <128 x float> [ zeroinitializer, %entry ], [ %t3, %body ]
  %at = getelementptr float, ptr %p, i32 %i
  %one = insertelement <2 x ptr> poison, ptr %at, i64 0
  %all = shufflevector <2 x ptr> %one, <2 x ptr> poison, <128 x i32> zeroinitializer
  %each = getelementptr float, <128 x ptr> %all, <128 x i32> %lanes
  %row = call <128 x float> @llvm.masked.gather.v128f32.v128p0(<128 x ptr> %each, i32 4, <128 x i1> splat (i1 true), <128 x float> poison)
  %at0 = getelementptr float, ptr %q, i32 %i
  %a0 = load <4 x float>, ptr %at0, align 4
  %column0 = shufflevector <4 x float> %a0, <4 x float> poison, <128 x i32> zeroinitializer
  %column1 = shufflevector <4 x float> %a0, <4 x float> poison, <128 x i32> splat (i32 1)
  %column2 = shufflevector <4 x float> %a0, <4 x float> poison, <128 x i32> splat (i32 2)
  %column3 = shufflevector <4 x float> %a0, <4 x float> poison, <128 x i32> splat (i32 3)
  %t0 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column0, <128 x float> %row, <128 x float> %s0)
  %t1 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column1, <128 x float> %row, <128 x float> %s1)
  %t2 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column2, <128 x float> %row, <128 x float> %s2)
  %t3 = call <128 x float> @llvm.fma.v128f32(<128 x float> %column3, <128 x float> %row, <128 x float> %s3)
  %next = add i32 %i, 4
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %exit
exit:
  %to0 = getelementptr <128 x float>, ptr %p, i32 0
  store <128 x float> %t0, ptr %to0, align 4
  %to1 = getelementptr <128 x float>, ptr %p, i32 1
  store <128 x float> %t1, ptr %to1, align 4
  %to2 = getelementptr <128 x float>, ptr %p, i32 2
  store <128 x float> %t2, ptr %to2, align 4
  %to3 = getelementptr <128 x float>, ptr %p, i32 3
  store <128 x float> %t3, ptr %to3, align 4
  ret void
}

; Numbers of 16 bits that are read and converted for one sum each come right in front of it: they take one register at a time, not all at once.
define void @halves(ptr %p, ptr %q) {
; CHECK-LABEL: @halves(
; AVX2: fpext <8 x half> %{{.*}} to <8 x float>
; AVX2-NOT: fpext <128 x half>
; AVX2: store <128 x half>
; AVX2: ret void
  %p1 = getelementptr i8, ptr %p, i64 512
  %p2 = getelementptr i8, ptr %p, i64 1024
  %p3 = getelementptr i8, ptr %p, i64 1536
  %p4 = getelementptr i8, ptr %p, i64 2048
  %h0 = load <128 x half>, ptr %p, align 4
  %f0 = fpext <128 x half> %h0 to <128 x float>
  %h1 = load <128 x half>, ptr %p1, align 4
  %f1 = fpext <128 x half> %h1 to <128 x float>
  %h2 = load <128 x half>, ptr %p2, align 4
  %f2 = fpext <128 x half> %h2 to <128 x float>
  %h3 = load <128 x half>, ptr %p3, align 4
  %f3 = fpext <128 x half> %h3 to <128 x float>
  %h4 = load <128 x half>, ptr %p4, align 4
  %f4 = fpext <128 x half> %h4 to <128 x float>
  %s1 = call <128 x float> @llvm.fma.v128f32(<128 x float> %f0, <128 x float> splat (float 2.0), <128 x float> %f1)
  %s2 = call <128 x float> @llvm.fma.v128f32(<128 x float> %f2, <128 x float> splat (float 4.0), <128 x float> %s1)
  %s3 = call <128 x float> @llvm.fma.v128f32(<128 x float> %f3, <128 x float> splat (float 2.0), <128 x float> %s2)
  %s4 = fadd <128 x float> %s3, %f4
  %half = fptrunc <128 x float> %s4 to <128 x half>
  store <128 x half> %half, ptr %q, align 4
  ret void
}
