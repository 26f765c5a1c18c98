// A loop that a program asks to unroll, and whose loads a diagonal chooses, stays a loop: each copy for a side has the elements of a line. So does the loop of
// two iterations around it. Without copies for sides it is unrolled as before.
// RUN: weftc --emit=scalar --stop-after=sided-loops %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=tile --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --stop-after=settled-sides %s | FileCheck %s
// RUN: weftc --kernel=tile --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: weftc --kernel=tile --cpu=znver4 --local-size=64,1,1 --ids-fit-31-bits --disable=settled-sides --stop-after=split-regions %s | FileCheck %s --check-prefix=UNROLLED
// RUN: weftc --kernel=tile --cpu=znver4 --local-size=64,1,1 --required-only --stop-after=split-regions %s | FileCheck %s --check-prefix=UNROLLED
// RUN: weftc --kernel=tile --cpu=znver4 --local-size=64,1,1 --counted --stop-after=simplify-item %s | FileCheck %s --check-prefix=UNROLLED

// KEPT-LABEL: @tile(
// KEPT: br label {{.*}}, !llvm.loop [[INNER:![0-9]+]]
// KEPT: br label {{.*}}, !llvm.loop [[AROUND:![0-9]+]]
// KEPT-LABEL: @private_sums(
// KEPT: br label {{.*}}, !llvm.loop [[ASKED:![0-9]+]]
// KEPT-LABEL: @one_side(
// KEPT: br label {{.*}}, !llvm.loop [[ASKED2:![0-9]+]]
// KEPT-LABEL: @small(
// KEPT: br label {{.*}}, !llvm.loop [[ASKED3:![0-9]+]]
// KEPT-DAG: [[INNER]] = distinct !{[[INNER]], [[OFF:![0-9]+]], [[BEFORE:![0-9]+]]}
// KEPT-DAG: [[AROUND]] = distinct !{[[AROUND]], [[OFF]], {{![0-9]+}}}
// KEPT-DAG: [[OFF]] = !{!"llvm.loop.unroll.disable"}
// KEPT-DAG: [[BEFORE]] = !{!"weft.kept_loop", [[FIRST:![0-9]+]]}
// KEPT-DAG: [[FIRST]] = distinct !{[[FIRST]], {{.*}}[[ON:![0-9]+]]}
// KEPT-DAG: [[ON]] = !{!"llvm.loop.unroll.enable"}
// KEPT-DAG: [[ASKED]] = distinct !{[[ASKED]], {{.*}}[[ON]]}
// KEPT-DAG: [[ASKED2]] = distinct !{[[ASKED2]], {{.*}}[[ON]]}
// KEPT-DAG: [[ASKED3]] = distinct !{[[ASKED3]], {{.*}}[[ON]]}

// CHECK: .above{{.*}}:
// CHECK-COUNT-16: call float @llvm.fmuladd.f32
// CHECK-NOT: call float @llvm.fmuladd.f32
// CHECK: br i1
// CHECK-NOT: weft.kept_loop
// REMARKS: load of <16 x i32>
// UNROLLED-COUNT-32: call float @llvm.fmuladd.f32
// UNROLLED-NOT: weft.kept_loop
__kernel void tile(__global const float* restrict a, __global const float* restrict x, __global float* restrict y, int n, int ld, int upper) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += 64)
    for (int i = 0; i < 64; i += 32)
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        const int k = first + i + j;
        float value;
        if ((upper == 0 && k <= row) || (upper == 1 && row <= k)) value = a[ld * k + row];
        else value = a[ld * row + k];
        sum += x[k] * value;
      }
  y[row] = sum;
}

// Unrolled, this array is in registers.
__kernel void private_sums(__global const float* restrict a, __global float* restrict y, int first, int ld) {
  const int row = get_global_id(0);
  float sums[32] = {0};
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 32; ++j) {
      const int k = first + j;
      sums[j] += k <= row ? a[ld * k + row] : a[ld * row + k];
    }
  for (int j = 0; j < 32; ++j) y[row] += sums[j] * j;
}

// All lanes compare alike.
__kernel void one_side(__global const float* restrict a, __global const float* restrict x, __global float* restrict y, int first, int ld, int column) {
  const int row = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    const int k = first + j;
    float value;
    if (k <= column) value = a[ld * k + row];
    else value = a[ld * row + k];
    sum += x[k] * value;
  }
  y[row] = sum;
}

__kernel void small(__global const float* restrict a, __global float* restrict y, int first, int ld) {
  const int row = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const int k = first + j;
    sum += k <= row ? a[ld * k + row] : a[ld * row + k];
  }
  y[row] = sum;
}
