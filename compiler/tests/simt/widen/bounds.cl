// clamp(x + k, 0, width - 1) counts with x but at the edges: one load where neither bound is met, else one a lane. Warps that meet a bound ask, too,
// where no window of memory serves (bounded_window.cl).
// RUN: weftc %s --kernel=row --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=bounded-window --emit=llvm | FileCheck %s
// RUN: weftc %s --kernel=every_second --local-size=64 --ids-fit-31-bits --coarsen=1 --emit=llvm | FileCheck %s --check-prefix=STEP
// RUN: weftc %s --kernel=in_steps --local-size=64 --ids-fit-31-bits --coarsen=1 --emit=llvm | FileCheck %s --check-prefix=GRID

// CHECK-LABEL: @row.group(
// CHECK: contiguous
// CHECK: load <32 x float>
// CHECK: wrapped
kernel void row(global const float* in, global float* out, int width) {
  int x = get_global_id(0);
  out[x] = in[clamp(x + 2, 0, width - 1)];
}

// A step of two elements is read as whole vectors, too, where the index does not wrap.
// STEP-LABEL: @every_second.group(
// STEP: contiguous
// STEP: load <32 x float>
// STEP: wrapped
kernel void every_second(global const float* in, global float* out, int width) {
  int i = (get_global_id(1) * width + get_global_id(0)) * 2;
  out[get_global_id(0)] = in[i];
}

// The counter is a sum of size_t, cut down to an int.
// GRID-LABEL: @in_steps.group(
// GRID: phi i32
// GRID: contiguous
// GRID: call <32 x float> @llvm.masked.load.v32f32
// GRID: wrapped
kernel void in_steps(global const float* in, global float* out, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i];
}
