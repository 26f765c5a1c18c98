// Powers by exponents k/2 that the program writes are products, roots and quotients; of other exponents, and of half, they stay.
// RUN: weftc --kernel=written --stop-after=constant-powers --emit=llvm %s | FileCheck %s --check-prefix=WRITTEN
// RUN: weftc --kernel=stay --stop-after=constant-powers --emit=llvm %s | FileCheck %s --check-prefix=STAY
// RUN: weftc --kernel=written --disable=constant-powers --stop-after=relax-calls --emit=llvm %s | FileCheck %s --check-prefix=OFF
// RUN: weftc --kernel=written --options=-cl-fast-relaxed-math --local-size=64,1,1 --verify-each -o /dev/null %s

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// WRITTEN-LABEL: spir_kernel void @written(
// WRITTEN-NOT: call {{.*}}@_Z3pow
// WRITTEN: [[SQUARE:%.*]] = fmul float [[X:%.*]], [[X]]
// WRITTEN: fmul float [[X]], [[SQUARE]]
// WRITTEN: call <4 x float> @llvm.sqrt.v4f32(
// WRITTEN: fcmp oeq <4 x float> {{.*}}, <float 0xFFF0000000000000,
// WRITTEN: fdiv double 1.000000e+00
// WRITTEN: call float @llvm.fabs.f32(
// WRITTEN: fcmp oge float
// WRITTEN: ret void
// OFF: call {{.*}}@_Z3powff(
kernel void written(global float* a, global float4* v, global double* d) {
  a[0] = pow(a[0], 3.0f);
  v[0] = pow(v[0], (float4)(0.5f));
  d[0] = pown(d[0], -8);
  a[1] = powr(a[1], 1.5f);
}

// STAY-LABEL: spir_kernel void @stay(
// STAY: call {{.*}}float @_Z3powff(float {{.*}}, float {{.*}}0x4001
// STAY: call {{.*}}float @_Z3powff(float {{.*}}, float {{.*}}9.0
// STAY: call {{.*}}float @_Z3powff(float {{.*}}, float {{.*}}0.0
// STAY: call {{.*}}half @_Z3powDhDh(
// STAY: call {{.*}}<2 x float> @_Z3powDv2_fS_(
kernel void stay(global float* a, global half* h, global float2* v) {
  a[0] = pow(a[0], 2.2f);
  a[1] = pow(a[1], 9.0f);
  a[2] = pow(a[2], 0.0f);
  h[0] = pow(h[0], (half)2);
  v[0] = pow(v[0], (float2)(2, 3));
}
