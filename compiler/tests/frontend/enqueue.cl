// Queues and events of the device are integers; a block that is enqueued has a kernel, which code names by a number once the program is
// linked, so functions that enqueue each other are no recursion; nothing has the address of a function.
// RUN: weftc --options="-cl-std=CL3.0" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CL2.0" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CLC++2021" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CL3.0 -g" --emit=frontend %s -o - | FileCheck --check-prefix=EXPLAINED %s
// RUN: weftc --options="-cl-std=CL3.0" --emit=scalar --verify-each %s -o - | FileCheck --check-prefix=SCALAR %s
// RUN: weftc --options="-cl-std=CL3.0" --info --emit=scalar %s -o /dev/null 2>&1 | FileCheck --check-prefix=INFO %s
// There are no blocks before 2.0.
// RUN: not weftc --options="-cl-std=CL1.2" --emit=frontend %s -o /dev/null

// CHECK-NOT: target("spirv
// CHECK: @__block_literal_global = internal addrspace(1) constant {{.*}} { i32 16, i32 8, ptr addrspace(4) null }
// CHECK: @{{.*}}again{{.*}}(ptr addrspace(1) {{.*}}%out, i32 {{.*}}%left, i64 %q)
// CHECK: store ptr addrspace(4) null, ptr %block.invoke
// CHECK: call spir_func i32 @__enqueue_kernel_basic_events(i64 %{{[0-9]+}}, i32 1, ptr %{{.*}}, i32 0, ptr addrspace(4) null, ptr addrspace(4) %{{.*}}, ptr addrspace(4) addrspacecast (ptr [[AGAIN:@[^ ]*again[^ ]*_block_invoke_kernel]] to ptr addrspace(4)), ptr addrspace(4) %{{[0-9]+}})
// EXPLAINED: call spir_func i32 @__enqueue_kernel_basic_events(i64 %{{[0-9]+}}, i32 -2147483647,
//
// A block's kernel has the literal in constant memory.
// CHECK: define internal spir_kernel void [[AGAIN]](ptr addrspace(2) %{{.*}}) #[[BLOCK:[0-9]+]]
// CHECK: addrspacecast ptr addrspace(2) %{{.*}} to ptr addrspace(4)
// CHECK: attributes #[[BLOCK]] = {{.*}}"weft-block"
void again(global int* out, int left, queue_t q) {
  clk_event_t done;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), 0, 0, &done, ^{ if (left) again(out, left - 1, q); });
  release_event(done);
}

// SCALAR: define {{.*}}spir_kernel void @{{.*}}again{{.*}}_block_invoke_kernel(ptr addrspace(2) %0) #[[BLOCK:[0-9]+]]
// SCALAR: load i32, ptr addrspace(2)
// SCALAR: store i32 0, ptr %{{.*}}, align 4
// SCALAR: call i32 @__weft_enqueue(ptr {{.*}})
// SCALAR: call i64 @__weft_queue_call(i32 noundef 3, i64 noundef %{{[0-9]+}}, i64 noundef 0)
// SCALAR: define {{.*}}spir_kernel void @k(ptr addrspace(1) {{.*}}%out, i64 %q)
// SCALAR: attributes #[[BLOCK]] = {{.*}}"weft-block"="0"
//
// INFO: again{{.*}}_block_invoke_kernel: {{.*}}queues, block 0
// INFO: kernel k: {{.*}}queues
// INFO: kind 7 {{.*}} queue_t q
// INFO: _block_invoke_kernel: {{.*}}block 1
kernel void k(global int* out, queue_t q) {
  again(out, 2, q);
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{});
}
