// Two registers of a row, besides the sums that they are read for, leave room for ten of these in sixteen registers.
// RUN: weftc --cpu=haswell --local-size=16,16,1 --ids-fit-31-bits --coarsen=1 --stop-after=register-blocking %s | FileCheck %s
// CHECK: {{^}}register_block:
// CHECK-COUNT-10: phi <8 x float>
// CHECK-NOT: phi <8 x float>
// CHECK: {{^}}register_block.exit:
kernel void product(global const float2* a, global const float* b, global float2* c, const int n) {
  const int x = get_local_id(0), y = get_local_id(1);
  float2 sum[4] = {};
  for (int k = 0; k < n; ++k) {
    const float2 row = a[k * 16 + x];
    for (int j = 0; j < 4; ++j) sum[j] += row * b[k * 64 + 4 * y + j];
  }
  for (int j = 0; j < 4; ++j) c[(4 * y + j) * 16 + x] = sum[j];
}
