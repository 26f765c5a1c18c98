// Rows that a kernel cuts out of one dimension: a warp within one row has its quotient as a scalar.
// RUN: weftc %s --kernel=unsigned_rows --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=ROWS
// RUN: weftc %s --kernel=unsigned_rows --local-size=64,1,1 --ids-fit-31-bits --cpu=skylake-avx512 --emit=llvm | FileCheck %s --check-prefix=CODE
// RUN: weftc %s --kernel=signed_rows --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=SIGNED
// RUN: weftc %s --kernel=short_rows --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-quotients | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=loops --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=LOOPS
// RUN: weftc %s --kernel=waits --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-quotients | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=of_values --local-size=64,1,1 --ids-fit-31-bits --stop-after=common-quotients | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=unsigned_rows --ids-fit-31-bits --stop-after=common-quotients | FileCheck %s --check-prefix=SAME
// RUN: weftc %s --kernel=planes --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=PLANES
// RUN: weftc %s --kernel=planes --local-size=64,1,1 --ids-fit-31-bits --cpu=skylake-avx512 --emit=llvm | FileCheck %s --check-prefix=GUARDED
// RUN: weftc %s --kernel=chosen --local-size=64,1,1 --ids-fit-31-bits --cpu=skylake-avx512 --emit=llvm | FileCheck %s --check-prefix=CHOSEN
// RUN: weftc %s --kernel=unsigned_rows --local-size=16,4,1 --ids-fit-31-bits --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=ROWS
// RUN: weftc %s --kernel=unsigned_rows --local-size=16,4,1 --ids-fit-31-bits --cpu=skylake-avx512 --emit=llvm | FileCheck %s --check-prefix=NARROW

// ROWS-LABEL: @unsigned_rows.item
// ROWS: [[LEAST:%.*]] = call i32 @weft.least(i32
// ROWS: [[ROW:%.*]] = udiv i32 [[LEAST]], %width
// ROWS: icmp ult i32 {{.*}}, %width
// ROWS: [[ALL:%.*]] = call i1 @weft.all(i1
// ROWS: br i1 [[ALL]]
// ROWS: udiv i32
// The least of ids that count is the first.
// CODE-NOT: vector.reduce
// CODE: udiv i32
// CODE: load <32 x float>
// Lanes of a narrower group are in one row together, all of its rows.
// NARROW: udiv i32
// NARROW: load <16 x float>
kernel void unsigned_rows(global const float* in, global float* out, uint width, uint pitch) {
  const uint i = get_global_id(0), x = i % width, y = i / width;
  out[i] = in[y * pitch + x];
}

// SIGNED-LABEL: @signed_rows.item
// SIGNED: call i32 @weft.least(i32
// SIGNED-DAG: icmp sgt i32 %width, 0
// SIGNED-DAG: call i1 @weft.all(i1
// SIGNED: sdiv i32
kernel void signed_rows(global const float* in, global float* out, int width, int pitch, int n) {
  const int i = get_global_id(0);
  if (i >= n) return;
  out[i] = in[i / width * pitch + i % width];
}

// In each iteration, whose lanes ask together whether there is another.
// LOOPS-LABEL: @loops.item
// LOOPS: phi i32
// LOOPS: [[MORE:%.*]] = icmp ugt i32 %n,
// LOOPS: call i32 @weft.least(i32
// LOOPS: call i1 @weft.all(i1
// LOOPS: br i1 [[MORE]]
// LOOPS-NOT: {{ br i1}}
// LOOPS: ret i32
kernel void loops(global const float* in, global float* out, uint width, uint pitch, uint n) {
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i / width * pitch + i % width];
}

// Barriers elsewhere do not matter. A body runs one warp, whose lanes are in one row the more often.
// RUN: weftc %s --kernel=between_barriers --local-size=64,1,1 --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=BARRIERS
// RUN: weftc %s --kernel=between_barriers --local-size=64,1,1 --verify-each --stop-after=coarsen | FileCheck %s --check-prefix=FULL
// BARRIERS-LABEL: @between_barriers.item
// BARRIERS: call i32 @weft.least(i32
// FULL: br i1 {{.*}}, label %{{.*}}.row.full
kernel void between_barriers(global const float* in, global const float* bias, global float* out, int spatial, int n) {
  local float greatest;
  if (get_local_id(0) == 0) greatest = in[n];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < n; i += 64) out[i] = in[i] * bias[i / spatial] + greatest;
}

// SAME-NOT: weft.least
kernel void short_rows(global const float* in, global float* out) {
  const uint i = get_global_id(0);
  out[i] = in[i / 3 * 4 + i % 3];
}
kernel void waits(global const float* in, global float* out, uint width, uint pitch) {
  local float mine[64];
  const uint i = get_global_id(0);
  mine[get_local_id(0)] = in[i / width * pitch + i % width];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = mine[63 - get_local_id(0)];
}
kernel void of_values(global const float* in, global float* out, uint width) {
  const uint i = get_global_id(0);
  out[i] = in[i] * (i % width);
}

// A circle that is no loop leads from the copy back to what is in front of it.
// RUN: weftc %s --kernel=circle --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-quotients | FileCheck %s --check-prefix=SAME
kernel void circle(global uint* a, global const uint* b, const uint w, int n) {
  const uint i = get_global_id(0);
  if (n & 1) goto in;
again:
  n -= 3;
  a[(i / w) * 64 + i % w] += n;
in:
  n -= b[n];
  if (n > 0) goto again;
}

// Quotients by a multiple of the width are of the row's number, where the product does not wrap around. Of ids below a bound the first lane runs if any does.
// PLANES-LABEL: @planes.item
// PLANES: [[ROW:%.*]] = udiv i32 {{%.*}}, %width
// PLANES: call { i32, i1 } @llvm.umul.with.overflow.i32(
// PLANES: split.row:
// PLANES: udiv i32 [[ROW]], %height
// GUARDED-NOT: vector.reduce.umin
// GUARDED: ret
kernel void planes(global const float* weights, global float* out, uint width, uint height, uint n) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  const uint x = i % width, plane = i / (width * height);
  out[i] = x * weights[plane * 9];
}

// Of any lanes the first that runs.
// CHOSEN-NOT: vector.reduce.umin
// CHOSEN: call {{.*}}i32 @llvm.cttz.i32(
kernel void chosen(global const float* in, global float* out, int width, int pitch, int n) {
  const int i = get_global_id(0);
  if (i >= n || in[i] <= 0) return;
  out[i] = in[i / width * pitch + i % width];
}
