// Quotients by a number are products with its reciprocal, and what these leave.
// RUN: weftc --kernel=by_constant --cpu=znver4 --local-size=64,1,1 --coarsen=1 --stop-after=float-quotients --verify-each %s | FileCheck %s --check-prefix=CONSTANT
// CONSTANT-NOT: fdiv
// CONSTANT: %[[PRODUCT:.*]] = fmul <32 x float> %[[X:.*]], <float 0x3FD5555560000000,
// CONSTANT: %[[MINUS:.*]] = fneg <32 x float> %[[PRODUCT]]
// CONSTANT: %[[LEFT:.*]] = call <32 x float> @llvm.fma.v32f32(<32 x float> %[[MINUS]], <32 x float> <float 3.000000e+00, {{.*}}, <32 x float> %[[X]])
// CONSTANT: %[[IS:.*]] = fcmp one <32 x float> %[[LEFT]], zeroinitializer
// CONSTANT: %[[EXACT:.*]] = call <32 x float> @llvm.fma.v32f32(<32 x float> %[[LEFT]], <32 x float> <float 0x3FD5555560000000, {{.*}}, <32 x float> %[[PRODUCT]])
// CONSTANT: select <32 x i1> %[[IS]], <32 x float> %[[EXACT]], <32 x float> %[[PRODUCT]]
// CONSTANT-NOT: fdiv
kernel void by_constant(global const float* a, global float* b) {
  const size_t i = get_global_id(0);
  b[i] = a[i] / 3.0f;
}
// The reciprocal of an argument is divided once, and numbers that have none are made greater.
// RUN: weftc --kernel=by_number --cpu=haswell --local-size=64,1,1 --coarsen=1 --stop-after=float-quotients --verify-each %s | FileCheck %s --check-prefix=NUMBER
// NUMBER: fcmp ole float %{{.*}}, 0x37F0000000000000
// NUMBER: fdiv float 1.000000e+00
// NUMBER-NOT: fdiv
// NUMBER: fmul <32 x float>
// NUMBER: fmul <32 x float>
// NUMBER-NOT: fdiv
kernel void by_number(global const float* a, global float* b, const float c) {
  const size_t i = get_global_id(0);
  b[i] = a[i] / c;
}
// Not where quotients have to be exact, or denormals are zeros; where the lanes' divisors differ; by numbers without a reciprocal; beside more work; nor without FMA.
// RUN: weftc --options=-cl-fp32-correctly-rounded-divide-sqrt --kernel=by_constant --cpu=znver4 --local-size=64,1,1 --stop-after=float-quotients %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --options=-cl-denorms-are-zero --kernel=by_constant --cpu=znver4 --local-size=64,1,1 --stop-after=float-quotients %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=by_vector --cpu=znver4 --local-size=64,1,1 --stop-after=float-quotients %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=by_least --cpu=znver4 --local-size=64,1,1 --stop-after=float-quotients %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=meanwhile --cpu=znver4 --local-size=64,1,1 --stop-after=float-quotients %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=by_constant --cpu=nehalem --local-size=64,1,1 --stop-after=float-quotients %s | FileCheck %s --check-prefix=STAYS
// STAYS: fdiv <{{[0-9]+}} x float>
kernel void by_vector(global const float* a, global float* b) {
  const size_t i = get_global_id(0);
  b[i] = 3.0f / a[i];
}
kernel void by_least(global const float* a, global float* b) {
  const size_t i = get_global_id(0);
  b[i] = a[i] / 0x3p-140f;
}
kernel void meanwhile(global const float* a, global float* b) {
  const size_t i = get_global_id(0);
  const float x = a[i];
  b[i] = ((x * x + 1) * x + 2) * x / 3.0f;
}
