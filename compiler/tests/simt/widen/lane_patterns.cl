// Lanes whose distances are known though they do not lie evenly read a window of memory, of which each takes its own by a shuffle.
// RUN: weftc --cpu=haswell --kernel=halves --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=pairs --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PAIRS
// RUN: weftc --cpu=nehalem --kernel=swaps --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SWAPS
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --cpu=sapphirerapids --kernel=halves --local-size=40 --ids-fit-31-bits --aligned-offsets --coarsen=1 --disable=full-guards --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=MASK
// Every second of a segment is within it: no register is loaded beyond the last lane's element.
// CHECK-LABEL: @halves.region.0.warp(
// CHECK-COUNT-4: load <4 x float>
// CHECK-NOT: load <
// PAIRS-LABEL: @pairs.region.0.warp(
// PAIRS: load <16 x i8>
// PAIRS: getelementptr i8, ptr {{.*}}, i64 15
// PAIRS-NEXT: load <16 x i8>
// PAIRS-NOT: load
// SWAPS-LABEL: @swaps.region.0.warp(
// SWAPS: shufflevector <4 x float> {{.*}} <i32 3, i32 2, i32 1, i32 0>
// SWAPS: shufflevector <32 x float> {{.*}} <i32 1, i32 0, i32 3, i32 2,
// SWAPS: store <32 x float>
// WRAPS-LABEL: @wraps.region.0.warp(
// WRAPS: icmp ule i32 {{.*}}, -16
// WRAPS: pattern:
// WRAPS: load <8 x float>
// WRAPS: apart:
// WRAPS: masked.gather
// MASK-LABEL: @halves.region.0.warp(
// MASK: whole:
// MASK: some:
// MASK: masked.load
//
// Not where an offset may change the low bits, a group's size does, the pattern is one of three lanes, or the name is left out.
// RUN: weftc --cpu=haswell --kernel=halves --local-size=64 --ids-fit-31-bits --coarsen=1 --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=halves --local-size=35 --ids-fit-31-bits --aligned-offsets --coarsen=1 --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=thirds --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=haswell --kernel=halves --local-size=64 --ids-fit-31-bits --aligned-offsets --coarsen=1 --disable=lane-patterns --stop-after=widen %s | FileCheck %s --check-prefix=NONE
// NONE-LABEL: .region.0.warp(
// NONE-NOT: load <4 x float>
// NONE: ret
kernel void halves(global const float* in, global float* out) {
  const int x = get_global_id(0);
  out[x] = in[x >> 1];
}

kernel void pairs(global const uchar* in, global uchar* out, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = in[(y >> 1) * width + (x & ~1)];
}

kernel void swaps(global const float* in, global float* out) {
  const int x = get_global_id(0);
  out[x ^ 1] = in[x ^ 3];
}

kernel void wraps(global const float* in, global float* out, uint from) {
  const uint x = get_global_id(0);
  out[x] = in[from + (x >> 1)];
}

kernel void thirds(global const float* in, global float* out) {
  const int x = get_global_id(0);
  out[x] = in[x / 3];
}
