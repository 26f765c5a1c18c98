// The rim of a tile: lanes that the compiler knows access memory one by one where they are few, and rows as masked or whole vectors.
// RUN: weftc --cpu=icelake-server --local-size=16,16,1 --ids-fit-31-bits --verify-each --coarsen=1 --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=icelake-server --local-size=16,16,1 --ids-fit-31-bits --coarsen=1 --disable=few-lanes --stop-after=widen %s | FileCheck %s --check-prefix=WITHOUT

// Lanes 0 and 16 are at the left, 15 and 31 at the right; which rows are first and last is known at run time.
// CHECK-LABEL: @rim.region.0.warp(
// CHECK-NOT: scatter
// CHECK-COUNT-4: store float
// CHECK-NOT: store float
// CHECK: {{^}}}
// WITHOUT-LABEL: @rim.region.0.warp(
// WITHOUT-COUNT-2: call void @llvm.masked.scatter.v32f32
kernel void rim(global const float* in, global float* out, int pitch) {
  local float t[18][18];
  const int x = get_local_id(0) + 1, y = get_local_id(1) + 1, at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  t[y][x] = in[at];
  if (x == 1) t[y][0] = in[at - 1];
  if (x == 16) t[y][17] = in[at + 1];
  if (y == 1) t[0][x] = in[at - pitch];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = t[y][x - 1] + t[y][x + 1] + t[y - 1][x];
}
