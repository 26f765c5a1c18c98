// Ids divided by what all lanes share: a scalar division, and a comparison for where the next row begins.
// RUN: weftc %s --kernel=of_argument --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=TWO
// RUN: weftc %s --kernel=of_constant --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=ONE
// RUN: weftc %s --kernel=of_argument --local-size=16,4,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=ROWS
// RUN: weftc %s --kernel=in_turn --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=TURN
// RUN: weftc %s --kernel=of_short --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=of_argument --local-size=64,1,1 --ids-fit-31-bits --disable=counted-quotients --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=begins_loop --local-size=128,1,1 --ids-fit-31-bits --aligned-offsets --verify-each --stop-after=widen | FileCheck %s --check-prefix=BEGIN

// TWO: [[LARGE:%.*]] = icmp uge i32 [[BY:%.*]], 32
// TWO: [[SAFE:%.*]] = call i32 @llvm.umax.i32(i32 [[BY]], i32 1)
// TWO: [[ROW:%.*]] = udiv i32 {{.*}}, [[SAFE]]
// TWO: [[NEXT:%.*]] = icmp uge <32 x i32>
// TWO: br i1
// TWO: zext <32 x i1> [[NEXT]] to <32 x i32>
// TWO: fptoui <32 x double>

// A warp of a group of 16 x 4 has two rows, which begin at the same id.
// ROWS: icmp uge i32 {{.*}}, 16
// ROWS-COUNT-2: udiv i32
// ROWS: shufflevector <2 x i32>
kernel void of_argument(global uint* out, uint width) {
  const uint i = get_global_id(0);
  out[get_global_id(1) * get_global_size(0) + i] = i / width;
}

// ONE-NOT: umax
// ONE: udiv i32 {{.*}}, 100
// ONE: select <32 x i1>
// ONE-NOT: urem <32 x i32>
kernel void of_constant(global uint* out) {
  const uint i = get_global_id(0);
  out[i] = i % 100;
}

// The quotient of a quotient, whose lanes have one of two numbers each.
// TURN-COUNT-2: udiv i32
// TURN: [[LAST:%.*]] = icmp eq i32
// TURN: select i1 [[LAST]], i32 0, i32
kernel void in_turn(global uint* out, uint width, uint height) {
  const uint i = get_global_id(0);
  out[i] = i / width % height;
}

// NONE-NOT: udiv i32
// NONE: ret
kernel void of_short(global uint* out) {
  const uint i = get_global_id(0);
  out[i] = i % 7;
}

// What lanes begin a loop with is computed where it begins, whose block the two ways divide.
// BEGIN: br i1 {{.*}}, label %[[COUNTED:counted[0-9]*]], label %[[DIVIDED:divided[0-9]*]]
// BEGIN: [[COUNTED]]:
// BEGIN: [[DIVIDED]]:
kernel void begins_loop(global const float* in, global float* out, int count, int height, int width, int rows, int columns) {
  const int id = get_global_id(0);
  if (id >= count) return;
  const int column = id % columns, row = id / columns % rows, plane = id / columns / rows;
  int top = row * 2 - 1, left = column * 2 - 1;
  const int bottom = min(min(top + 3, height + 1), height), right = min(min(left + 3, width + 1), width);
  top = max(top, 0);
  left = max(left, 0);
  float sum = 0.0f;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) sum += in[(plane * height + y) * width + x];
  out[id] = sum / ((bottom - top) * (right - left));
}
