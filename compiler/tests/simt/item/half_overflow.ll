; An integer beyond half's range is infinity on its way to float, also where few of its bits are significant.
; RUN: weftc --passes=half-overflow --verify-each %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @unsigned(
; CHECK: [[H:%.*]] = uitofp i32 %x to half
; CHECK: [[F:%.*]] = fpext half [[H]] to float
; CHECK: [[BEYOND:%.*]] = icmp ugt i32 %x, 65519
; CHECK: [[R:%.*]] = select i1 [[BEYOND]], float 0x7FF0000000000000, float [[F]]
; CHECK: store float [[R]]
define spir_kernel void @unsigned(ptr addrspace(1) %out, i32 %y) !kernel_arg_addr_space !0 {
  %x = shl i32 %y, 31
  %h = uitofp i32 %x to half
  %f = fpext half %h to float
  store float %f, ptr addrspace(1) %out
  ret void
}

; By way of float, and of both signs.
; CHECK-LABEL: define spir_kernel void @signed(
; CHECK: [[F:%.*]] = fpext half %h to float
; CHECK: [[ABOVE:%.*]] = icmp sgt i32 %x, 65519
; CHECK: [[G:%.*]] = select i1 [[ABOVE]], float 0x7FF0000000000000, float [[F]]
; CHECK: [[BELOW:%.*]] = icmp slt i32 %x, -65519
; CHECK: select i1 [[BELOW]], float 0xFFF0000000000000, float [[G]]
define spir_kernel void @signed(ptr addrspace(1) %out, i32 %y) !kernel_arg_addr_space !0 {
  %x = shl i32 %y, 28
  %s = sitofp i32 %x to float
  %h = fptrunc float %s to half
  %f = fpext half %h to float
  store float %f, ptr addrspace(1) %out
  ret void
}

; 16 bits do not reach infinity with so few that are significant; floats that were no integers are LLVM's own business.
; CHECK-LABEL: define spir_kernel void @others(
; CHECK-NOT: select
define spir_kernel void @others(ptr addrspace(1) %out, i16 %x, float %y) !kernel_arg_addr_space !1 {
  %h = uitofp i16 %x to half
  %f = fpext half %h to float
  store float %f, ptr addrspace(1) %out
  %k = fptrunc float %y to half
  %g = fpext half %k to float
  store float %g, ptr addrspace(1) %out
  ret void
}

!0 = !{i32 1, i32 0}
!1 = !{i32 1, i32 0, i32 0}
