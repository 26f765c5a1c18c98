// A value of a uniform loop inside a divergent one, used after both: a lane keeps that of its own last iteration.
// RUN: weftc --verify-each --local-size=64,1,1 --stop-after=linearize %s | FileCheck %s

// CHECK: define internal i32 @k.region.0(
// CHECK: [[EXIT:%.*]] = select i1 {{%.*}}, i32 {{%.*}}, i32 [[HELD:%.*]]
// CHECK: {{%.*}} = phi i32 [ [[EXIT]], %{{.*}} ]
kernel void k(global const int* in, global int* out, int start) {
  int id = get_global_id(0), v = 1, n = 0;
  if (start) goto middle;
again:
  v += atomic_inc(&out[id]);
middle:
  if (++n < 4 && in[id * 3] > 1) goto again;
  out[id] = v;
}
