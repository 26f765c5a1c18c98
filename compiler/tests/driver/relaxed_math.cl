// Functions of relaxed math in place of the full ones, where the options say that results may be approximate and nothing is infinite.
// RUN: weftc --kernel=k --options=-cl-fast-relaxed-math --stop-after=relax-calls --emit=llvm %s | FileCheck %s --check-prefix=RELAXED
// RUN: weftc --kernel=k --options=-cl-unsafe-math-optimizations --stop-after=relax-calls --emit=llvm %s | FileCheck %s --check-prefix=FULL
// RUN: weftc --kernel=k --stop-after=relax-calls --emit=llvm %s | FileCheck %s --check-prefix=FULL

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// A function of the program's own.
float __attribute__((overloadable)) cos(int4 x) { return x.x + x.w; }

// RELAXED-LABEL: define {{.*}} @k(
// FULL-LABEL: define {{.*}} @k(
// RELAXED: call {{.*}} float @_Z18__weft_relaxed_expf(
// FULL: call {{.*}}float @_Z3expf(
// RELAXED: call {{.*}} <4 x float> @_Z18__weft_relaxed_logDv4_f(
// FULL: call {{.*}}<4 x float> @_Z3logDv4_f(
// RELAXED: call {{.*}} float @_Z19__weft_relaxed_pownfi(
// FULL: call {{.*}}float @_Z4pownfi(
// RELAXED: call {{.*}} float @_Z21__weft_relaxed_lengthDv4_f(
// FULL: call {{.*}}float @_Z6lengthDv4_f(
// Whose bounds are not wider, other types, and the program's own.
// RELAXED: call {{.*}} float @_Z5hypotff(
// RELAXED: call {{.*}} double @_Z3expd(
// RELAXED: call {{.*}} half @_Z3expDh(
// RELAXED: call {{.*}} float @_Z3cosDv4_i(
kernel void k(global float* a, global double* d, global half* h, global int4* n) {
  const float4 v = log((float4)(exp(a[0]), 1, 2, 3));
  a[0] = pown(v.x, n[1].x) * length(v) + hypot(v.x, v.y);
  d[0] = exp(d[0]);
  h[0] = exp(h[0]);
  a[1] = cos(n[0]);
}
