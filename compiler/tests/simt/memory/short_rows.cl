// Rows of up to a few elements leave a loop that runs for one lane after the other, for pieces of eight elements.
// RUN: weftc --kernel=rows --cpu=sapphirerapids --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: define {{.*}}@rows.region.0(
// ROWS: %is.short = icmp ult i32 %{{.*}}, 32
// ROWS: call i1 @weft.few(i1 %is.short
// ROWS: rows.short:
// ROWS: %[[LEFT:left.*]] = phi i32
// ROWS: %piece = call float @piece(i32 %[[LEFT]],
// ROWS: add i32 %{{.*}}, 8
// ROWS: icmp uge i32 %[[LEFT]], 8
// ROWS: call float @by_lane
// ROWS-LABEL: define {{.*}}float @piece(
// ROWS: %on = icmp ule <8 x i32>
// ROWS: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %{{.*}}, i32 4, <8 x i1> %on
// ROWS: call <8 x float> @llvm.masked.gather
// ROWS: call <8 x float> @llvm.masked.load.v8f32.p0
// ROWS: %[[PRODUCTS:.*]] = fmul <8 x float>
// ROWS: select <8 x i1> %on, <8 x float> %[[PRODUCTS]], <8 x float> <float -0.000000e+00
// ROWS-COUNT-8: fadd float
// ROWS-NOT: fadd
// ROWS: ret float
kernel void rows(global const int* first, global const int* column, global const float* a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += a[k] * x[column[k]];
  y[i] = sum;
}
// Branches are masks of what is loaded behind them, and a sum has nothing added where it has none.
// RUN: weftc --kernel=others --cpu=sapphirerapids --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=OTHERS
// OTHERS-LABEL: define {{.*}}double @piece(
// OTHERS: %[[SOME:.*]] = select <8 x i1> %on, <8 x i1> %{{.*}}, <8 x i1> zeroinitializer
// OTHERS: call <8 x double> @llvm.masked.gather.v8f64.v8p0(<8 x ptr> %{{.*}}, i32 8, <8 x i1> %[[SOME]]
// OTHERS: select <8 x i1> %[[SOME]], <8 x double> %{{.*}}, <8 x double> <double -0.000000e+00
// OTHERS-NOT: select
// OTHERS: ret double
kernel void others(global const int* first, global const int* column, global const double* a, global const double* x, global double* y) {
  const int i = get_global_id(0);
  double sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (column[k] != i) sum += a[k] * x[column[k]];
  y[i] = sum;
}
// A lane may have asked in front of the loop which way it goes.
// RUN: weftc --kernel=asked --scalarize-loops=always --cpu=haswell --disable=settled-sides,chosen-bounds --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=ASKED
// ASKED-LABEL: define {{.*}}@piece({{.*}}i1 %
// ASKED: insertelement <8 x i1> poison, i1
kernel void asked(global const int* first, global const uint* a, global const uint* b, global uint* y) {
  const int i = get_global_id(0);
  const bool both = a[i] > 7;
  uint sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    sum += a[k];
    if (both) sum += b[a[k]];
  }
  y[i] = sum;
}
// What may be done in any order is, and in the program's where both values wait for each other.
// RUN: weftc --kernel=least --scalarize-loops=always --cpu=haswell --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=LEAST
// LEAST-LABEL: define {{.*}}@piece(
// LEAST-DAG: call i32 @llvm.vector.reduce.umin.v8i32
// LEAST-DAG: call i32 @llvm.vector.reduce.or.v8i32
// LEAST: ret { i32, i32 }
kernel void least(global const int* first, global const uint* a, global uint* y) {
  const int i = get_global_id(0);
  uint least = i, bits = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    least = min(least, a[k]);
    bits |= a[k];
  }
  y[i] = least ^ bits;
}
// RUN: weftc --kernel=chained --scalarize-loops=always --cpu=haswell --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=CHAINED
// CHAINED-LABEL: define {{.*}}@piece(
// CHAINED-COUNT-8: mul i32
// CHAINED-NOT: mul i32
// CHAINED: ret i32
kernel void chained(global const int* first, global const uint* a, global uint* y) {
  const int i = get_global_id(0);
  uint hash = i;
  for (int k = first[i]; k < first[i + 1]; ++k) hash = (hash ^ a[k]) * 16777619;
  y[i] = hash;
}
// Not of loops that divide integers, whose lanes that are off would trap; that end where what they load says; that choose their way by what they carry; or have arrays of their own.
// RUN: weftc --kernel=quotients --scalarize-loops=always --cpu=haswell --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=ends --scalarize-loops=always --cpu=haswell --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=chooses --scalarize-loops=always --cpu=haswell --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=told --scalarize-loops=always --cpu=haswell --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// Nor without gathers.
// RUN: weftc --kernel=chained --scalarize-loops=always --cpu=nehalem --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// STAYS-NOT: @piece(
// STAYS: define {{.*}}@by_lane(
// STAYS-NOT: @piece(
kernel void quotients(global const int* first, global const uint* a, global uint* y) {
  const int i = get_global_id(0);
  uint sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += 1000 / a[k];
  y[i] = sum;
}
kernel void ends(global const int* first, global const uint* a, global uint* y) {
  const int i = get_global_id(0);
  uint sum = 0;
  for (int k = first[i]; a[k]; ++k) sum += a[k];
  y[i] = sum;
}
kernel void chooses(global const int* first, global const uint* a, global const uint* b, global uint* y) {
  const int i = get_global_id(0);
  uint sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (sum & 1) sum += b[a[k]];
    else sum ^= a[k];
  y[i] = sum;
}
kernel void told(global const int* first, global uint* y) {
  const int i = get_global_id(0);
  uint sum[8] = {0, 1, 2, 3};
  for (int k = first[i]; k < first[i + 1]; ++k) sum[k & 7] += k;
  y[i] = sum[first[i] & 7];
}
