// RUN: weftc --local-size=64,1,1 --kernel=moved --verify-each --stop-after=threes-as-fours %s | FileCheck %s --check-prefix=MOVED
// RUN: weftc --local-size=64,1,1 --kernel=loop --verify-each --stop-after=threes-as-fours %s | FileCheck %s --check-prefix=LOOP
// RUN: weftc --local-size=64,1,1 --kernel=divided --verify-each --stop-after=threes-as-fours %s | FileCheck %s --check-prefix=DIVIDED
// RUN: weftc --local-size=64,1,1 --kernel=asked --verify-each --stop-after=threes-as-fours %s | FileCheck %s --check-prefix=ASKED
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --kernel=moved --stop-after=widen %s | FileCheck %s --check-prefix=WIDE
// Arithmetic on three components is arithmetic on the four that memory has.

// MOVED-LABEL: define internal {{.*}} @moved.region.0(
// MOVED-NOT: <3 x i32>
// MOVED: call <4 x float> @llvm.fmuladd.v4f32(
// MOVED: fmul <4 x float> {{.*}}<float 1.000000e+00, float 2.000000e+00, float 3.000000e+00, float 3.000000e+00>
// MOVED-NOT: <3 x i32>
// MOVED: ret
// WIDE-LABEL: @moved.region.0.warp
// WIDE-NOT: shufflevector <128
// WIDE: ret
kernel void moved(global float3* p, global const float3* v, float dt) {
  const size_t i = get_global_id(0);
  p[i] = (p[i] + v[i] * dt) * (float3)(1, 2, 3);
}

// A sum that the loop carries, which begins with zeros.
// LOOP-LABEL: define internal {{.*}} @loop.region.0(
// LOOP-NOT: <3 x i32>
// LOOP: phi <4 x float>
// LOOP-NOT: <3 x i32>
// LOOP: ret
kernel void loop(global const float3* a, global float3* out, int n) {
  float3 sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k) sum += a[get_global_id(0) + k] * (float)k;
  out[get_global_id(0)] = sum;
}

// The fourth may be zero.
// DIVIDED-LABEL: define internal {{.*}} @divided.region.0(
// DIVIDED: sdiv <3 x i32>
kernel void divided(global int3* a, global const int3* b) {
  const size_t i = get_global_id(0);
  a[i] = a[i] / b[i];
}

// A component that is asked for alone.
// ASKED-LABEL: define internal {{.*}} @asked.region.0(
// ASKED: call <3 x float> @llvm.fmuladd
kernel void asked(global const float3* a, global const float3* b, global float* out) {
  const size_t i = get_global_id(0);
  const float3 sum = a[i] * out[i] + b[i];
  out[i] = sum.x * sum.y * sum.z;
}
