// Kernels of programs built with -cl-denorms-are-zero set the processor's bits where their group function begins and take them
// back where it ends; no others touch them.
// RUN: weftc --cpu=haswell --local-size=64,1,1 --options=-cl-denorms-are-zero --stop-after=group %s | FileCheck %s --check-prefixes=CHECK,F16C
// RUN: weftc --cpu=haswell --local-size=64,1,1 --options=-cl-denorms-are-zero --required-only --stop-after=group %s | FileCheck %s --check-prefixes=CHECK,F16C
// RUN: weftc --cpu=nehalem --local-size=64,1,1 --options=-cl-denorms-are-zero --stop-after=group %s | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: weftc --cpu=haswell --local-size=64,1,1 --stop-after=group %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --cpu=haswell --local-size=64,1,1 --options=-cl-denorms-are-zero --emit=asm %s | FileCheck %s --check-prefix=CODE

// CHECK: define i32 @k.group(
// CHECK-NEXT: entry:
// CHECK-NEXT: [[SLOT:%.*]] = alloca i32
// Operands and results; without the processor's conversions of half, which are made of floats, results alone.
// F16C-NEXT: store i32 40896, ptr [[SLOT]]
// NONE-NEXT: store i32 40832, ptr [[SLOT]]
// CHECK-NEXT: call void @llvm.x86.sse.ldmxcsr(ptr [[SLOT]])
// CHECK: store i32 8064, ptr [[SLOT]]
// CHECK-NEXT: call void @llvm.x86.sse.ldmxcsr(ptr [[SLOT]])
// CHECK-NEXT: ret i32

// KEPT: define i32 @k.group(
// KEPT-NOT: ldmxcsr

// CODE: ldmxcsr
// CODE: mulps
// CODE: ldmxcsr
kernel void k(global float* a, float b) { a[get_global_id(0)] *= b; }
