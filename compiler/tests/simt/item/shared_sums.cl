// Rows that run together add up what their sums have in common once.
// RUN: weftc --local-size=32,2,1 --ids-fit-31-bits --kernel=box --stop-after=stacked-rows --verify-each %s | FileCheck %s
// Two rows of 3x3: the rows above and below are one's own, the two between them are both rows'. Three groups of 2, 5 and 2 additions, and one to each result.
// CHECK-LABEL: define internal i32 @box
// CHECK: rows
// CHECK-COUNT-11: add i32 %
// CHECK-NOT: add i32 %
// CHECK: store volatile i32
// CHECK: store volatile i32
kernel void box(global const int* in, global int* out, int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}

// Floats may only be added up in another order where the program allows it. Differences and products by constants are terms, too: -1 0 1 and 1 2 1.
// RUN: weftc --local-size=32,2,1 --ids-fit-31-bits --kernel=mean --options=-cl-unsafe-math-optimizations --stop-after=stacked-rows --verify-each %s | FileCheck %s --check-prefix=ANY
// RUN: weftc --local-size=32,2,1 --ids-fit-31-bits --kernel=mean --stop-after=stacked-rows --verify-each %s | FileCheck %s --check-prefix=ORDER
// ANY-LABEL: define internal i32 @mean
// ANY: rows
// ANY-COUNT-11: fadd {{.*}}float %
// ANY-NOT: fadd
// ANY: store volatile float
// ORDER-LABEL: define internal i32 @mean
// ORDER-COUNT-18: fadd float %
kernel void mean(global const float* in, global float* out, int w) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += in[(y + j) * w + x + i];
  out[y * w + x] = sum;
}
