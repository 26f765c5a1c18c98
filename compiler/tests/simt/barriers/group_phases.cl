// Groups that ask a counter of the whole launch for places go through the regions together, so that the updates stand one behind the other.
// RUN: weftc --kernel=keep --local-size=256,1,1 --coarsen=1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s
// RUN: weftc --kernel=ticket --local-size=64,2,1 --coarsen=1 --verify-each --stop-after=group %s | FileCheck %s --check-prefix=TICKET
// RUN: weftc --kernel=keep --local-size=256,1,1 --disable=group-phases --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=keep --local-size=256,1,1 --required-only --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=keep --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=apart --local-size=256,1,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=argument --local-size=256,1,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=large --local-size=256,1,1 --stop-after=group %s | FileCheck %s --check-prefix=LARGE
// RUN: weftc --kernel=waits --local-size=256,1,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=again --local-size=256,1,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --kernel=unasked --local-size=256,1,1 --stop-after=group %s | FileCheck %s --check-prefix=ONE

// ONE-NOT: group.of.run

// Each region has a loop over the groups around that over the warps; frames and local memory are a group's own.
// CHECK: define i32 @keep.group(
// CHECK: [[COUNT:%run.*]] = load i64
// CHECK: [[FIRST:%first.*]] = load i64
// CHECK: [[LOCAL:%local.*]] = load ptr
// CHECK: [[NUMBER:%group.of.run.*]] = phi i64 [ 0,
// CHECK: mul nuw nsw i64 [[NUMBER]], 2048
// CHECK: {{%group.id.*}} = add nuw nsw i64 [[FIRST]], [[NUMBER]]
// CHECK: mul nuw nsw i64 [[NUMBER]], 128
// CHECK: icmp ult i64 {{%.*}}, [[COUNT]]
// CHECK: %group.of.run{{[0-9]+}} = phi i64 [ 0,
// CHECK: icmp ult i64 {{%.*}}, [[COUNT]]
// CHECK: %group.of.run{{[0-9]+}} = phi i64 [ 0,
// CHECK: atomicrmw add ptr
// CHECK: icmp ult i64 {{%.*}}, [[COUNT]]
// CHECK: %group.of.run{{[0-9]+}} = phi i64 [ 0,
// CHECK: ret i32 0
// CHECK: icmp ult i64 {{%.*}}, [[COUNT]]
kernel void keep(global const uint* in, global uint* out, global uint* taken, const uint limit) {
  local uint count, base;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint v = in[get_global_id(0)];
  uint mine = 0;
  if (v > limit) mine = atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) base = atomic_add(taken, count);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (v > limit) out[base + mine] = v;
}

// Groups of two dimensions, and a counter that is not the first element.
// TICKET: %group.of.run
// TICKET: atomicrmw
kernel void ticket(global const float* in, global float* out, global int* turns) {
  local int turn;
  if (get_local_id(0) == 0 && get_local_id(1) == 0) turn = atomic_inc(&turns[4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[turn * 128 + get_local_id(1) * 64 + get_local_id(0)] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];
}

// A counter a group: nobody else has its line.
kernel void apart(global uint* out, global uint* counts) {
  local uint base;
  if (get_local_id(0) == 0) base = atomic_add(&counts[get_group_id(0)], 256);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + get_local_id(0)] = get_global_id(0);
}

// How much local memory a group has is not known.
kernel void argument(global uint* out, global uint* taken, local uint* base) {
  if (get_local_id(0) == 0) *base = atomic_add(taken, 256);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[*base + get_local_id(0)] = get_global_id(0);
}

// Two groups are more than is near: one at a time goes through the regions, which is enough for its warps to meet.
// LARGE: %group.of.run
kernel void large(global uint* out, global uint* taken) {
  local uint base[3000];
  for (uint i = get_local_id(0); i < 3000; i += 256) base[i] = i == 0 ? atomic_add(taken, 256) : i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base[0] + base[get_local_id(0)]] = get_global_id(0);
}

// A group waits for the one in front of it, which has to be through.
kernel void waits(global uint* out, global uint* taken, volatile global uint* done) {
  local uint base;
  if (get_local_id(0) == 0) base = atomic_inc(taken);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    while (atomic_add(done, 0) < base) {}
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = base;
  if (get_local_id(0) == 0) atomic_inc(done);
}

// Groups meet the barriers of a loop as often as their data says.
kernel void again(global uint* out, global uint* taken, uint count) {
  local uint base;
  for (;;) {
    if (get_local_id(0) == 0) base = atomic_add(taken, 256);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint own = base;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own >= count) return;
    out[own + get_local_id(0)] = own;
  }
}

// Nobody waits for the old value, and workers have copies.
kernel void unasked(global const uint* in, global uint* sum) {
  local uint total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&total, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(sum, total);
}
