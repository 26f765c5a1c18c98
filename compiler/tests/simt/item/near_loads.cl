// What lies between two places that all lanes have read is read by all lanes, and the branch becomes a selection.
// RUN: weftc --cpu=haswell --kernel=life --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=near-loads --verify-each %s | FileCheck %s
// CHECK-LABEL: define internal i32 @life.item(
// CHECK-NOT: br
// CHECK-NOT: switch
// CHECK: select
// CHECK: ret i32

// Indices of 64 bits need no argument in front of them; one load leads to the next.
// RUN: weftc --cpu=haswell --kernel=ridges --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-loads %s | FileCheck %s --check-prefix=RIDGES
// RIDGES-LABEL: define internal i32 @ridges.item(
// RIDGES-NOT: br
// RIDGES: ret i32

// Nothing is known of what lies behind an index of 32 bits from no buffer's start, beside all that lanes have read, behind an index from memory, or further away than a line; behind a loop or
// a store, or where the program calls it volatile, a load stays in its place.
// RUN: weftc --cpu=haswell --kernel=beside --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-loads %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=far --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-loads %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=stored --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-loads %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=asked --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-loads %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=life --local-size=64,1,1 --ids-fit-31-bits --disable=near-loads --stop-after=known-counts %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=haswell --kernel=life --local-size=64,1,1 --ids-fit-31-bits --stop-after=near-loads %s | FileCheck %s --check-prefix=STAYS
// STAYS-LABEL: .item(
// STAYS: {{br|switch}}
// STAYS: load volatile i8
// STAYS: ret i32

kernel void life(global const uchar* in, global uchar* out, const int pitch) {
  const int at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;
  const int around = in[at - pitch] + in[at - 1] + in[at + 1] + in[at + pitch];
  out[at] = around == 3 || (around == 2 && in[at]);
}

kernel void ridges(global const int* in, global int* out) {
  const size_t i = get_global_id(0);
  const int first = in[i], last = in[i + 8];
  int found = 0;
  if (first < last) {
    found = in[i + 4];
    if (found > first) found = in[i + 6];
  }
  out[i] = found;
}

kernel void beside(global const uchar* in, global uchar* out) {
  const size_t i = get_global_id(0);
  uchar found = in[i];
  if (found > in[i + 1]) found = in[i + 2];
  out[i] = found;
}

kernel void far(global const uchar* in, global uchar* out, const int pitch) {
  const size_t i = get_global_id(0);
  uchar found = in[i];
  if (found > in[i + 200]) found = in[i + 100];
  out[i] = found;
}

kernel void stored(global const uchar* in, global uchar* out) {
  const size_t i = get_global_id(0);
  uchar found = in[i];
  if (found > in[i + 2]) {
    out[i + 7] = 1;
    found = in[i + 1];
  }
  out[i] = found;
}

kernel void asked(global const volatile uchar* in, global uchar* out) {
  const size_t i = get_global_id(0);
  uchar found = in[i];
  if (found > in[i + 2]) found = in[i + 1];
  out[i] = found;
}

// Of a node all lanes have read one component each, and go on by another: no need for the rest.
// RUN: weftc --cpu=haswell --kernel=choices --local-size=64,1,1 --ids-fit-31-bits --formats=3 --stop-after=near-loads %s | FileCheck %s --check-prefix=CHOICES
// CHOICES-LABEL: @choices.item(
// CHOICES: fcmp olt
// CHOICES-NEXT: br i1
kernel void choices(global const int4* nodes, global const float* x, global float* out) {
  const int i = get_global_id(0);
  int at = 0;
  while (nodes[at].x >= 0) at = x[i * 4 + nodes[at].x] < as_float(nodes[at].y) ? nodes[at].z : nodes[at].w;
  out[i] = as_float(nodes[at].y);
}
