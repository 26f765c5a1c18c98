// Lanes walk along rows whose lengths differ: the iterations that all of them run come first, the same for all.
// RUN: weftc --cpu=sapphirerapids --kernel=triangle --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-iterations --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @triangle.region.0(
// The first row has none, wherever it lies.
// CHECK: [[COUNT:%.*]] = select i1 {{%.*}}, i32 0, i32 {{%.*}}
// CHECK-NEXT: [[COMMON:%.*]] = call i32 @weft.least(i32 [[COUNT]])
// CHECK-NEXT: [[ENOUGH:%.*]] = icmp uge i32 [[COMMON]], 8
// CHECK-NEXT: br i1 [[ENOUGH]], label %begin, label %rest
// CHECK: rest:
// CHECK: br i1 %goes.on, label %for.end, label %for.body.lr.ph
// What is known of addresses within the loop is known in the copy, too.
// CHECK: begin:
// CHECK: mul nsw i32
// CHECK: for.body.common:
// CHECK: [[NEXT:%.*]] = add nuw i32 %number, 1
// CHECK: [[STAYS:%.*]] = icmp ult i32 [[NEXT]], [[COMMON]]
// CHECK: br i1 [[STAYS]], label %for.body.common, label %rest

// Then they read pieces, and what is left lies behind them. Lanes that are off have no say in how many there are.
// RUN: weftc --cpu=sapphirerapids --kernel=lists --local-size=64,1,1 --ids-fit-31-bits --stop-after=walked-rows --verify-each %s | FileCheck %s --check-prefix=PIECES
// PIECES-LABEL: define internal i32 @lists.region.0(
// PIECES: call i32 @weft.least(
// PIECES: load volatile <4 x i32>
// RUN: weftc --cpu=sapphirerapids --kernel=some --local-size=64,1,1 --ids-fit-31-bits --stop-after=linearize --verify-each %s | FileCheck %s --check-prefix=SOME
// SOME-LABEL: define internal i32 @some.region.0(
// SOME: [[OWN:%.*]] = select i1 [[MASK:%.*]], i32 {{%.*}}, i32 -1
// SOME-NEXT: call i32 @weft.least(i32 [[OWN]])

// Rows that are written, and columns from the diagonal on; the loop may be one that every lane begins.
// RUN: weftc --cpu=sapphirerapids --kernel=scaled --local-size=64,1,1 --ids-fit-31-bits --stop-after=written-walks --verify-each %s | FileCheck %s --check-prefix=WRITTEN
// WRITTEN-LABEL: define internal i32 @scaled.region.0(
// WRITTEN: call i32 @weft.least(
// WRITTEN: store volatile <4 x i32>

// Nothing is gained where lanes lie side by side, where they leave by what they read, or where a row ends for all at once; nor may a loop be
// taken whose end is not known in front of it.
// RUN: weftc --cpu=sapphirerapids --kernel=columns --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-iterations %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=finds --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-iterations %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=whole --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-iterations %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=moves --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-iterations %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=triangle --local-size=64,1,1 --ids-fit-31-bits --disable=common-iterations --stop-after=common-iterations %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: @weft.least
kernel void triangle(global const float* a, global const float* x, global float* y, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < row; ++k) sum += a[row * n + k] * x[k];
  y[row] = sum;
}

kernel void lists(global const int* begins, global const int* of, global const float* x, global float* y) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int k = begins[row]; k < begins[row + 1]; ++k) sum += x[of[k]];
  y[row] = sum;
}

kernel void some(global const int* wanted, global const int* lengths, global const float* a, global float* y, int n) {
  const int row = get_global_id(0);
  if (wanted[row]) {
    float sum = 0;
    for (int k = 0; k < lengths[row]; ++k) sum += a[row * n + k];
    y[row] = sum;
  }
}

kernel void scaled(global float* restrict a, global const float* restrict by, int n) {
  const int row = get_global_id(0);
  for (int k = row; k < n; ++k) a[row * n + k] *= by[row];
}

kernel void columns(global const float* a, global float* y, int n) {
  const int column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < column; ++k) sum += a[k * n + column];
  y[column] = sum;
}

kernel void finds(global const float* a, global int* y, int n) {
  const int row = get_global_id(0);
  int k = 0;
  while (a[row * n + k] > 0) ++k;
  y[row] = k;
}

kernel void whole(global const float* a, global float* y, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k];
  y[row] = sum;
}

kernel void moves(global float* a, global int* ends, global float* y, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < ends[row]; ++k) {
    sum += a[row * n + k];
    ends[k] = sum;
  }
  y[row] = sum;
}
