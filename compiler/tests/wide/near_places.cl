// Columns of a row lie a constant apart, whatever their indices of 32 bits are sums of: one place, and constants.
// RUN: weftc --kernel=row --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s
// CHECK-LABEL: @row.group(
// CHECK: sext i32
// CHECK-NOT: sext i32
// CHECK: load <32 x float>
// CHECK: getelementptr i8, ptr %{{.*}}, i64 4
// CHECK-NOT: sext i32
// CHECK: load <32 x float>
// CHECK: getelementptr i8, ptr %{{.*}}, i64 8
// CHECK-NOT: sext i32
// CHECK: load <32 x float>
//
// Indices that may wrap around may lie anywhere, and those of different rows do.
// RUN: weftc --kernel=wraps --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=APART
// RUN: weftc --kernel=rows --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --emit=llvm %s | FileCheck %s --check-prefix=APART
// RUN: weftc --kernel=row --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --disable=near-places --emit=llvm %s | FileCheck %s --check-prefix=APART
// APART-NOT: getelementptr i8, ptr %{{[0-9]+}}, i64 4
kernel void row(global const float* restrict in, global float* restrict out, int from, int pitch) {
  const int x = get_global_id(0), row = from * pitch;
  out[x] = in[row + (x - 1)] * in[row + x] + in[row + (x + 1)];
}

kernel void wraps(global const float* restrict in, global float* restrict out, uint from, uint pitch) {
  const uint x = get_global_id(0), row = from * pitch;
  out[x] = in[(int)(row + x - 1)] * in[(int)(row + x)] + in[(int)(row + x + 1)];
}

kernel void rows(global const float* restrict in, global float* restrict out, int from, int pitch) {
  const int x = get_global_id(0);
  out[x] = in[from * pitch + x] * in[(from + 1) * pitch + x];
}
