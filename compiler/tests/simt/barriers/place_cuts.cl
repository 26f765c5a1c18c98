// Updates that take places of one counter for what a kernel appends are regions of their own.
// RUN: weftc --kernel=append --local-size=256,1,1 --ids-fit-31-bits --verify-each --stop-after=split-regions %s | FileCheck %s
// RUN: weftc --kernel=append --local-size=256,1,1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=PHASES
// RUN: weftc --kernel=always --local-size=256,1,1 --ids-fit-31-bits --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=ALWAYS
// RUN: weftc --kernel=kept --local-size=256,1,1 --ids-fit-31-bits --verify-each --stop-after=split-regions %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=append --local-size=256,1,1 --disable=group-phases --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=append --local-size=256,1,1 --required-only --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=append --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=either --local-size=256,1,1 --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=again --local-size=256,1,1 --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=own --local-size=256,1,1 --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=waits --local-size=256,1,1 --stop-after=split-regions %s | FileCheck %s --check-prefix=ONE

// ONE-NOT: region.1

// What is chosen, and the value, live across both cuts; nobody goes round them.
// CHECK: define internal i32 @append.region.0(
// CHECK: [[VALUE:%.*]] = load volatile i32
// CHECK: store{{.*}}.i32(i32 {{[0-9]}}, i32
// CHECK: ret i32 1
// CHECK: define internal i32 @append.region.1(
// CHECK: atomicrmw volatile add
// CHECK: ret i32 2
// CHECK: define internal i32 @append.region.2(
// CHECK: store volatile i32
// CHECK: ret i32 -1
// PHASES: %group.of.run
// PHASES: atomicrmw add
kernel void append(global const uint* in, global uint* out, global uint* taken, const uint limit, const uint count) {
  const uint i = get_global_id(0);
  if (i < count) {
    const uint v = in[i] * 3;
    if (v > limit) out[atomic_inc(taken)] = v;
  }
}

// ALWAYS: region.1(
// ALWAYS-NOT: br i1
// ALWAYS: atomicrmw
// ALWAYS: ret i32 2
kernel void always(global const uint* in, global uint* out, global uint* taken) {
  out[atomic_add(taken + 3, 2)] = in[get_global_id(0)];
}

// What the conditions lead to has values of both sides.
// KEPT: region.1(
// KEPT: atomicrmw
// KEPT: region.2(
// KEPT: phi i32
// KEPT: ret i32 -1
kernel void kept(global const uint* in, global int* places, global int* taken) {
  const uint i = get_global_id(0);
  int place = -1;
  if (in[i] & 1) place = atomic_inc(taken) + i;
  places[i] = place;
}

// Two sides.
kernel void either(global const uint* in, global uint* out, global uint* taken, const uint limit) {
  const uint v = in[get_global_id(0)];
  if (v > limit) out[atomic_inc(taken)] = v; else out[v] = atomic_inc(taken + 64);
}

// In a loop.
kernel void again(global const uint* in, global uint* out, global uint* taken, const uint count) {
  for (uint i = get_global_id(0); i < count; i += get_global_size(0))
    if (in[i] > 7) out[atomic_inc(taken)] = i;
}

// Counters of the work-items' own.
kernel void own(global const uint* in, global uint* out, global uint* counts) {
  const uint v = in[get_global_id(0)];
  if (v > 7) out[atomic_inc(counts + v)] = v;
}

// Until those with lower tickets are through.
kernel void waits(global uint* out, global uint* taken, volatile global uint* done) {
  const uint ticket = atomic_inc(taken);
  while (atomic_add(done, 0) < ticket) {}
  out[get_global_id(0)] = ticket;
  atomic_inc(done);
}
