// Groups side by side along x run row by row in one call, where they keep nothing to themselves and their lanes lie along rows of memory.
// RUN: weftc --kernel=scaled --local-size=32,8,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --kernel=scaled --local-size=32,8,1 --coarsen=1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --kernel=scaled --local-size=64,4,1 --coarsen=1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=PAIRS
// RUN: weftc --kernel=scaled --local-size=32,8,1 --disable=group-runs --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=scaled --local-size=32,8,1 --required-only --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=transposed --local-size=32,8,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=summed --local-size=32,8,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=counted --local-size=32,8,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=shared --local-size=32,8,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=columns --local-size=32,8,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=many --local-size=32,8,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=scaled --local-size=64,4,1 --coarsen=1 --ids-fit-31-bits --verify-each --stop-after=opaque-groups %s | FileCheck %s --check-prefix=OPAQUE
// RUN: weftc --kernel=scaled --local-size=64,4,1 --coarsen=1 --ids-fit-31-bits --stop-after=aligned-spills %s | FileCheck %s --check-prefix=SEEN

// BEFORE: define internal i32 @scaled.region.0.warp(

// The rows of 32x8 are warps: each runs for all groups, from the first on.
// ROWS: define i32 @scaled.group(
// ROWS: [[FIRST:%first.*]] = load i64, ptr
// ROWS: [[COUNT:%run.*]] = load i64,
// ROWS: [[END:%.*]] = add nuw nsw i64 [[FIRST]], [[COUNT]]
// ROWS: [[ROW:%row.*]] = phi i32 [ 0,
// ROWS: [[ID:%group.id.*]] = phi i64 [ [[FIRST]],
// ROWS: mul nuw nsw i32 [[ROW]], 32
// ROWS: store <32 x float>
// ROWS: [[NEXT:%.*]] = add nuw nsw i64 [[ID]], 1
// ROWS: icmp ult i64 [[NEXT]], [[END]]

// A row of 64 is two warps, one after the other.
// PAIRS: define i32 @scaled.group(
// PAIRS: %row{{.*}} = phi i32
// PAIRS: %group.id{{.*}} = phi i64
// PAIRS: %warp{{.*}} = phi i32
// PAIRS: icmp ult i32 {{%.*}}, 2
// PAIRS: icmp ult i64

// What a group computes begins at a number of which LLVM's strength reduction knows nothing; the loop over the groups counts as before.
// OPAQUE: define i32 @scaled.group(
// OPAQUE: [[COUNT:%group.id.*]] = phi i64
// OPAQUE: [[ID:%group.id.*]] = freeze i64 [[COUNT]]
// OPAQUE: shl {{.*}}i64 [[ID]], 6
// OPAQUE: add {{.*}}i64 [[COUNT]], 1
// SEEN: define i32 @scaled.group(
// SEEN-NOT: freeze i64

// ONE: define i32 @{{.*}}.group(
// ONE-NOT: %group.id
// ONE: ret i32 0
// ONE-NEXT: }
// Of a loop of few, long iterations, as over the bodies of a group, strength reduction does not see the number; of more, it does.
// RUN: weftc --cpu=sapphirerapids --kernel=rows_of_five --local-size=32,8,1 --ids-fit-31-bits --verify-each --stop-after=opaque-groups %s | FileCheck %s --check-prefix=FEW
// RUN: weftc --cpu=sapphirerapids --kernel=rows_of_five --local-size=32,32,1 --ids-fit-31-bits --verify-each --stop-after=opaque-groups %s | FileCheck %s --check-prefix=MANY
// FEW: [[NUMBER:%.*]] = phi i64
// FEW: call i64 asm "", "=r,0"(i64 [[NUMBER]])
// MANY-NOT: call i64 asm ""
kernel void rows_of_five(global const float* in, global float* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i) sum += in[clamp(y + j, 0, height - 1) * width + clamp(x + i, 0, width - 1)];
  out[y * width + x] = sum;
}

kernel void scaled(global const float* a, global float* b, int pitch) {
  const int i = get_global_id(1) * pitch + get_global_id(0);
  b[i] = a[i] * 2.0f;
}

kernel void transposed(global const float* a, global float* b, int pitch) {
  b[get_global_id(0) * pitch + get_global_id(1)] = a[get_global_id(1) * pitch + get_global_id(0)];
}

kernel void summed(global const float* a, global float* b, int pitch, int n) {
  const int i = get_global_id(1) * pitch + get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i + k * pitch];
  b[i] = sum;
}

kernel void counted(global int* a, int pitch) { atomic_inc(a + get_global_id(1) * pitch + get_global_id(0)); }

kernel void shared(global const float* a, global float* b, int pitch, local float* t) {
  const int i = get_global_id(1) * pitch + get_global_id(0);
  t[get_local_id(0)] = a[i];
  b[i] = t[get_local_id(0)];
}

// What depends on the column alone is computed once for all rows of a group.
kernel void columns(global float* b, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  b[y * pitch + x] = y + sqrt((float)x * 3.0f + 1.0f) * (x * x - 7) / (x + 3.0f);
}

// Too much is read for a row to be near when the next one comes.
kernel void many(global const float8* a, global float* b, int pitch) {
  const int i = get_global_id(1) * pitch + get_global_id(0);
  float8 sum = a[i];
  for (int k = 1; k < 20; ++k) sum += a[i + k * pitch];
  b[i] = sum.s0 + sum.s1 + sum.s2 + sum.s3 + sum.s4 + sum.s5 + sum.s6 + sum.s7;
}
