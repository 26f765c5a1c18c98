// What a register block computes is stored before the next one loads, where no access could tell.
// RUN: weftc --cpu=haswell --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --formats=6 --stop-after=register-blocking --verify-each %s | FileCheck %s
// CHECK-LABEL: define i32 @sums.group(
// CHECK-COUNT-8: load <8 x float>
// CHECK-COUNT-8: load <8 x float>
// CHECK-COUNT-8: store <8 x float>
// CHECK-COUNT-8: load <8 x float>
// CHECK-COUNT-8: load <8 x float>
// CHECK-COUNT-8: store <8 x float>
// CHECK-NOT: store <8 x float>

// Buffers may be one: the warp loads all that it sums before it stores.
// RUN: weftc --cpu=haswell --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=register-blocking %s | FileCheck %s --check-prefix=MEET
// RUN: weftc --cpu=haswell --kernel=neighbours --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --formats=2 --stop-after=register-blocking %s | FileCheck %s --check-prefix=MEET
// MEET-NOT: store <8 x float>
// MEET: store <128 x float>

// The registers of AVX-512 hold a warp's float4.
// RUN: weftc --cpu=sapphirerapids --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --formats=6 --stop-after=register-blocking %s | FileCheck %s --check-prefix=MEET

// What is loaded again behind a store comes behind all of it; several results are stored together.
// RUN: weftc --cpu=haswell --kernel=two --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --formats=e --stop-after=register-blocking --verify-each %s | FileCheck %s --check-prefix=TWO
// TWO-LABEL: define i32 @two.group(
// TWO: store <8 x float>
// TWO: store <8 x float>
// TWO: load <8 x float>
// TWO-NOT: store <128 x float>

kernel void sums(float a, global const float4* x, global float4* y) {
  const size_t i = get_global_id(0);
  y[i] += a * x[i];
}

kernel void neighbours(float a, global float4* y) {
  const size_t i = get_global_id(0);
  y[i] += a * y[i + 1];
}

kernel void two(float a, global const float4* x, global float4* y, global float4* z) {
  const size_t i = get_global_id(0);
  const float4 sum = a * x[i] + z[i], product = x[i] * y[i];
  y[i] = sum;
  z[i] = product;
}
