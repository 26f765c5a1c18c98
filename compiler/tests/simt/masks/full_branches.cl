// Code behind a bound has a copy for warps that are all inside, where masks have no registers.
// RUN: weftc --cpu=haswell --kernel=bounded --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @bounded.region.0(
// CHECK: [[ALL:%.*]] = call i1 @weft.all(i1 [[INSIDE:%.*]])
// CHECK-NEXT: br i1 [[ALL]], label %[[FULL:.*]], label %rest
// CHECK: [[FULL]]:
// CHECK: store {{(volatile )?}}i8
// CHECK: rest:
// CHECK-NEXT: br i1
// CHECK: store {{(volatile )?}}i8

// Its stores are whole.
// RUN: weftc --cpu=haswell --kernel=bounded --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=WIDE
// WIDE-LABEL: define internal i32 @bounded.region.0.warp(
// WIDE: br i1 {{.*}}, label %[[FULL:.*]], label %rest
// WIDE: {{^}}[[FULL]]:
// WIDE-NOT: masked
// WIDE: store <{{[0-9]+}} x i8>

// So has a part of a group of several warps, of which one at most is partly inside; whether any lane is, the ends of the warp say.
// RUN: weftc --cpu=haswell --kernel=step --local-size=128,1,1 --ids-fit-31-bits --stop-after=full-branches --verify-each %s | FileCheck %s --check-prefix=STEP
// STEP: call i1 @weft.all(i1
// RUN: weftc --cpu=haswell --kernel=step --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=ENDS
// ENDS-LABEL: define internal i32 @step.region.0.warp(
// ENDS-NOT: bitcast <32 x i1>
// ENDS: rest:
// ENDS: icmp ult i32
// ENDS: or i1
// ENDS-NEXT: br i1
// RUN: weftc --cpu=haswell --kernel=step --local-size=32,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=short_step --local-size=128,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS

// With mask registers, where many narrow numbers are loaded.
// RUN: weftc --cpu=icelake-server --kernel=filter --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches --verify-each %s | FileCheck %s --check-prefix=FILTER
// FILTER-LABEL: define internal i32 @filter.region.0(
// FILTER: call i1 @weft.all(
// FILTER: rest:

// With mask registers and few loads, behind what no lanes agree on, and where nothing follows the lanes there is no copy.
// RUN: weftc --cpu=icelake-server --kernel=bounded --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=chosen --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=elsewhere --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --disable=full-branches --kernel=bounded --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS
// STAYS-NOT: weft.all

// A bound that lives across a barrier is one behind it, too, also where its parts are asked one after the other.
// RUN: weftc --cpu=haswell --kernel=across --local-size=64,4,1 --ids-fit-31-bits --stop-after=full-branches --verify-each %s | FileCheck %s --check-prefix=ACROSS
// ACROSS-LABEL: define internal i32 @across.region.1(
// ACROSS: [[INSIDE:%.*]] = call i1 @weft.slot.load.i1(i32 {{[0-9]+}}), !weft.bound [[FEW:![0-9]+]]
// ACROSS: call i1 @weft.all(i1 [[INSIDE]])
// ACROSS: [[FEW]] = !{i1 false
// RUN: weftc --cpu=haswell --kernel=chosen_across --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=STAYS
kernel void bounded(global uchar* out, global const uchar* in, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = in[i] / 3;
}

kernel void step(global float* sums, int s) {
  global float* t = sums + get_group_id(0) * 256;
  const uint l = get_local_id(0);
  if (l < s) t[l] += t[l + s];
}

kernel void short_step(global float* sums) {
  global float* t = sums + get_group_id(0) * 256;
  const uint l = get_local_id(0);
  if (l < 16) t[l] += t[l + 16];
}

kernel void chosen(global uchar* out, global const uchar* in, int n) {
  const int i = get_global_id(0);
  if (in[i] < n) out[i] = in[i] / 3;
}

kernel void elsewhere(global uint* out, global const uint* in, int n) {
  const int i = get_global_id(0);
  if (i < n) atomic_inc(out + (in[0] & 3));
}

kernel void filter(global uchar* out, global const uchar* in, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = (in[i] + 2 * in[i + 1] + 3 * in[i + 2] + 2 * in[i + 3] + in[i + 4]) / 9;
}

// With mask registers: fields of structs too large for a row, of which warps that are all inside take pieces; not of others, and not few.
// RUN: weftc --cpu=sapphirerapids --kernel=fields --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches --verify-each %s | FileCheck %s --check-prefix=FIELDS
// RUN: weftc --cpu=sapphirerapids --kernel=fields --local-size=64,1,1 --ids-fit-31-bits --stop-after=struct-rows --verify-each %s | FileCheck %s --check-prefix=PIECES
// RUN: weftc --cpu=sapphirerapids --kernel=small_fields --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=NO-FIELDS
// RUN: weftc --cpu=sapphirerapids --kernel=one_field --local-size=64,1,1 --ids-fit-31-bits --stop-after=full-branches %s | FileCheck %s --check-prefix=NO-FIELDS
// FIELDS: call i1 @weft.all(i1
// PIECES-LABEL: define internal i32 @fields.region.0(
// PIECES: load volatile <4 x i32>
// PIECES: rest:
// PIECES-NOT: load volatile <4 x i32>
// PIECES: ret
// NO-FIELDS-NOT: call i1 @weft.all(i1
typedef struct { float a[12]; } Large;
typedef struct { float a[4]; } Small;
kernel void fields(global const Large* p, global float* out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = p[i].a[1] * p[i].a[2] + p[i].a[4] * p[i].a[6];
}
kernel void small_fields(global const Small* p, global float* out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = p[i].a[1] * p[i].a[2] + p[i].a[3];
}
kernel void one_field(global const Large* p, global float* out, int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = p[i].a[1];
}

kernel void across(global const float* in, global float* out, int width, int height, int depth) {
  const int x = get_global_id(0), y = get_global_id(1);
  const bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
  int at = y * width + x;
  for (int z = 0; z < depth; ++z, at += width * height) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (inside) out[at] = in[at - 1] + in[at + 1];
  }
}

kernel void chosen_across(global const int* in, global int* out, int depth) {
  const int i = get_global_id(0);
  const bool chosen = in[i] > 3;
  for (int z = 0; z < depth; ++z) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (chosen) out[z * 1000 + i] = in[i + z];
  }
}
