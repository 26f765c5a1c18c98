// Lanes that lie evenly apart: each has an access of its own, at one address and a number. Lanes that repeat load once.
// RUN: weftc --cpu=icelake-server --kernel=padded --local-size=16,16,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PADDED
// RUN: weftc --cpu=icelake-server --kernel=padded --local-size=16,16,1 --ids-fit-31-bits --coarsen=1 --disable=spaced-lanes --stop-after=widen %s | FileCheck %s --check-prefix=WITHOUT
// RUN: weftc --cpu=icelake-server --kernel=pitch --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PITCH
// RUN: weftc --cpu=icelake-server --kernel=bounded --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=BOUNDED

// PADDED-LABEL: @padded.region.0.warp(
// PADDED-NOT: scatter
// PADDED-COUNT-32: store float
// PADDED-NOT: store float
// PADDED-LABEL: @padded.region.1.warp(
// PADDED-NOT: gather
// PADDED-COUNT-16: load float
// PADDED-NOT: load float
// PADDED: shufflevector <16 x float>
// WITHOUT: @llvm.masked.scatter.v32f32
// WITHOUT: @llvm.masked.gather.v32f32
kernel void padded(global const float* in, global float* out) {
  local float t[16][50];
  const int x = get_local_id(0), y = get_local_id(1);
  t[x][3 * y] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * 16 + x] = t[x][3];
}

// The distance is known at run time.
// PITCH-LABEL: @pitch.region.0.warp(
// PITCH-NOT: scatter
// PITCH-COUNT-32: store float
// PITCH-NOT: store float
kernel void pitch(global const float* in, const long n, global float* out) { out[get_local_id(0) * n] = in[get_local_id(0)]; }

// Lanes that may be off access nothing.
// BOUNDED: @llvm.masked.gather.v32f32
kernel void bounded(global const float* in, global const int* all, global float* out) {
  const int x = get_local_id(0);
  if (all[x] > 3) out[x] = in[9 * x];
}

// Larger vectors, too, are at one address and multiples of a distance.
// RUN: weftc --cpu=icelake-server --kernel=vectors --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=clean-up %s | FileCheck %s --check-prefix=VECTORS
// VECTORS-LABEL: @vectors.
// VECTORS-NOT: extractelement
// VECTORS-COUNT-32: load <4 x float>
// VECTORS-COUNT-32: store <4 x float>
kernel void vectors(global const float4* restrict in, const long n, global float4* restrict out) {
  out[get_local_id(0) * n + 1] = in[get_local_id(0) * n] * 2.0f;
}
