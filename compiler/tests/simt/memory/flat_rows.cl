// Rows that a list tells are one loop over the elements of all lanes, where they are short, differ in length, and lie one behind the other.
// RUN: weftc --kernel=rows --cpu=znver4 --local-size=64,1,1 --coarsen=1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=TOLD
// TOLD-LABEL: define {{.*}}@rows.region.0(
// TOLD: %iterations = add i32 %{{.*}}, 1
// TOLD: call float @by_lane.told(i32 %iterations,
// TOLD-LABEL: define internal float @by_lane.told(i32
// TOLD: call float @by_lane(
// RUN: weftc --kernel=rows --cpu=znver4 --local-size=64,1,1 --coarsen=1 --stop-after=widen --verify-each %s | FileCheck %s --check-prefixes=ROWS,GATHER
// RUN: weftc --kernel=rows --cpu=nehalem --local-size=64,1,1 --coarsen=1 --stop-after=widen --verify-each %s | FileCheck %s --check-prefixes=ROWS,ONE
// ROWS-LABEL: define {{.*}}@rows.
// ROWS: %[[SUM:.*]] = call i32 @llvm.vector.reduce.add.v32i32
// ROWS: icmp ule i32 %[[SUM]],
// ROWS: call i32 @llvm.vector.reduce.umax.v32i32
// ROWS: label %rows.near, label %rows.alone
// ROWS: rows.near:
// ROWS: label %rows.flat, label %rows.alone
// Two at once, each a product, a sum, and whether the next begins anew; then one alone.
// ROWS: elements{{[0-9]*}}:
// ROWS-COUNT-2: call <4 x float> @llvm.x86.sse41.blendvps(<4 x float> %{{.*}}, <4 x float> %{{.*}}, <4 x float>
// ROWS: rest{{[0-9]*}}:
// ROWS: call <4 x float> @llvm.x86.sse41.blendvps(
// GATHER: call <32 x float> @llvm.masked.gather.v32f32
// ONE-NOT: call <32 x float> @llvm.masked.gather.v32f32
// ROWS: call float @by_lane.told(i32 poison,
kernel void rows(global const int* first, global const int* column, global const float* a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  float sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += a[k] * x[column[k]];
  y[i] = sum;
}
// What lanes have for themselves, each element finds by its lane; branches stay.
// RUN: weftc --kernel=own --scalarize-loops=always --cpu=znver3 --local-size=64,1,1 --coarsen=1 --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=OWN
// OWN-LABEL: define {{.*}}@own.
// OWN: rows.flat:
// OWN: elements{{[0-9]*}}:
// OWN-NEXT: phi i64
// OWN-NEXT: %[[LANE:.*]] = phi i64
// OWN: getelementptr inbounds i32, ptr %{{.*}}, i64 %[[LANE]]
// OWN: %[[END:.*]] = load i64, ptr
// OWN: %[[ON:.*]] = icmp slt i64 %[[END]], 0
// OWN: select i1 %[[ON]], i64 %[[LANE]], i64 %[[END]]
// OWN: call <2 x double> @llvm.x86.sse41.blendvpd
kernel void own(global const int* first, global const int* column, global const double* a, global const double* x, global double* y) {
  const int i = get_global_id(0);
  double sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (column[k] != i) sum += a[k] * x[column[k]];
  y[i] = sum;
}
// Not of loops whose begin no list tells, that end where what they load says, that write, or have arrays of their own.
// RUN: weftc --kernel=counts --scalarize-loops=always --cpu=znver3 --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=ends --scalarize-loops=always --cpu=znver3 --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=arrays --scalarize-loops=always --cpu=znver3 --local-size=64,1,1 --stop-after=scalarize-loops %s | FileCheck %s --check-prefix=STAYS
// STAYS-NOT: by_lane.told
// STAYS: define {{.*}}@by_lane(
// STAYS-NOT: by_lane.told
kernel void counts(global const int* count, global const uint* a, global uint* y) {
  const int i = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < count[i]; ++k) sum += a[64 * i + k];
  y[i] = sum;
}
kernel void ends(global const int* first, global const uint* a, global uint* y) {
  const int i = get_global_id(0);
  uint sum = 0;
  for (int k = first[i]; a[k]; ++k) sum += a[k];
  y[i] = sum;
}
kernel void arrays(global const int* first, global uint* y) {
  const int i = get_global_id(0);
  uint sum[8] = {0, 1, 2, 3};
  for (int k = first[i]; k < first[i + 1]; ++k) sum[k & 7] += k;
  y[i] = sum[first[i] & 7];
}
