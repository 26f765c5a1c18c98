// Vectors of lanes that lie far apart, in a body of eight lanes: a load for each, and none of a lane that is not there.
// RUN: weftc --cpu=sapphirerapids --local-size=1,8,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s
// CHECK-LABEL: .warp(
// CHECK-COUNT-8: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK: ret i32
kernel void k(global const uint4* in, global uint* out, int pitch) {
  const int at = get_global_id(1) * pitch + get_global_id(0);
  const uint4 v = in[at];
  out[at] = v.x * 3 + v.y * 5 + v.z * 7 + v.w;
}
