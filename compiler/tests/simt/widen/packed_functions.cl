// Divisions by constants and functions with a flag keep vectors packed; a division by what could be 0 in a lane that is off takes them apart.
// RUN: weftc --kernel=thirds --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=THIRDS
// RUN: weftc --kernel=distance --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=DISTANCE
// RUN: weftc --kernel=quotients --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=APART

// THIRDS-LABEL: @thirds.group
// THIRDS-NOT: shufflevector
// THIRDS: udiv <{{512|64|32|16}} x i8>
kernel void thirds(global const uchar16* a, global uchar16* out) {
  const size_t i = get_global_id(0);
  out[i] = (a[i] + out[i]) / (uchar16)3;
}

// DISTANCE-LABEL: @distance.group
// DISTANCE: call <128 x i32> @llvm.abs.v128i32(<128 x i32> {{.*}}, i1 {{true|false}})
kernel void distance(global const int4* a, global uint4* out) {
  const size_t i = get_global_id(0);
  out[i] = abs(a[i]);
}

// APART-LABEL: @quotients.group
// APART-NOT: udiv <128 x
kernel void quotients(global const uint4* a, global uint4* out) {
  const size_t i = get_global_id(0);
  if (a[i].x > 5) out[i] = out[i] / a[i];
}
