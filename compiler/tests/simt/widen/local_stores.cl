// Stores of some lanes to local memory, which is one thread's alone: where masks have no registers, whole registers among which what is
// not stored is what was there. A register without a lane goes to a place of no meaning.
// RUN: weftc --cpu=haswell --kernel=halve --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=nehalem --kernel=halve --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SMALL
// RUN: weftc --cpu=sapphirerapids --kernel=halve --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=MASKS
// RUN: weftc --cpu=haswell --kernel=shared --local-size=64,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=GLOBAL

// CHECK-LABEL: @halve.region.1.warp(
// CHECK: [[NOWHERE:%.*]] = alloca <8 x float>
// CHECK: [[PLACE:%.*]] = select i1 {{.*}}, ptr {{.*}}, ptr [[NOWHERE]]
// CHECK: [[OLD:%.*]] = load <8 x float>, ptr [[PLACE]], align 4
// CHECK: select <8 x i1> {{.*}}, <8 x float>
// CHECK: store <8 x float> {{.*}}, ptr [[PLACE]], align 4
// CHECK-COUNT-3: store <8 x float>
// CHECK-NOT: @llvm.masked.store
// SMALL: alloca <4 x float>
// SMALL-COUNT-8: store <4 x float>
// MASKS: call void @llvm.masked.store
kernel void halve(global const float* in, global float* out, local float* t, int s) {
  const int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = t[0];
}

// What other threads may write meanwhile is not written back.
// GLOBAL: call void @llvm.masked.store
kernel void shared(global float* out, int s) {
  const int l = get_local_id(0);
  if (l < s) out[get_global_id(0)] = 1;
}
