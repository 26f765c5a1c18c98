// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=16,16,1 --coarsen=1 --kernel=outer %s | FileCheck %s
// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=8,32,1 --coarsen=1 --kernel=products %s | FileCheck %s --check-prefix=SHORT
// Components of a vector that a segment of lanes shares are loaded one by one where each is repeated over whole registers.

// CHECK-LABEL: define internal {{.*}} @outer.region.0.warp(
// CHECK-NOT: load <2 x float>
// CHECK-COUNT-4: load float, ptr
// CHECK-NOT: load <2 x float>
// CHECK: ret
kernel void outer(global const float4* a, global const float2* b, global float4* c) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  const float2 f = b[y];
  c[2 * y * width + x] = a[x] * f.x;
  c[(2 * y + 1) * width + x] = a[x] * f.y;
}

// Eight lanes' numbers are not: they share registers with others.
// SHORT-LABEL: define internal {{.*}} @products.region.0.warp(
// SHORT: load <2 x float>
// SHORT: ret
kernel void products(global const float* a, global const float2* b, global float* c) {
  const int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  const float2 f = b[y];
  c[y * width + x] = a[x] * f.x + f.y;
}
