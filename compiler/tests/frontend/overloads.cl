// Functions of a program with builtins' names: overloads stand beside the builtins, wherever they are declared; one with a
// builtin's own parameters takes that builtin's place, and hides the others unless it is overloadable. Kernels keep their names.
// RUN: weftc --emit=frontend %s | FileCheck %s

// CHECK-LABEL: define {{.*}}void @mix(
// CHECK: @_Z3mixfff(
kernel void step(global float* f);
kernel void mix(global float* f) { f[0] = mix(f[0], f[1], 0.5f); }

// CHECK-LABEL: define {{.*}}void @step(
// CHECK: @_Z4stepff(
kernel void step(global float* f) { f[0] = step(f[0], f[1]); }

// CHECK-LABEL: define {{.*}} @_Z5clampDv2_fi(
// CHECK: @_Z5clampDv2_fS_S_(
float2 __attribute__((overloadable)) clamp(float2 x, int most) { return clamp(x, (float2)(0), (float2)(most)); }

float fmax(global float* at, int count);
float __attribute__((overloadable)) min(float a, float b) { return a + b; }
float max(float a, float b) { return a - b; }
static int mul24(int a, int b) { return a * b; }

// CHECK-LABEL: define {{.*}}void @k(
kernel void k(global float* f, global uint* u) {
  // CHECK: @_Z5clampfff(
  f[0] = clamp(f[0], 0.f, 2.f);
  // CHECK: @fmax(
  f[1] = fmax(f, 3);
  // CHECK: @_Z4fmaxff(
  f[2] = fmax(f[0], f[1]);
  // CHECK: @_Z3minff(
  f[3] = min(f[3], f[4]);
  // CHECK: @_Z3minjj(
  u[0] = min(u[1], u[2]);
  // Hidden: unsigned values are converted, as to the parameters of any function.
  // CHECK: @max(float
  u[3] = max(u[4], u[5]);
  // CHECK: @mul24(i32
  u[6] = mul24(u[7], u[8]);
}

float fmax(global float* at, int count) { return at[count]; }
