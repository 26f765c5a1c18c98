// A loop with three exits and a `continue`: canonicalize-cfg leaves one exit, linearize takes it when no lane is live,
// and each lane's result is that of its own exit.
// RUN: weftc --verify-each --local-size=64,1,1 --stop-after=canonicalize-cfg %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --verify-each --local-size=64,1,1 --stop-after=linearize %s | FileCheck %s

// BEFORE: define internal i32 @k.region.0(
// BEFORE-NOT: weft.any
// BEFORE: br i1 {{%.*}}, label %[[AFTER:.*]], label %for.body{{$}}
// BEFORE-NOT: label %for.body,

// CHECK: define internal i32 @k.region.0(
// CHECK: for.body:
// CHECK-DAG: [[HELD:%.*]] = phi i32 [ [[EXIT:%.*]], %[[LATCH:.*]] ], [ poison, %{{.*}} ]
// CHECK-DAG: [[LIVE:%.*]] = phi i1 [ [[STAY:%.*]], %[[LATCH]] ], [ true, %{{.*}} ]
// CHECK: call void @weft.mask(i1 [[LIVE]])
// CHECK: [[STAY]] = select i1 [[LIVE]], i1 {{%.*}}, i1 false
// CHECK-NEXT: [[EXIT]] = select i1 [[LIVE]], i32 {{%.*}}, i32 [[HELD]]
// CHECK-NEXT: [[ANY:%.*]] = call i1 @weft.any(i1 [[STAY]])
// CHECK-NEXT: br i1 [[ANY]], label %for.body, label %
// CHECK: ret i32 -1
kernel void k(global int* a, int n) {
  int i = get_local_id(0), r = 0;
  for (int k = 0; k < n; ++k) {
    int x = a[k];
    if (x == i) { r = 1; break; }
    if (x < i) continue;
    a[i] = k;
    if (x > 2 * i) { r = 2; break; }
  }
  a[i] = r;
}
