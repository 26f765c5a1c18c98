// Tiles of a matrix of which half is stored lie on one side of the diagonal but for few: a loop over a tile's columns has copies in which that is known, and
// which side is stored. In one lanes load neighbours, in the other each along a row of its own. Of loops whose counts are not known nothing is asked.
// RUN: weftc --kernel=tile --local-size=64,1,1 --ids-fit-31-bits --stop-after=settled-sides %s | FileCheck %s
// RUN: weftc --kernel=tile --local-size=64,1,1 --ids-fit-31-bits --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: weftc --kernel=open --local-size=64,1,1 --ids-fit-31-bits --stop-after=settled-sides %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=triangle --local-size=64,1,1 --ids-fit-31-bits --stop-after=settled-sides %s | FileCheck %s --check-prefix=TRIANGLE
// RUN: weftc --kernel=triangle --local-size=64,1,1 --ids-fit-31-bits --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: weftc --kernel=wraps --local-size=64,1,1 --stop-after=settled-sides %s | FileCheck %s --check-prefix=WRAPS

// The bound holds for all lanes, then all are above, then all are below, in all iterations.
// CHECK: call i1 @weft.all
// CHECK: icmp sle i64 {{.*}}, 2147483616
// CHECK: icmp sgt i64
// CHECK: call i1 @weft.all
// CHECK: .above{{.*}}:
// CHECK: add i64 {{.*}}, 31
// CHECK: call i1 @weft.all
// CHECK: .below{{.*}}:

// REMARKS: load of <{{4|16}} x i32>
__kernel void tile(__global const float* restrict a, __global const float* restrict x, __global float* restrict y, int n, int ld, int upper) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += 32)
    if (row < n)
      for (int i = 0; i < 32; i += 8)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          const int k = first + i + j;
          float value;
          if ((upper == 0 && k <= row) || (upper == 1 && row <= k)) value = a[ld * k + row];
          else value = a[ld * row + k];
          sum += x[k] * value;
        }
  y[row] = sum;
}

// NONE-NOT: .above
__kernel void open(__global const float* restrict a, __global const float* restrict x, __global float* restrict y, int n, int ld) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * (k <= row ? a[ld * k + row] : a[ld * row + k]);
  y[row] = sum;
}

// What is compared as unsigned is asked to be positive, and what is added, not to wrap around.
// WRAPS: icmp sge i64 {{.*}}, 0
// WRAPS: icmp sle i64 {{.*}}, 2147483616
// WRAPS: call i1 @weft.all
__kernel void wraps(__global const float* restrict a, __global float* restrict y, uint first, uint ld) {
  const uint row = get_global_id(0);
  float sum = 0;
  for (uint i = 0; i < 32; ++i) {
    const uint k = first + i;
    sum += k <= row ? a[ld * k + row] : a[ld * row + k];
  }
  y[row] = sum;
}

// Of a triangle, which of four kinds it is of is a switch in each step: two questions of it in front of the loop, and the second is not put where the first holds.
// What then follows one another is one block.
// TRIANGLE: call i1 @weft.all
// TRIANGLE: [[EVEN:%.+]] = or i1
// TRIANGLE: [[ODD:%.+]] = or i1
// TRIANGLE: br i1 {{.*}}, label %own{{.*}}, label %begin.otherwise
// TRIANGLE: .above{{.*}}:
// TRIANGLE-NOT: switch
// TRIANGLE: .below{{.*}}:
__kernel void triangle(__global const float* restrict a, __global const float* restrict x, __global float* restrict y, int n, int ld, int kind) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += 64)
    if (row < n)
      for (int i = 0; i < 64; i += 32)
#pragma unroll
        for (int j = 0; j < 32; ++j) {
          const int k = first + i + j;
          float value = 0;
          if (((kind == 0 || kind == 2) && k <= row) || ((kind == 1 || kind == 3) && row <= k)) {
            value = a[ld * row + k];
            if (kind >= 2 && k == row) value = 1;
          }
          sum += x[k] * value;
        }
  y[row] = sum;
}

// Rows of a packed triangle begin at any element: which place is loaded from is chosen by branches.
// RUN: weftc --kernel=packed --local-size=64,1,1 --ids-fit-31-bits --stop-after=settled-sides %s | FileCheck %s --check-prefix=PACKED
// RUN: weftc --kernel=packed --local-size=64,1,1 --ids-fit-31-bits --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// PACKED: .above{{.*}}:
// PACKED-NOT: if.then
// PACKED: .below{{.*}}:
// PACKED-NOT: if.then
// PACKED: other{{.*}}:
// PACKED: phi i32 {{.*}} %if.then ]
__kernel void packed(__global const float* restrict a, __global const float* restrict x, __global float* restrict y, int n) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int first = 0; first < n; first += 32)
    for (int i = 0; i < 32; i += 8)
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const int k = first + i + j;
        float value;
        if (row <= k) value = a[((k + 1) * k) / 2 + row];
        else value = a[((row + 1) * row) / 2 + k];
        sum += x[k] * value;
      }
  y[row] = sum;
}
