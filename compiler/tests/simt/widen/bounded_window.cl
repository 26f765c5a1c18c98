// Where an index meets a bound, the lanes of a register take theirs from a window of memory by a permutation; where it may wrap around
// besides, the code looks whether it did.
// RUN: weftc --cpu=sapphirerapids --kernel=row --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=row --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=AVX2
// RUN: weftc --cpu=sapphirerapids --kernel=bytes --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=BYTES
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --cpu=haswell --kernel=longs --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=LONGS
// CHECK-LABEL: @row.group(
// CHECK: wrapped
// CHECK: call <16 x i32> @llvm.masked.load.v16i32
// CHECK: call <16 x i32> @llvm.x86.avx512.permvar.si.512
// CHECK-NOT: masked.gather
// CHECK: ret i32
// AVX2-LABEL: @row.group(
// AVX2: call <8 x i32> @llvm.masked.load.v8i32
// AVX2: call <8 x i32> @llvm.x86.avx2.permd
// Of 64 bits are two words.
// LONGS-LABEL: @longs.group(
// LONGS: wrapped
// LONGS: call <8 x i32> @llvm.masked.load.v8i32
// LONGS: call <8 x i32> @llvm.x86.avx2.permd
// LONGS-NOT: masked.gather
// LONGS: ret i32
// BYTES-LABEL: @bytes.group(
// BYTES: call <16 x i8> @llvm.masked.load.v16i8
// BYTES: call <16 x i32> @llvm.x86.avx512.permvar.si.512
// WRAPS-LABEL: @wraps.group(
// WRAPS: bounded
// WRAPS: call <16 x i32> @llvm.x86.avx512.permvar.si.512
// WRAPS: apart
// WRAPS: masked.gather
//
// Not where there is nothing to permute by, a step is more than an element, lanes bound by numbers of their own, or the name is left out.
// RUN: weftc --cpu=nehalem --kernel=row --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=steps --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=own --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds --emit=llvm %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --cpu=sapphirerapids --kernel=row --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs,inside-bounds,bounded-window --emit=llvm %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: perm
// Warps that meet some bound (inside_bounds.h) do not ask of each load whether it is theirs.
// RUN: weftc --cpu=sapphirerapids --kernel=row --local-size=64 --ids-fit-31-bits --coarsen=1 --disable=group-runs --emit=llvm %s | FileCheck %s --check-prefix=RIM
// RIM-LABEL: @row.group(
// RIM-NOT: contiguous
// RIM-NOT: wrapped
// RIM: call <16 x i32> @llvm.masked.load.v16i32
// RIM: call <16 x i32> @llvm.x86.avx512.permvar.si.512
kernel void row(global const float* in, global float* out, int width) {
  const int x = get_global_id(0);
  out[x] = in[clamp(x + 2, 0, width - 1)];
}

kernel void bytes(global const uchar* in, global uchar* out, int width) {
  const int x = get_global_id(0);
  out[x] = in[clamp(x + 2, 0, width - 1)];
}

kernel void longs(global const ulong* in, global ulong* out, int width) {
  const int x = get_global_id(0);
  out[x] = in[clamp(x + 2, 0, width - 1)];
}

kernel void wraps(global const float* in, global float* out, uint width, uint from) {
  const uint x = get_global_id(0);
  out[x] = in[from + min(x + 2, width - 1)];
}

kernel void steps(global const float* in, global float* out, int width) {
  const int x = get_global_id(0);
  out[x] = in[clamp(2 * x + 2, 0, width - 1)];
}

kernel void own(global const float* in, global float* out, global const int* width) {
  const int x = get_global_id(0);
  out[x] = in[clamp(x + 2, 0, width[x])];
}
