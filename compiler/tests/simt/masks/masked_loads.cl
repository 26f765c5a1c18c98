// A load of neighbours on a short side of a branch runs for all lanes, under a mask.
// RUN: weftc --cpu=icelake-server --disable=near-loads --kernel=life --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @life.region.0(
// CHECK-NOT: @weft.any
// CHECK: call void @weft.mask
// CHECK: load volatile i8, {{.*}} !weft.masked
// CHECK-NOT: @weft.any
// CHECK: ret i32

// Nothing parts warps then.
// RUN: weftc --cpu=icelake-server --disable=near-loads --kernel=life --local-size=256,1,1 --ids-fit-31-bits --stop-after=saturated-bytes %s | FileCheck %s --check-prefix=WARPS
// WARPS: call <{{64|128}} x i8> @llvm.uadd.sat.v{{64|128}}i8(

// Lanes that load from anywhere, or elements for which the processor has no masks, jump.
// RUN: weftc --cpu=icelake-server --kernel=listed --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize %s | FileCheck %s --check-prefix=JUMPS
// RUN: weftc --cpu=haswell --disable=near-loads --kernel=life --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=linearize %s | FileCheck %s --check-prefix=JUMPS
// RUN: weftc --cpu=icelake-server --kernel=life --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --disable=near-loads,masked-loads --stop-after=linearize %s | FileCheck %s --check-prefix=JUMPS
// JUMPS: @weft.any

kernel void life(global const uchar* in, global uchar* out, const int pitch) {
  const size_t at = get_global_id(0) + pitch;
  const int around = in[at - pitch] + in[at + pitch] + in[at - 1] + in[at + 1];
  out[at] = around == 3 || (around == 2 && in[at]);
}

kernel void listed(global const uchar* in, global const int* places, global uchar* out) {
  const size_t i = get_global_id(0);
  uchar r = in[i];
  if (r == 2) r = in[places[i]];
  out[i] = r;
}
