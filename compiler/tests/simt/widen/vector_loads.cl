// OpenCL vectors that lanes load from anywhere under a condition: addresses are selected together where there are mask registers, and the value stays
// packed through the choice.
// RUN: weftc --cpu=znver4 --kernel=bounded --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=bounded --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=znver4 --kernel=many --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --verify-each --options=-g --remarks --stop-after=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MANY

// CHECK-LABEL: define internal i32 @bounded.region.0.warp(
// CHECK:       [[CHOSEN:%.*]] = select <32 x i1> [[ON:%.*]], <32 x ptr> %{{.*}}, <32 x ptr> %{{.*}}
// CHECK-NOT:   select i1
// CHECK-COUNT-32: load <4 x float>, ptr
// CHECK-NOT:   shufflevector <128 x float>
// CHECK:       [[EACH:%.*]] = shufflevector <32 x i1> %{{.*}}, <32 x i1> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1, i32 1, i32 1, i32 1, i32 2,
// CHECK-NEXT:  select <128 x i1> [[EACH]], <128 x float> %{{.*}}, <128 x float> zeroinitializer
// CHECK-NOT:   shufflevector <128 x float>
// CHECK:       store <128 x float>
// AVX2-LABEL:  define internal i32 @bounded.region.0.warp(
// AVX2-NOT:    select <32 x i1> %{{.*}}, <32 x ptr>
// AVX2:        select <128 x i1> %{{.*}}, <128 x float> %{{.*}}, <128 x float> zeroinitializer
kernel void bounded(global const float4* a, global const int* at, global float4* y, int n) {
  const int i = get_global_id(0);
  float4 sum = 0;
  for (int k = 0; k < n; ++k) {
    const int j = at[i] + k * 3 - 8;
    sum += (j < 0 || j >= n ? (float4)0 : a[j]) * 1.5f;
  }
  y[i] = sum;
}

// Too many to write out: those in the loop are, the others are loops over the lanes.
#define TWICE(x) x x
#define STORE at[index[k++]] = sum;
// MANY-COUNT-3: vector_loads.cl:[[#@LINE+8]]: remark: load of <4 x float>: addresses are varying: one lane after the other (
// MANY-NOT: store of <4 x float>: addresses are varying: one lane after the other (
// MANY: store of <4 x float>: addresses are varying: one lane after the other, in a loop
// MANY-NOT: store of <4 x float>: addresses are varying: one lane after the other (
kernel void many(global const float4* restrict a, global const int* restrict index, global float4* restrict at, int n) {
  int k = get_global_id(0);
  float4 sum = 0;
  for (int j = 0; j < n; ++j) {
    sum += a[index[k + 3 * j]] * a[index[k + 5 * j]] * a[index[k + 7 * j]];
  }
  TWICE(TWICE(TWICE(TWICE(TWICE(STORE)))))
}
