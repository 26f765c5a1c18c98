// The last steps of a reduction as programs for lockstep warps write them, without volatile and without a
// barrier: seen by one lane, five of the six stores are dead. All stay.
// RUN: weftc --emit=scalar %s | FileCheck %s

__kernel void reduce(__global const float* in, __global float* out, __local float* data) {
  uint t = get_local_id(0);
  data[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < 32) {
    data[t] += data[t + 32];
    data[t] += data[t + 16];
    data[t] += data[t + 8];
    data[t] += data[t + 4];
    data[t] += data[t + 2];
    data[t] += data[t + 1];
  }
  if (t == 0) out[get_group_id(0)] = data[0];
}

// CHECK-LABEL: define {{.*}}spir_kernel void @reduce(
// CHECK: call void @__weft_barrier(i32 noundef 1)
// CHECK-COUNT-6: store volatile float {{.*}}, ptr addrspace(3) {{.*}} !weft.nonvolatile
// CHECK: load volatile float, ptr addrspace(3) {{.*}} !weft.nonvolatile
// CHECK: store volatile float {{.*}}, ptr addrspace(1)
