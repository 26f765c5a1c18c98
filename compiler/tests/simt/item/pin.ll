; Accesses to global and local memory become volatile and are marked, unless they are of global memory and were volatile already; private
; and constant memory stay as they are.
; RUN: weftc --passes=pin %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define spir_kernel void @k(ptr addrspace(1) %g, ptr addrspace(3) %l, ptr addrspace(2) %c) {
  %p = alloca [4 x i32]
  %a = load i32, ptr addrspace(1) %g
  %b = load volatile i32, ptr addrspace(1) %g
  %d = load i32, ptr addrspace(2) %c
  store i32 %a, ptr %p
  store i32 %b, ptr addrspace(3) %l
  %e = load volatile i32, ptr addrspace(3) %l
  %r = atomicrmw add ptr addrspace(3) %l, i32 %d monotonic
  ret void
}

; CHECK: %a = load volatile i32, ptr addrspace(1) %g, align 4, !weft.nonvolatile ![[M:[0-9]+]]
; CHECK: %b = load volatile i32, ptr addrspace(1) %g, align 4{{$}}
; CHECK: %d = load i32, ptr addrspace(2) %c, align 4{{$}}
; CHECK: store i32 %a, ptr %p, align 4{{$}}
; CHECK: store volatile i32 %b, ptr addrspace(3) %l, align 4, !weft.nonvolatile ![[M]]
; CHECK: %e = load volatile i32, ptr addrspace(3) %l, align 4, !weft.nonvolatile ![[M]]
; CHECK: atomicrmw volatile add ptr addrspace(3) %l, i32 %d monotonic, align 4, !weft.nonvolatile ![[M]]
