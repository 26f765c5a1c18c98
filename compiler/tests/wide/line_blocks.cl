// Where lanes read rows a large power of two apart, lines of 64 bytes are read at once, and where registers have half of it, those of eight lanes in turn:
// each register block's rows are loaded and transposed in front of what is computed of them.
// RUN: weftc --cpu=haswell --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --stop-after=register-blocking --verify-each %s | FileCheck %s
// CHECK-LABEL: define i32 @sums.group(
// CHECK: %crowded
// CHECK: for.body.i:
// CHECK-COUNT-8: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK-COUNT-4: @llvm.fmuladd.v8f32
// CHECK-COUNT-8: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK-COUNT-4: @llvm.fmuladd.v8f32
// CHECK-COUNT-8: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK-COUNT-4: @llvm.fmuladd.v8f32
// CHECK-COUNT-8: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK-COUNT-4: @llvm.fmuladd.v8f32

kernel void sums(global const float* a, global const float* x, global float* y, int n, int ld) {
  const int r = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[r * ld + k] * x[k];
  y[r] = sum;
}

// First code goes by pieces.
// RUN: weftc --cpu=haswell --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --soon --emit=llvm %s | FileCheck %s --check-prefix=SOON
// SOON-NOT: %crowded
// SOON: define i32 @sums.group.soon(
// SOON-NOT: %crowded
