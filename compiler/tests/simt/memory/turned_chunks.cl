// Chunks of the lanes' own, of which the last one ends at another place, run for one lane after the other, on vectors along each.
// RUN: weftc --cpu=sapphirerapids --kernel=chunks --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-chunks %s | FileCheck %s --check-prefix=CHUNKS
// RUN: weftc --cpu=sapphirerapids --kernel=divided --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-chunks %s | FileCheck %s --check-prefix=CHUNKS
// RUN: weftc --cpu=sapphirerapids --kernel=divided --local-size=1,1,1 --fuse-groups=8 --ids-fit-31-bits --verify-each --emit=asm %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --cpu=sapphirerapids --kernel=chosen --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-chunks %s | FileCheck %s --check-prefix=CHOSEN
// RUN: weftc --cpu=haswell --kernel=chosen --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-chunks %s | FileCheck %s --check-prefix=CHOSEN
// RUN: weftc --cpu=sapphirerapids --kernel=decays --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-chunks %s | FileCheck %s --check-prefix=DECAYS
// RUN: weftc --cpu=sapphirerapids --kernel=kept --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-chunks %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --cpu=sapphirerapids --kernel=read_behind --local-size=32,1,1 --ids-fit-31-bits --stop-after=turned-chunks %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=running --local-size=32,1,1 --ids-fit-31-bits --stop-after=turned-chunks %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=triangle --local-size=32,1,1 --ids-fit-31-bits --stop-after=turned-chunks %s | FileCheck %s --check-prefix=STAYS

// CHUNKS: [[MANY:%.*]] = icmp uge i64 {{%.*}}, 47
// CHUNKS: call i1 @weft.any(i1 [[MANY]]
// CHUNKS: call i1 @weft.all(
// CHUNKS: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}.side.by.side
// CHUNKS: call void @by_lane(
// CHUNKS: define internal void @by_lane(
// CHUNKS: load <8 x double>
// CHUNKS: store <8 x double>
kernel void chunks(global double* restrict y, global const double* restrict x, double a, ulong n, ulong chunk) {
  const ulong begin = get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (ulong i = begin; i < end; ++i) y[i] += a * x[i];
}

// The division in front of the loop, of numbers that all lanes share, is not made again to count.
// WIDE: vmovupd {{.*}}, %zmm
kernel void divided(global double* restrict y, global const double* restrict x, double a, ulong n) {
  const ulong chunk = (n + get_global_size(0) - 1) / get_global_size(0);
  const ulong begin = get_global_id(0) * chunk;
  ulong end = begin + chunk;
  if (n < end) end = n;
  for (ulong i = begin; i < end; ++i) y[i] += a * x[i];
}

// What is read and written under a condition is so under a mask.
// CHOSEN: define internal void @by_lane(
// CHOSEN: call <[[LANES:[0-9]+]] x float> @llvm.masked.load
// CHOSEN: call void @llvm.masked.store.v[[LANES]]f32
kernel void chosen(global float* restrict y, global const float* restrict x, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i)
    if (x[i] > 0.5f) y[i] = y[i] * 0.5f + x[i];
}

// Functions of the OpenCL C library, with what they are made of.
// DECAYS: define internal void @by_lane(
// DECAYS: call <{{[0-9]+}} x float> @llvm.fma
// DECAYS-NOT: @__weft_float
// DECAYS: store <{{[0-9]+}} x float>
kernel void decays(global float* restrict y, global const float* restrict x, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) y[i] = exp(-x[i]) * sqrt(x[i]);
}

// Read under a condition and written without one, but read first.
// KEPT: define internal void @by_lane(
// KEPT: store <{{[0-9]+}} x i32>
kernel void kept(global int* restrict y, global const int* restrict x, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) y[i] = x[i] > 0 ? x[i] * 3 : y[i];
}

// STAYS-NOT: by_lane
// What the iteration before may have stored.
kernel void read_behind(global float* restrict y, global const float* restrict x, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin + 1; i < end; ++i)
    if (x[i] > 0.5f) y[i] = y[i - 1] * 0.5f + x[i];
}

// What the iteration before has stored.
kernel void running(global double* y, ulong n, ulong chunk) {
  const ulong begin = get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (ulong i = begin + 1; i < end; ++i) y[i] += y[i - 1];
}

// Rows that do not lie evenly.
kernel void triangle(global double* y, ulong n) {
  const ulong row = get_global_id(0);
  for (ulong i = 0; i < min(row, n); ++i) y[row * (row + 1) / 2 + i] *= 2;
}
