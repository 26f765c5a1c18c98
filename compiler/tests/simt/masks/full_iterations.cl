// Iterations that all lanes run come first, without masks; those that some lanes run stay behind.
// RUN: weftc --kernel=over_all --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @over_all.region.0(
// The copy stands in front of the question whether a lane begins, and asks it for all.
// CHECK: full:
// CHECK: [[STAYS:%.*]] = icmp slt i32 [[I:%.*]], %n
// CHECK-NEXT: [[ALL:%.*]] = call i1 @weft.all(i1 [[STAYS]])
// CHECK-NEXT: br i1 [[ALL]], label %[[BODY:.*]], label %rest
// CHECK: [[BODY]]:
// CHECK-NEXT: [[SAME:%.*]] = call i32 @weft.in_order.i32(i32 [[I]], i1 true)
// CHECK: sext i32 [[SAME]] to i64
// CHECK: for.body:
// CHECK: load volatile float
// RUN: weftc --kernel=over_all --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations %s | FileCheck %s --check-prefix=REST
// REST: rest:
// REST-NEXT: br i1 {{%.*}}, label %for.body

// Widened, the question is one of the ends, and neither the load nor the sum is masked in the copy.
// RUN: weftc --cpu=icelake-server --kernel=over_all --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: define internal i32 @over_all.region.0.warp(
// WIDE: for.body.full:
// WIDE-NOT: masked
// WIDE: load <64 x float>
// WIDE-NEXT: fadd <64 x float>
// WIDE-NOT: select
// WIDE: br label %full

// A group's rows: the stride is a constant.
// RUN: weftc --kernel=over_group --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations --verify-each %s | FileCheck %s --check-prefix=GROUP
// GROUP-LABEL: define internal i32 @over_group.region.0(
// GROUP: call i1 @weft.all(

// So is one that reads an argument where lanes begin: arguments may be loaded in front of the question.
// RUN: weftc --kernel=scaled --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations --verify-each %s | FileCheck %s --check-prefix=SCALED
// SCALED-LABEL: define internal i32 @scaled.region.0(
// SCALED: br label %full
// SCALED: call i1 @weft.all(
// SCALED-NOT: load ptr
// SCALED: ret i32

// What LLVM has computed at the loop's end, and for those that skip it as a constant, is computed behind both.
// RUN: weftc --kernel=root --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations --verify-each %s | FileCheck %s --check-prefix=ROOT
// ROOT-LABEL: define internal i32 @root.region.0(
// ROOT: br label %full
// ROOT: full:
// ROOT: call i1 @weft.all(
// ROOT: for.end:
// ROOT-NEXT: [[SUM:%.*]] = phi float
// ROOT-NEXT: [[ROOT:%.*]] = {{.*}}call {{.*}}float @llvm.sqrt.f32(float {{.*}}[[SUM]])
// ROOT: store volatile float [[ROOT]]
// But not what those that skip it have otherwise.
// RUN: weftc --kernel=root_or_one --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations --verify-each %s | FileCheck %s --check-prefix=OTHER
// OTHER-LABEL: define internal i32 @root_or_one.region.0(
// OTHER: call {{.*}}float @llvm.sqrt.f32(
// OTHER: phi float {{.*}}1.000000e+00

// A loop that every work-item begins: its copy begins like it.
// RUN: weftc --kernel=at_least_once --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations --verify-each %s | FileCheck %s --check-prefix=ONCE
// ONCE-LABEL: define internal i32 @at_least_once.region.0(
// ONCE: call i1 @weft.all(
// ONCE: rest:
// ONCE-NEXT: br i1

// Lanes that end one after the other, or by what they read, have no such iterations.
// RUN: weftc --kernel=triangle --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=chains --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-iterations %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: @weft.all

// The name is an optimization's.
// RUN: weftc --kernel=over_all --local-size=64,1,1 --ids-fit-31-bits --disable=full-iterations --stop-after=full-iterations %s | FileCheck %s --check-prefix=NONE
kernel void over_all(global const float* a, global float* out, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i];
  out[get_global_id(0)] = sum;
}

kernel void over_group(global const float* a, global float* out, uint n) {
  float most = 0;
  for (uint i = get_local_id(0); i < n; i += get_local_size(0)) most = fmax(most, a[get_group_id(0) * n + i]);
  out[get_global_id(0)] = most;
}

kernel void at_least_once(global float* a, int n) {
  int i = get_global_id(0);
  do {
    a[i] += 1;
    i += get_global_size(0);
  } while (i < n);
}

kernel void triangle(global const float* a, global float* out) {
  float sum = 0;
  for (uint i = 0; i < get_global_id(0); ++i) sum += a[i];
  out[get_global_id(0)] = sum;
}

kernel void chains(global const int* next, global int* out) {
  int i = get_global_id(0), n = 0;
  for (; i >= 0; i = next[i]) ++n;
  out[get_global_id(0)] = n;
}

kernel void scaled(global const float* in, global float* out, int n) {
  global const float* row = in + get_group_id(0) * n;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) out[get_group_id(0) * n + i] = row[i] * 0.5f;
}

kernel void root(global const float* a, global float* out, int n) {
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i];
  out[get_global_id(0)] = sqrt(sum);
}

kernel void root_or_one(global const float* a, global float* out, int n) {
  float root = 1;
  int i = get_global_id(0);
  if (i < n) {
    float sum = 4;
    for (; i < n; i += get_global_size(0)) sum += a[i];
    root = sqrt(sum);
  }
  out[get_global_id(0)] = root;
}
