// RUN: weftc --local-size=64,1,1 --kernel=sums --stop-after=join-components %s | FileCheck %s
// RUN: weftc --local-size=64,1,1 --kernel=mixed --stop-after=join-components %s | FileCheck %s --check-prefix=MIXED
// RUN: weftc --local-size=64,1,1 --kernel=conversions --stop-after=join-components %s | FileCheck %s --check-prefix=CAST
// RUN: weftc --local-size=64,1,1 --kernel=turned --stop-after=join-components %s | FileCheck %s --check-prefix=TURNED
// RUN: weftc --cpu=sapphirerapids --local-size=64,1,1 --kernel=turned --stop-after=widen %s | FileCheck %s --check-prefix=TURNEDWIDE
// RUN: weftc --local-size=64,1,1 --kernel=half_turned --stop-after=join-components %s | FileCheck %s --check-prefix=HALF
// Arithmetic by components that does the same to each is arithmetic on vectors, however its operands are ordered.

// CHECK-LABEL: define internal {{.*}} @sums.region.0(
// CHECK: for.body
// CHECK-NOT: extractelement
// CHECK: [[FACTOR:%.*]] = shufflevector <4 x float>
// CHECK-NOT: extractelement
// CHECK: call <4 x float> @llvm.fmuladd.v4f32(
// CHECK-NOT: extractelement
// CHECK: ret
kernel void sums(global const float4* a, global const float* b, global float4* c, int n) {
  const size_t i = get_global_id(0);
  float4 sum = c[i];
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    const float4 v = a[k * 64 + i];
    const float f = b[k];
    sum.y += f * v.y;
    sum.x += v.x * f;
    sum.w = v.w * f + sum.w;
    sum.z += f * v.z;
  }
  c[i] = sum;
}

// Another operation, another component, one that is used alone, too, and a component that is not set: as they were.
// MIXED-LABEL: define internal {{.*}} @mixed.region.0(
// MIXED-NOT: fadd <4 x float>
// MIXED-NOT: fmul <4 x float>
// MIXED-NOT: fsub <4 x float>
// MIXED: ret
kernel void mixed(global const float4* a, global float4* c, global float* d) {
  const size_t i = get_global_id(0);
  const float4 v = a[i], w = a[i + 64];
  c[4 * i] = (float4)(v.x + w.x, v.y - w.y, v.z + w.z, v.w + w.w);
  c[4 * i + 1] = (float4)(v.x * w.y, v.y * w.x, v.z * w.z, v.w * w.w);
  const float used = v.x - w.x;
  c[4 * i + 2] = (float4)(used, v.y - w.y, v.z - w.z, v.w - w.w);
  d[i] = used;
  float4 three = v;
  three.x = v.x * 3.0f;
  three.y = v.y * 5.0f;
  three.z = v.z * 7.0f;
  c[4 * i + 3] = three;
}

// CAST-LABEL: define internal {{.*}} @conversions.region.0(
// CAST: uitofp <4 x i8> {{.*}} to <4 x float>
// CAST: fmul <4 x float> {{.*}}, <float 2.000000e+00, float 3.000000e+00, float 4.000000e+00, float 5.000000e+00>
// CAST: ret
kernel void conversions(global const uchar4* a, global float4* c) {
  const size_t i = get_global_id(0);
  const uchar4 v = a[i];
  c[i] = (float4)((float)v.x * 2.0f, (float)v.y * 3.0f, (float)v.z * 4.0f, (float)v.w * 5.0f);
}

// A square of components that is turned: two vectors are interleaved at a time, and its rows share the steps. They stay as memory has them.
// TURNED-LABEL: define internal {{.*}} @turned.region.0(
// TURNED-NOT: extractelement
// TURNED: [[A:%.*]] = shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
// TURNED: [[B:%.*]] = shufflevector <4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
// TURNED: shufflevector <4 x float> [[A]], <4 x float> [[B]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
// TURNED: shufflevector <4 x float> [[A]], <4 x float> [[B]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
// TURNED-NOT: extractelement
// TURNED: ret
// TURNEDWIDE-LABEL: @turned.region.0.warp(
// TURNEDWIDE-NOT: <32 x float>
// TURNEDWIDE: ret
kernel void turned(global const float4* a, global float4* c, float f) {
  const size_t i = get_global_id(0);
  const float4 v = a[i], w = a[i + 64], x = a[i + 128], y = a[i + 192];
  c[i] = (float4)(v.x * f, w.x * f, x.x * f, y.x * f);
  c[i + 64] = (float4)(v.y * f, w.y * f, x.y * f, y.y * f);
  c[i + 128] = (float4)(v.z * f, w.z * f, x.z * f, y.z * f);
  c[i + 192] = (float4)(v.w * f, w.w * f, x.w * f, y.w * f);
}

// Of three rows of four the components are as well taken out.
// HALF-LABEL: define internal {{.*}} @half_turned.region.0(
// HALF-NOT: <i32 0, i32 1, i32 4, i32 5>
// HALF: ret
kernel void half_turned(global const float4* a, global float4* c) {
  const size_t i = get_global_id(0);
  const float4 v = a[i], w = a[i + 64], x = a[i + 128], y = a[i + 192];
  c[i] = (float4)(v.x, w.x, x.x, y.x);
  c[i + 64] = (float4)(v.y, w.y, x.y, y.y);
  c[i + 128] = (float4)(v.z, w.z, x.z, y.z);
}
