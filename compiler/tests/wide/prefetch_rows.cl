// Where each lane goes along a row of its own and loads OpenCL vectors of it, the next lines of the rows are asked for: a processor follows fewer.
// RUN: weftc --cpu=haswell --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --stop-after=prefetch %s | FileCheck %s
// CHECK-LABEL: define i32 @sums.group(
// CHECK: %[[ROW:.*]] = getelementptr <8 x float>, ptr %{{.*}}, i64 %{{.*}}
// CHECK: load <8 x float>, ptr %[[ROW]]
// CHECK: %[[NEXT:.*]] = getelementptr i8, ptr %[[ROW]], i64 256
// CHECK: call void @llvm.prefetch.p0(ptr %[[NEXT]], i32 0, i32 3, i32 1)

// Lanes 0 to 3, 4 to 7, and so on read the same 128 bytes of a row at first, two lines: 64 of 128 loads ask.
// RUN: weftc --cpu=haswell --kernel=sums --local-size=32,1,1 --ids-fit-31-bits --stop-after=prefetch %s | grep -c 'call void @llvm.prefetch' | grep -x 64

// The same line again in each iteration.
// RUN: weftc --cpu=haswell --kernel=same --local-size=32,1,1 --ids-fit-31-bits --stop-after=prefetch %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: call void @llvm.prefetch

#define TILES(name, step)                                                                                                          \
  kernel void name(global const float8* a, global const float* x, global float* y, const int n, const int pitch) {                 \
    local float tile[32][32];                                                                                                      \
    const int l = get_local_id(0), part = l % 4, row = l / 4;                                                                      \
    float sum = 0;                                                                                                                 \
    for (int k = 0; k < n; k += 32) {                                                                                              \
      for (int i = 0; i < 4; ++i) {                                                                                                \
        const float8 v = a[pitch * ((int)get_group_id(0) * 32 + row * 4 + i) + k / 8 * step + part];                               \
        tile[i * 8 + 0][l] = v.s0; tile[i * 8 + 1][l] = v.s1; tile[i * 8 + 2][l] = v.s2; tile[i * 8 + 3][l] = v.s3;                \
        tile[i * 8 + 4][l] = v.s4; tile[i * 8 + 5][l] = v.s5; tile[i * 8 + 6][l] = v.s6; tile[i * 8 + 7][l] = v.s7;                \
      }                                                                                                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                                \
      for (int i = 0; i < 4; ++i)                                                                                                  \
        for (int j = 0; j < 8; ++j) sum += tile[part * 8 + j][row * 4 + i] * x[k + i * 8 + j];                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                                \
    }                                                                                                                              \
    y[get_global_id(0)] = sum;                                                                                                     \
  }
TILES(sums, 1)
TILES(same, 0)
