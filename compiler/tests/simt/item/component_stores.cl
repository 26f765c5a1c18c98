// A statement that writes a component of a vector in shared memory writes nothing else: other work-items may write the other components.
// RUN: weftc %s --kernel=single --verify-each --stop-after=component-stores | FileCheck %s --check-prefix=SINGLE
// RUN: weftc %s --kernel=single --required-only --verify-each --stop-after=component-stores | FileCheck %s --check-prefix=SINGLE
// RUN: weftc %s --kernel=several --verify-each --stop-after=component-stores | FileCheck %s --check-prefix=SEVERAL
// RUN: weftc %s --kernel=own --verify-each --stop-after=component-stores | FileCheck %s --check-prefix=OWN
// RUN: weftc %s --kernel=whole --verify-each --stop-after=component-stores | FileCheck %s --check-prefix=WHOLE
// RUN: weftc %s --kernel=all --local-size=64,1,1 --verify-each --stop-after=joined-components | FileCheck %s --check-prefix=ALL
// RUN: weftc %s --kernel=summed --local-size=64,1,1 --verify-each --stop-after=joined-components | FileCheck %s --check-prefix=SUMMED
// RUN: weftc %s --kernel=turned --local-size=64,1,1 --verify-each --stop-after=joined-components | FileCheck %s --check-prefix=TURNED
// RUN: weftc %s --kernel=in_loop --local-size=64,1,1 --verify-each --stop-after=joined-components | FileCheck %s --check-prefix=LOOP

// SINGLE-LABEL: define {{.*}} @single(
// SINGLE-NOT: load <
// SINGLE-NOT: store <
// SINGLE: store float {{.*}}, ptr addrspace(1) {{.*}}, align 4
// SINGLE-NOT: load <
// SINGLE-NOT: store <
// SINGLE: store volatile i8 {{.*}}, ptr addrspace(3) {{.*}}, align 1
// SINGLE-NOT: load <
// SINGLE-NOT: store <
// SINGLE: ret void
kernel void single(global float4* out, local volatile uchar4* shared, int k) {
  const int i = get_global_id(0);
  out[i].y = 1;
  shared[i].w = k;
  out[i + 1][k] = 2;
}

// Those of an aligned half are one store.
// SEVERAL-LABEL: define {{.*}} @several(
// SEVERAL: store <2 x double> {{.*}}, ptr addrspace(1) {{.*}}, align 16
// SEVERAL: store double {{.*}}, align 8
// SEVERAL: store double {{.*}}, align 16
// SEVERAL: ret void
kernel void several(global double4* out, double2 two) {
  const int i = get_global_id(0);
  out[i].hi = two;
  out[i + 1].zy = two;
}

// Private memory is nobody else's, and becomes registers.
// OWN-LABEL: define {{.*}} @own(
// OWN: insertelement <4 x float>
// OWN-NEXT: store <4 x float> {{.*}}, ptr %sum
// OWN: store <4 x float> {{.*}}, ptr addrspace(1)
// OWN: ret void
kernel void own(global float4* out, float a) {
  float4 sum = 0;
  sum.y = a;
  out[get_global_id(0)] = sum;
}

// WHOLE-LABEL: define {{.*}} @whole(
// WHOLE: store <2 x float> {{.*}}, ptr addrspace(1)
// WHOLE: ret void
kernel void whole(global float2* out) { out[get_global_id(0)].yx = out[1]; }

// Components that are written one after the other are one vector, whatever is read of others meanwhile: the buffers may be one, components of others they
// are not.
// ALL-LABEL: define {{.*}} @all(
// ALL-NOT: store
// ALL: store volatile <4 x float>
// ALL-NOT: store
// ALL: ret void
kernel void all(global const float4* in, global const float* restrict scale, global float4* restrict out) {
  const int i = get_global_id(0);
  out[i].x = in[i].x * scale[i];
  out[i].y = in[i].y * scale[i];
  out[i].w = 1;
  out[i].z = in[i].z * scale[i];
}

// SUMMED-LABEL: define {{.*}} @summed(
// SUMMED-COUNT-6: load volatile float
// SUMMED-NOT: load
// SUMMED: store volatile <2 x float>
// SUMMED: store volatile float
// SUMMED-NOT: load
// SUMMED: ret void
kernel void summed(global const float4* in, global float4* out) {
  const int i = get_global_id(0);
  out[i].x += in[i].x;
  out[i].y += in[i].y;
  out[i].z += in[i].z;
}

// Not where what is read may have been written just now.
// TURNED-LABEL: define {{.*}} @turned(
// TURNED: load volatile float
// TURNED: store volatile float
// TURNED: load volatile float
// TURNED: store volatile float
// TURNED: ret void
kernel void turned(global const float4* in, global float4* out) {
  const int i = get_global_id(0);
  out[i].x = in[i].y;
  out[i].y = in[i].x;
}

// LOOP-LABEL: define {{.*}} @in_loop(
// LOOP-NOT: store volatile <
// LOOP: ret void
kernel void in_loop(global const float* in, global float4* out, int n) {
  const int i = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    out[i].x += in[k];
    out[i].y -= in[k];
  }
}
