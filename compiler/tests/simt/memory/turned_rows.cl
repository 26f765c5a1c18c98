// Loops whose iterations depend on nothing but their number, and write rows of the lanes' own, run for one lane after the other, on vectors along its row.
// RUN: weftc --cpu=sapphirerapids --kernel=lu --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-rows %s | FileCheck %s --check-prefix=LU
// RUN: weftc --cpu=sapphirerapids --kernel=strided --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-rows %s | FileCheck %s --check-prefix=STRIDED
// RUN: weftc --cpu=sapphirerapids --kernel=down --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=turned-rows %s | FileCheck %s --check-prefix=DOWN
// RUN: weftc --cpu=sapphirerapids --kernel=before --local-size=64,1,1 --ids-fit-31-bits --stop-after=turned-rows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=sums --local-size=64,1,1 --ids-fit-31-bits --stop-after=turned-rows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=columns --local-size=64,1,1 --ids-fit-31-bits --stop-after=turned-rows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=few --local-size=64,1,1 --ids-fit-31-bits --stop-after=turned-rows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=listed --local-size=64,1,1 --ids-fit-31-bits --stop-after=turned-rows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=asked --local-size=64,1,1 --ids-fit-31-bits --stop-after=turned-rows %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=lu --local-size=64,1,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=WIDE

// The row that all lanes read is none of theirs, nor is the element in front of each of theirs among what it writes.
// LU-LABEL: @lu.region.0(
// LU: [[MANY:%.*]] = icmp ult i64 {{%.*}}, 4294967296
// LU: [[APART:%.*]] = call i1 @weft.all(
// LU: [[TURNS:%.*]] = and i1 {{%.*}}, [[APART]]
// LU: br i1 [[TURNS]], label %{{.*}}, label %{{.*}}.side.by.side
// LU: call void @by_lane(
// LU: define internal void @by_lane(
// LU: load <16 x float>, ptr {{%.*}}, align 4
// LU: store <16 x float> {{%.*}}, ptr {{%.*}}, align 4
// WIDE: vmovups %ymm{{[0-9]+}}, ({{.*}})
kernel void lu(global float* a, int n, int k) {
  const int i = get_global_id(0);
  if (i > k && i < n)
    for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}

// A count of 32 bits over the lanes that may wrap, for all that the compiler knows, is looked at, too.
// STRIDED-LABEL: @strided.region.0(
// STRIDED: icmp sge i32 [[ROW:%.*]], 0
// STRIDED: call i1 @weft.all(
// STRIDED: call void @by_lane(
kernel void strided(global float* a, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0))
    for (int j = 0; j < n; ++j) a[i * n + j] *= 2;
}

// DOWN: define internal void @by_lane(
// DOWN: store <8 x double>
kernel void down(global double* restrict a, global const double* restrict b, int n) {
  const int i = get_global_id(0);
  for (int j = n - 1; j >= 0; --j) a[i * n + j] = b[i * n + j] + b[j];
}

// STAYS-NOT: by_lane
// What the iteration before has stored.
kernel void before(global float* a, int n) {
  const int i = get_global_id(0);
  for (int j = 1; j < n; ++j) a[i * n + j] += a[i * n + j - 1];
}

// What it has made.
kernel void sums(global float* restrict a, global const float* restrict b, int n) {
  const int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j) { s += b[i * n + j]; a[i * n + j] = s; }
}

// Lanes side by side.
kernel void columns(global float* a, int n) {
  const int i = get_global_id(0);
  for (int j = 0; j < n; ++j) a[j * n + i] *= 2;
}

kernel void few(global float* a, int n) {
  const int i = get_global_id(0);
  for (int j = 0; j < 40; ++j) a[i * n + j] *= 2;
}

// Lanes that do not lie evenly.
kernel void listed(global float* a, global const int* list, int n) {
  const int i = list[get_global_id(0)];
  for (int j = 0; j < n; ++j) a[i * n + j] *= 2;
}

kernel void asked(global volatile float* a, int n) {
  const int i = get_global_id(0);
  for (int j = 0; j < n; ++j) a[i * n + j] *= 2;
}
