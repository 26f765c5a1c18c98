// What all warps and groups of a call take of one counter is one update, where the region does nothing else that others see or change.
// RUN: weftc --kernel=append --local-size=256,1,1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s
// RUN: weftc --kernel=append --local-size=256,1,1 --ids-fit-31-bits --stop-after=group %s | FileCheck %s --check-prefix=ASK
// RUN: weftc --kernel=tickets --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=TICKETS
// RUN: weftc --kernel=reads --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=EACH
// RUN: weftc --kernel=writes --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=EACH
// RUN: weftc --kernel=follows --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=group %s | FileCheck %s --check-prefix=EACH

// First the places are counted; those that nobody takes are not asked for. Then each body takes its own.
// CHECK: define i32 @append.group(
// CHECK: %places = alloca i32
// CHECK: store i32 0, ptr %places
// CHECK: call i32 @llvm.ctpop.i32(
// CHECK: [[BEFORE:%.*]] = load i32, ptr %places
// CHECK: [[BEHIND:%.*]] = add i32 [[BEFORE]], {{%.*}}
// CHECK: store i32 [[BEHIND]], ptr %places
// ASK: br i1 {{%.*}}, label %ask, label %asked
// ASK: {{^}}ask:
// ASK: [[ALL:%.*]] = load i32, ptr %places
// ASK: [[FIRST:%.*]] = atomicrmw add ptr {{%.*}}, i32 [[ALL]] monotonic
// ASK: store i32 [[FIRST]], ptr %places
// ASK-NOT: atomicrmw
// ASK: {{^}}}
kernel void append(global const uint* in, global uint* out, global uint* taken, const uint limit) {
  const uint v = in[get_global_id(0)];
  if (v > limit) out[atomic_inc(taken)] = v;
}

// TICKETS: {{^}}ask:
// TICKETS: atomicrmw add
// TICKETS-NOT: atomicrmw
// TICKETS: {{^}}}
kernel void tickets(global const uint* in, global uint* out, global uint* turns) {
  local uint turn;
  if (get_local_id(0) == 0) turn = atomic_inc(turns + 2);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[turn * 64 + get_local_id(0)] = in[get_global_id(0)];
}

// EACH: %group.of.run
// EACH-NOT: {{^}}ask:
// EACH: atomicrmw add

// Others may change what it takes in between.
kernel void reads(global const uint* sizes, global uint* out, global uint* taken) {
  local uint base;
  if (get_local_id(0) == 0) base = atomic_add(taken, sizes[get_group_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + get_local_id(0)] = base;
}

// Others see what it writes.
kernel void writes(global uint* bases, global uint* out, global uint* taken) {
  local uint base;
  if (get_local_id(0) == 0) bases[get_group_id(0)] = base = atomic_add(taken, 64);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base + get_local_id(0)] = base;
}

// What a group takes is what it found before.
kernel void follows(global const uint* in, global uint* out, global uint* taken) {
  local uint next;
  if (get_local_id(0) == 0) next = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) % 32 == 0) next = atomic_add(taken, next);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[next + get_local_id(0)] = in[get_global_id(0)];
}
