// Ids divided by what all lanes share: a scalar division, and a comparison for where the next row begins.
// RUN: weftc %s --kernel=of_argument --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=TWO
// RUN: weftc %s --kernel=of_constant --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=ONE
// RUN: weftc %s --kernel=of_argument --local-size=16,4,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=ROWS
// RUN: weftc %s --kernel=in_turn --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=TURN
// RUN: weftc %s --kernel=of_short --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=of_argument --local-size=64,1,1 --ids-fit-31-bits --disable=counted-quotients --stop-after=widen --coarsen=1 | FileCheck %s --check-prefix=NONE

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
