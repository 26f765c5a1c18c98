// Sums of rows that are shuffled and of columns that are repeated fill the registers: each register block shuffles the rows of its own sums.
// RUN: weftc --cpu=icelake-server --local-size=16,16,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s
// CHECK: register_block.entry
// CHECK: {{^}}register_block{{[0-9]*}}:
// CHECK-COUNT-2: shufflevector <32 x float> {{.*}}, <16 x i32> <i32 0, i32 4, i32 8
// CHECK-NOT: shufflevector <32 x float> {{.*}}, <16 x i32> <i32 0, i32 4, i32 8
// CHECK: register_block.exit
kernel void product(global const float* a, global const float* b, global float* c, const int n) {
  const int x = get_local_id(0), y = get_local_id(1);
  float sum[4][4] = {};
  for (int k = 0; k < n; ++k) {
    float rows[4], columns[4];
    for (int i = 0; i < 4; ++i) { rows[i] = a[k * 64 + 4 * x + i]; columns[i] = b[k * 64 + 4 * y + i]; }
    for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) sum[i][j] += rows[i] * columns[j];
  }
  for (int j = 0; j < 4; ++j) for (int i = 0; i < 4; ++i) c[(4 * y + j) * 64 + x + 16 * i] = sum[i][j];
}
