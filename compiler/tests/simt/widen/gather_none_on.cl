// In a divergent loop, a register's gather is left out where none of its lanes is on; its indices keep 32 bits where they are used.
// RUN: weftc --cpu=icelake-server --kernel=rows --local-size=64,1,1 --ids-fit-31-bits --coarsen=2 --stop-after=widen --verify-each %s | FileCheck %s
// CHECK: for.body:
// CHECK: %live = phi <64 x i1>
// CHECK: [[BITS:%.+]] = bitcast <64 x i1> %live to i64
// CHECK: and i64 [[BITS]], 65535
// CHECK: some.on{{.*}}:
// CHECK: sext <16 x i32> {{.*}} to <16 x i64>
// CHECK-NEXT: getelementptr float, ptr %{{.*}}, <16 x i64>
// CHECK-NEXT: call <16 x float> @llvm.masked.gather.v16f32.v16p0(
// CHECK: none.on{{.*}}:
// CHECK: phi <16 x float> [ {{.*}}, %some.on{{.*}} ], [ zeroinitializer, %none.on{{.*}} ]
// CHECK: and i64 [[BITS]], 4294901760
kernel void rows(global const int* begins, global const int* columns, global const float* values, global const float* x, global float* y) {
  const int row = get_group_id(0);
  float sum = 0;
  for (int k = begins[row] + get_local_id(0); k < begins[row + 1]; k += get_local_size(0)) sum += values[k] * x[columns[k]];
  y[get_global_id(0)] = sum;
}

// Behind a condition alone all registers are gathered at once.
// RUN: weftc --cpu=icelake-server --kernel=some --local-size=64,1,1 --ids-fit-31-bits --coarsen=2 --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=SOME
// SOME: call <64 x i64> @llvm.masked.gather.v64i64.v64p0(
kernel void some(global const int* at, global const float* x, global float* y) {
  const int i = get_global_id(0);
  if (at[i] >= 0) y[i] = x[at[i]] * x[at[i] + 1] + sqrt(x[at[i]]) / y[i];
}
