// Windows that are cut off at an edge: as many iterations for all lanes, of which each does its own.
// RUN: weftc %s --kernel=numbered --local-size=64,1,1 --ids-fit-31-bits --disable=chosen-bounds --verify-each --stop-after=clamped-windows | FileCheck %s --check-prefix=TWO
// RUN: weftc %s --kernel=ahead --local-size=64,1,1 --ids-fit-31-bits --disable=chosen-bounds --verify-each --stop-after=clamped-windows | FileCheck %s --check-prefix=ONE
// RUN: weftc %s --kernel=stores --local-size=64,1,1 --ids-fit-31-bits --disable=chosen-bounds --verify-each --stop-after=clamped-windows | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=apart --local-size=64,1,1 --ids-fit-31-bits --disable=chosen-bounds --verify-each --stop-after=clamped-windows | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=wider --local-size=64,1,1 --ids-fit-31-bits --disable=chosen-bounds --verify-each --stop-after=clamped-windows | FileCheck %s --check-prefix=NONE
// RUN: weftc %s --kernel=numbered --local-size=64,1,1 --ids-fit-31-bits --disable=chosen-bounds,clamped-windows --stop-after=widen | FileCheck %s --check-prefix=NONE

// Columns and rows.
// TWO: [[PLACE:%window.place.*]] = add i32
// TWO: icmp sge i32 [[PLACE]], 0
// TWO: icmp slt i32 [[PLACE]]
// TWO: icmp ult i32 {{.*}}, 3
// TWO: window.place
// TWO: icmp ult i32 {{.*}}, 3
kernel void numbered(global const float* in, global float* out, int width, int height, int columns) {
  const int id = get_global_id(0), column = id % columns, row = id / columns;
  const int top = max(row * 2 - 1, 0), left = max(column * 2 - 1, 0), bottom = min(row * 2 + 2, height), right = min(column * 2 + 2, width);
  float most = -FLT_MAX;
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) most = fmax(most, in[y * width + x]);
  out[id] = most;
}

// Cut off at one end.
// ONE: [[PLACE:%window.place.*]] = add i32
// ONE-NOT: icmp sge i32 [[PLACE]]
// ONE: icmp slt i32 [[PLACE]]
// ONE: icmp ult i32 {{.*}}, 5
kernel void ahead(global const float* in, global float* out, int n) {
  const int id = get_global_id(0);
  float sum = 0.0f;
  for (int x = id; x < min(id + 5, n); ++x) sum = fabs(sum) + in[x];
  out[id] = sum;
}

// Others see what a lane stores, and when.
// NONE-NOT: window.place
// NONE: ret
kernel void stores(global const float* in, global float* out, int n) {
  const int id = get_global_id(0);
  for (int x = max(id - 1, 0); x < min(id + 2, n); ++x) out[x] = in[x];
}

// Lanes' rows are their own.
kernel void apart(global const float* in, global float* out, int n) {
  const int id = get_global_id(0);
  float sum = 0.0f;
  for (int x = id * 16; x < min(id * 16 + 16, n); ++x) sum = fabs(sum) + in[x];
  out[id] = sum;
}

// Each lane's window is as wide as it likes.
kernel void wider(global const float* in, global float* out, int n) {
  const int id = get_global_id(0);
  float sum = 0.0f;
  for (int x = max(id - 1, 0); x < min(id * 2, n); ++x) sum = fabs(sum) + in[x];
  out[id] = sum;
}
