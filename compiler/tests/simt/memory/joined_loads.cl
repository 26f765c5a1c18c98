// Words side by side, anywhere: pairs, and pieces of 16 bytes, which doubles and complex numbers make as well; of rows evenly apart whole lines.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=structs --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=STRUCTS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=three --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=THREE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=ends --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=ENDS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=some --disable=full-branches --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=between --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=evenly --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=doubles --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=DOUBLES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=complex --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=COMPLEX
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=few --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=NOLINES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=lines --cpu=znver4 --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=LINES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=bounded --cpu=znver4 --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=BOUNDED
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=bounded --cpu=znver4 --remarks -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=packed --cpu=znver4 --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=NOLINES
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=lines --cpu=haswell --stop-after=byte-rows --verify-each %s | FileCheck %s --check-prefix=NOLINES
typedef struct {
  float x, y;
  int id;
  float mass;
} Body;

// STRUCTS-LABEL: define internal i32 @structs.region.0
// STRUCTS: load volatile <4 x i32>
// STRUCTS-NOT: load volatile float
// STRUCTS: ret
kernel void structs(global const int* at, global const Body* bodies, global float* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = bodies[k].mass * (bodies[k].x + bodies[k].y) + bodies[k].id;
}

// A fourth is nobody's to read.
// THREE-LABEL: define internal i32 @three.region.0
// THREE: load volatile <2 x i32>
// THREE: load volatile float
// THREE: ret
kernel void three(global const int* at, global const float* x, global float* out) {
  const int i = get_global_id(0), k = 3 * at[i];
  out[i] = x[k] * x[k + 1] + x[k + 2];
}

// ENDS-LABEL: define internal i32 @ends.region.0
// ENDS: load volatile <2 x i32>
// ENDS: ret
kernel void ends(global const int* at, global const int* begins, global int* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = begins[k + 1] - begins[k];
}

// Lanes that are off are not to be asked for one by one: pairs, which are gathered.
// SOME-LABEL: define internal i32 @some.region.0
// SOME-COUNT-2: load volatile <2 x i32>
// SOME: ret
kernel void some(global const int* at, global const float* x, global float* out) {
  const int i = get_global_id(0), k = 4 * at[i];
  if (k > 0) out[i] = x[k] * x[k + 1] + x[k + 2] * x[k + 3];
}

// What is written in between may be the second.
// NONE-NOT: load volatile <2 x i32>
kernel void between(global const int* at, global float* x, global float* out) {
  const int i = get_global_id(0), k = 2 * at[i];
  const float first = x[k];
  out[i] = first;
  x[i] = first * x[k + 1];
}

// Structs side by side are struct_rows.h's.
kernel void evenly(global const float* x, global float* out) {
  const int i = get_global_id(0);
  out[i] = x[2 * i] * x[2 * i + 1];
}

// DOUBLES-LABEL: define internal i32 @doubles.region.0
// DOUBLES: load volatile <2 x i64>
// DOUBLES-NOT: load volatile double
// DOUBLES: ret
kernel void doubles(global const int* at, global const double* x, global double* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = x[k] * x[k + 1];
}

// COMPLEX-LABEL: define internal i32 @complex.region.0
// COMPLEX: load volatile <4 x i32>
// COMPLEX-NOT: load volatile <2 x float>
// COMPLEX: ret
kernel void complex(global const int* at, global const float2* x, global float* out) {
  const int i = get_global_id(0), k = at[i];
  out[i] = x[k].x * x[k + 1].y - x[k].y * x[k + 1].x;
}

// Half a line.
// NOLINES-NOT: load volatile <16 x i32>
kernel void few(global const float* a, global float* out, int n) {
  const int i = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += a[i * n + k];
  out[i] = sum;
}

// Rows of a matrix, whose distance may be a large power of two.
// LINES-LABEL: define internal i32 @lines.region.0
// LINES: load volatile <16 x i32>
// LINES: load volatile <16 x i32>
// LINES: ret
kernel void lines(global const float* a, global float* out, int n) {
  const int i = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum += a[i * n + k];
  out[i] = sum;
}

// Rows of a triangle, which do not lie evenly.
kernel void packed(global const float* a, global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum += a[(i + 1) * i / 2 + k];
  out[i] = sum;
}

// Behind a bound, too, in a loop of unrolled iterations; the sum of an index is what it is in whatever order it was added up.
// BOUNDED-LABEL: define internal i32 @bounded.region.0
// BOUNDED-COUNT-2: load volatile <16 x i32>
// BOUNDED: ret
// REMARKS: load of <16 x i32> under a mask: {{.*}} one lane after the other
kernel void bounded(global const float* restrict a, global const float* restrict x, global float* restrict y, int m, int n, int begin) {
  const int i = get_global_id(0);
  local float tile[64];
  float sum = 0;
  for (int first = 0; first < n; first += 64) {
    tile[get_local_id(0)] = x[first + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < m)
      for (int k = 0; k < 64; k += 32) {
#pragma unroll
        for (int j = 0; j < 32; ++j) sum += tile[k + j] * a[n * i + (first + k + j) + begin];
      }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < m) y[i] = sum;
}
