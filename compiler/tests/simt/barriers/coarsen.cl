// How many warps run in one body: several where a loop repeats without divergent branches and registers allow.
// RUN: weftc --kernel=matmul --local-size=16,16,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=COARSENED
// RUN: weftc --kernel=matmul --local-size=16,2,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=matmul --local-size=16,16,1 --ids-fit-31-bits --disable=coarsen --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=divergent --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=lanes --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=icelake-server --kernel=matmul --local-size=16,16,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=EIGHT
// RUN: weftc --cpu=icelake-server --kernel=rows --local-size=16,16,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FOUR
// RUN: weftc --cpu=haswell --kernel=filled --local-size=32,16,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --cpu=haswell --kernel=end_to_end --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FOUR
// RUN: weftc --cpu=haswell --kernel=planes --local-size=32,8,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --cpu=icelake-server --kernel=two_rows --local-size=32,8,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FOUR
// RUN: weftc --cpu=haswell --kernel=two_rows --local-size=32,8,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --cpu=icelake-server --kernel=two_rows --local-size=256,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=matmul --coarsen=4 --local-size=16,16,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FOUR
// RUN: weftc --kernel=divergent --coarsen=2 --local-size=50,1,1 --verify-each --emit=obj %s -o /dev/null
// RUN: not weftc --kernel=matmul --coarsen=3 --local-size=16,16,1 %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: weftc --kernel=matmul --coarsen=2 --local-size=16,16,1 --stop-after=group %s | FileCheck %s --check-prefix=GROUP

// A body has 32 * J lanes, and `warp` counts bodies.
// COARSENED: %first = mul nuw nsw i32 %warp, {{64|128|256}}
// COARSENED: load <16 x float>
// COARSENED: @llvm.fmuladd.v{{64|128|256}}f32
// A group of one warp, a divergent loop, atomics: nothing to gain.
// ONE: %first = mul nuw nsw i32 %warp, 32{{$}}
// A row of b serves all warps of a group; rows of the image below serve one each.
// So does a row of a tile: the product runs for a part of the lanes at a time, and the loop that fills the tile takes few registers.
// TWO: %first = mul nuw nsw i32 %warp, 64{{$}}
// EIGHT: %first = mul nuw nsw i32 %warp, 256{{$}}
// FOUR: %first = mul nuw nsw i32 %warp, 128{{$}}
// BAD: weftc: --coarsen: 3 not in {1,2,4,8}
// 256 work-items are four times 64.
// GROUP: define i32 @matmul.group(
// GROUP: icmp ult i32 {{%.*}}, 4{{$}}
kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void rows(global const float* a, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + x + k];
  c[y * n + x] = sum;
}

kernel void divergent(global float* a) {
  int i = get_local_id(0);
  float f = a[i];
  for (int k = 0; k < i; ++k) f = f * f + a[i];
  a[i] = f;
}

kernel void lanes(global int* a, int n) {
  for (int k = 0; k < n; ++k) atomic_add(&a[k], (int)get_local_id(0));
}
kernel void filled(global const float* a, global const float* b, global float* c, int n) {
  local float tile[64][32];
  const int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    for (int k = ly; k < min(64, n - t); k += 16) tile[k][lx] = b[(t + k) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; ++k) sum += a[y * n + t + k] * tile[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = 3.0f * sum + 2.0f * c[y * n + x];
}

// A group walks its row from end to end: in one body its warps read it in order.
kernel void end_to_end(global const float* in, global float* out, int n) {
  global const float* row = in + get_group_id(0) * n;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) out[get_group_id(0) * n + i] = row[i] * 0.5f;
}

// Waits for memory: two warps, though their values do not fit 16 registers.
kernel void planes(global const float* in, global float* out, int width, int height, int depth) {
  const int plane = width * height;
  int at = plane + (get_global_id(1) + 1) * width + get_global_id(0);
  float behind = in[at - plane], here = in[at];
  for (int z = 1; z < depth - 1; ++z, at += plane) {
    const float ahead = in[at + plane];
    out[at] = here + in[at - width] + in[at + width] + behind + ahead;
    behind = here;
    here = ahead;
  }
}

// Pieces of two rows of matrices take more than all registers; the warps of a group share them, those of a row of work-items have some each.
kernel void two_rows(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[x * n + k] + b[y * n + k] * a[x * n + k];
  c[y * n + x] = sum;
}
