// Where a loop runs for one lane after the other, sums of products that wait for each other are products and sums. The loop side by side, for rows of few
// elements, has one operation.
// RUN: weftc --kernel=rows --cpu=sapphirerapids --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: define {{.*}}@rows.region.0(
// ROWS: call float @llvm.fmuladd.f32
// ROWS-LABEL: define {{.*}}@by_lane(
// ROWS: %[[PRODUCT:.*]] = fmul float
// ROWS: fadd float %{{.*}}, %[[PRODUCT]]
// ROWS-NOT: @llvm.fmuladd
// ROWS: ret
kernel void rows(global const int* first, global const int* column, global const float* a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  float sum = 1;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (column[k] != i) sum -= a[k] * x[column[k]];
  y[i] = sum;
}
// What may be contracted would be one operation again.
// RUN: weftc --kernel=fast --options=-cl-fast-relaxed-math --cpu=sapphirerapids --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=FAST
// FAST-LABEL: define {{.*}}@by_lane(
// FAST: fmul reassoc nnan ninf nsz arcp afn double
// FAST: fadd reassoc nnan ninf nsz arcp afn double
// FAST: ret
kernel void fast(global const int* first, global const int* column, global const double* a, global const double* x, global double* y) {
  const int i = get_global_id(0);
  double sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += a[k] * x[column[k]];
  y[i] = sum;
}
// One operation stays where what is carried is a factor, where the program says fma, and where other work takes longer than sums wait.
// RUN: weftc --kernel=factor --scalarize-loops=always --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=single --scalarize-loops=always --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=many --scalarize-loops=always --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// STAYS-LABEL: define {{.*}}@by_lane(
// STAYS-NOT: fmul float
// STAYS: call {{.*}}float @llvm.fm{{.*}}.f32
// STAYS-NOT: fmul float
// STAYS: ret
kernel void factor(global const int* first, global const float* a, global float* y) {
  const int i = get_global_id(0);
  float value = 1;
  for (int k = first[i]; k < first[i + 1]; ++k) value = value * a[k] + 1.0f;
  y[i] = value;
}
kernel void single(global const int* first, global const float* a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum = fma(a[k], x[k], sum);
  y[i] = sum;
}
kernel void many(global const int* first, global const float8* a, global const float* x, global float8* y) {
  const int i = get_global_id(0);
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    const float8 row = a[k];
    const float by = x[k];
    s0 += row.s0 * by; s1 += row.s1 * by; s2 += row.s2 * by; s3 += row.s3 * by;
    s4 += row.s4 * by; s5 += row.s5 * by; s6 += row.s6 * by; s7 += row.s7 * by;
  }
  y[i] = (float8)(s0, s1, s2, s3, s4, s5, s6, s7);
}
