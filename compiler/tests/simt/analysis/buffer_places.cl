// Where a buffer begins nothing lies in front of it, so indices of 32 bits do not wrap around on the way to a work-item that accesses its place.
// RUN: weftc --cpu=haswell --kernel=sides --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=widen --verify-each %s | FileCheck %s
// RUN: weftc --cpu=haswell --kernel=some --local-size=64,1,1 --ids-fit-31-bits --formats=3 --coarsen=1 --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// CHECK-LABEL: .region.0.warp(
// CHECK-NOT: br i1
// CHECK: load <32 x float>
// CHECK-NOT: br i1
// CHECK: load <32 x float>
// CHECK-NOT: br i1
// CHECK: store <32 x float>
// CHECK: ret
// SOME: {{@llvm.masked.load.v32f32|load <32 x float>}}
// SOME-NOT: gather
// SOME: ret

// So it is in a copy of the code for several rows, whose loads of the argument are one.
// RUN: weftc --cpu=haswell --kernel=stacked --local-size=64,4,1 --ids-fit-31-bits --formats=3 --stop-after=widen %s | FileCheck %s --check-prefix=STACKED
// STACKED: load <{{32|64}} x i8>
// STACKED-NOT: wrapped:
// STACKED: ret

// They may behind any other pointer, which need not be a start, and where something else follows from the index.
// RUN: weftc --cpu=haswell --kernel=sides --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --cpu=haswell --kernel=inner --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --cpu=haswell --kernel=compared --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// WRAPS-LABEL: .region.0.warp(
// WRAPS: br i1
// WRAPS: ret

kernel void sides(global const float* in, global float* out, const int pitch) {
  const int at = get_global_id(1) * pitch + get_global_id(0);
  out[at] = in[at - 1] + in[at + 1];
}

kernel void some(global const float* in, global float* out, const int pitch) {
  const int at = get_global_id(0) * 1u + pitch;
  if (out[get_global_id(0)] > 0) out[get_global_id(0)] = in[at];
}

kernel void inner(global const float* in, global float* out, const int pitch, const long first) {
  const int at = get_global_id(1) * pitch + get_global_id(0);
  out[get_global_id(0)] = (in + first)[at - 1];
}

kernel void compared(global const float* in, global float* out, const int pitch, const long most) {
  const long at = (int)(get_global_id(1) * pitch + get_global_id(0));
  out[get_global_id(0)] = in[at] + (at < most);
}

kernel void stacked(global const uchar* in, global uchar* out, const int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  const int around = in[at - pitch - 1] + in[at - pitch] + in[at - pitch + 1] + in[at - 1] + in[at + 1] + in[at + pitch - 1] +
                     in[at + pitch] + in[at + pitch + 1];
  out[at] = around == 3 || (around == 2 && in[at]);
}

// A pointer that a loop moves on begins at such a place where those that go on access it first; not where they may go on without.
// RUN: weftc --cpu=icelake-server --kernel=row --local-size=32,8,1 --ids-fit-31-bits --aligned-offsets --formats=3 --stop-after=widen %s | FileCheck %s --check-prefix=ROW
// RUN: weftc --cpu=icelake-server --kernel=skipped --local-size=32,8,1 --ids-fit-31-bits --aligned-offsets --formats=3 --stop-after=widen %s | FileCheck %s --check-prefix=SKIPPED
// ROW-LABEL: @row.region.0.warp(
// ROW-NOT: gather
// ROW: ret
// SKIPPED-LABEL: @skipped.region.0.warp(
// SKIPPED: gather
// SKIPPED: ret
kernel void row(global const uchar* in, global uchar* out, int pitch, int offset, int rows, int columns) {
  local uchar all[8][32];
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 32 && y < rows) {
    global const uchar* at = in + mad24(y, pitch, x + offset);
    uchar most = 0;
    for (int i = x; i < columns; i += 32, at += 32) most = max(most, *at);
    all[get_local_id(1)][x] = most;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < 16 && y < rows) out[y * 32 + x] = max(all[get_local_id(1)][x], all[get_local_id(1)][x + 16]);
}

kernel void skipped(global const uchar* in, global uchar* out, int pitch, int offset, int rows, int columns) {
  local uchar all[8][32];
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 32 && y < rows) {
    global const uchar* at = in + mad24(y, pitch, x + offset);
    uchar most = 0;
    for (int i = x; i < columns; i += 32, at += 32)
      if (out[i] > 7) most = max(most, *at);
    all[get_local_id(1)][x] = most;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < 16 && y < rows) out[y * 32 + x] = max(all[get_local_id(1)][x], all[get_local_id(1)][x + 16]);
}
