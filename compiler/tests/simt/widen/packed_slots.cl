// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=16,16,1 --coarsen=1 --kernel=product %s | FileCheck %s
// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=16,16,1 --coarsen=1 --kernel=lengths %s | FileCheck %s --check-prefix=APART
// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=64,1,1 --coarsen=1 --kernel=scaled %s | FileCheck %s --check-prefix=SCALED
// Sums that are vectors stay packed in loops and across barriers, where what they are made of is packed, or shared by lanes, or one number a
// lane.

// Two segments of 16 lanes have a column each, which all components share.
// CHECK-LABEL: define internal {{.*}} @product.region.1.warp(
// CHECK: load <128 x float>, ptr {{.*}}, align 32
// CHECK: phi <128 x float>
// CHECK-NOT: <32 x float>
// CHECK: shufflevector <2 x float> {{.*}} <128 x i32>
// CHECK-NOT: <32 x float>
// CHECK: <128 x float> @llvm.fmuladd.v128f32
// CHECK-NOT: <32 x float>
// CHECK: store <128 x float> {{.*}}, align 32
// CHECK: ret
kernel void product(global const float4* a, global const float* b, global float4* c, int n) {
  const int x = get_local_id(0), y = get_local_id(1), width = n / 4, to = 16 * get_group_id(0), from = 16 * get_group_id(1);
  local float4 ta[16][16];
  local float tb[16][16];
  float4 sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[(t + y) * width + to + x];
    tb[y][x] = b[(t + y) * n + from + x];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int k = 0; k < 16; ++k) sum += ta[k][x] * tb[k][y];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[(from + y) * width + to + x] = sum;
}

// What is taken apart in the loop of one region is so in all.
// APART: define internal {{.*}} @lengths.region.1.warp(
// APART-NOT: phi <128 x float>
// APART: ret
kernel void lengths(global const float4* a, global float* c, int n) {
  const int x = get_local_id(0);
  local float4 tile[16];
  float4 at = a[get_global_id(0)];
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    tile[x] = a[t + x];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int k = 0; k < 16; ++k) {
      at = at * 0.5f + tile[k];
      sum += at.x * at.y + at.z * at.w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(0)] = sum;
}

// One number a lane is repeated for its components.
// SCALED: [[FACTORS:%.*]] = load <32 x float>
// SCALED: shufflevector <32 x float> [[FACTORS]], <32 x float> poison, <128 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1,
// SCALED: fmul <128 x float>
// SCALED: store <128 x float>
kernel void scaled(global const float4* a, global const float* factors, global float4* out) {
  const size_t i = get_global_id(0);
  out[i] = a[i] * factors[i];
}
