// Each work-item has sums of several rows, whose numbers all lanes have alike, and reads a column's element for all: a register block has some rows
// and two registers of the elements, so that each number serves two products, and each element four.
// RUN: weftc --cpu=haswell --kernel=eight --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=register-blocking %s | FileCheck %s
// CHECK: {{^}}register_block:
// CHECK-COUNT-8: phi <8 x float>
// CHECK-NOT: phi <8 x float>
// CHECK-COUNT-8: @llvm.fmuladd.v8f32
// CHECK-NOT: @llvm.fmuladd
// CHECK: {{^}}register_block.exit:

// Two rows have too little in common.
// RUN: weftc --cpu=haswell --kernel=two --local-size=32,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=register-blocking %s | FileCheck %s --check-prefix=TWO
// TWO-NOT: {{^}}register_block:

#define PRODUCTS(NAME, ROWS)                                                                       \
  kernel void NAME(global const float* a, global const float* b, global float* c, const int n) {   \
    const int column = get_global_id(0), row = get_global_id(1) * ROWS;                            \
    float sums[ROWS] = {};                                                                         \
    for (int k = 0; k < n; ++k) {                                                                  \
      const float factor = b[k * n + column];                                                      \
      for (int r = 0; r < ROWS; ++r) sums[r] += a[(row + r) * n + k] * factor;                     \
    }                                                                                              \
    for (int r = 0; r < ROWS; ++r) c[(row + r) * n + column] = sums[r];                            \
  }
PRODUCTS(eight, 8)
PRODUCTS(two, 2)
