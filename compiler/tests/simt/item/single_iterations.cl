// A loop up to the row behind the first one is none, whatever else ends it.
// RUN: weftc --emit=scalar --verify-each %s | FileCheck %s
// Ids that cannot wrap are known with the launch's sizes.
// RUN: weftc --kernel=up_to --local-size=64,4,1 --ids-fit-31-bits --stop-after=known-counts --verify-each %s | FileCheck %s --check-prefix=UP-TO

// CHECK-LABEL: @one_row(
// CHECK-NOT: phi
// CHECK: ret void
kernel void one_row(global const int* in, global int* out, const int rows, const int pitch) {
  const int x = get_global_id(0), first = get_global_id(1);
  for (int y = first, end = min(rows, first + 1); y < end; ++y) out[y * pitch + x] = in[y * pitch + x] + 1;
}

// Not even if the program wants it unrolled.
// CHECK-LABEL: @unrolled(
// CHECK-NOT: phi
// CHECK: ret void
kernel void unrolled(global const int* in, global int* out, const int rows, const int pitch) {
  const int x = get_global_id(0), first = get_global_id(1);
#pragma unroll
  for (int y = first, end = min(rows, first + 1); y < end; ++y) out[y * pitch + x] = in[y * pitch + x] + 1;
}

// CHECK-LABEL: @two_rows(
// CHECK: phi
kernel void two_rows(global const int* in, global int* out, const int rows, const int pitch) {
  const int x = get_global_id(0), first = get_global_id(1) * 2;
  for (int y = first, end = min(rows, first + 2); y < end; ++y) out[y * pitch + x] = in[y * pitch + x] + 1;
}

// CHECK-LABEL: @at_least(
// CHECK: phi
kernel void at_least(global const int* in, global int* out, const int rows, const int pitch) {
  const int x = get_global_id(0), first = get_global_id(1);
  for (int y = first, end = max(rows, first + 1); y < end; ++y) out[y * pitch + x] = in[y * pitch + x] + 1;
}

// The other way round, and unsigned numbers that may wrap.
// CHECK-LABEL: @signs(
// CHECK: phi
kernel void signs(global const int* in, global int* out, const uint rows, const int pitch) {
  const int x = get_global_id(0);
  const int first = get_global_id(1);
  for (int y = first, end = min(rows, (uint)first + 1u); y < end; ++y) out[y * pitch + x] = in[y * pitch + x] + 1;
}

// UP-TO-LABEL: @up_to.item(
// UP-TO-NOT: phi
// UP-TO: ret
kernel void up_to(global const int* in, global int* out, const uint rows, const int pitch) {
  const int x = get_global_id(0);
  const uint first = get_global_id(1);
  for (uint y = first; y <= min(rows, first); ++y) out[y * pitch + x] = in[y * pitch + x] + 1;
}
