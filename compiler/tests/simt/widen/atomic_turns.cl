// Updates at addresses of the lanes' own are written out where each is one instruction: behind an atomic one, the loads of a
// loop over the lanes would wait.
// RUN: weftc --disable=worker-copies --kernel=count --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=COUNT
// RUN: weftc --disable=worker-copies --kernel=place --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PLACE
// RUN: weftc --disable=worker-copies --kernel=some --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --disable=worker-copies --kernel=greatest --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=LOOP

// COUNT-LABEL: @count.region.0.warp(
// COUNT-COUNT-32: atomicrmw volatile add ptr {{.*}}, i32 1
// COUNT-NOT: atomicrmw
// COUNT: ret i32
kernel void count(global const uint* keys, global uint* counts) { atomic_inc(&counts[keys[get_global_id(0)] & 4095u]); }

// PLACE: [[OLD:%.*]] = atomicrmw volatile add
// PLACE: insertelement <32 x i32> poison, i32 [[OLD]], i64 0
kernel void place(global uint* keys, global uint* counts) {
  const uint i = get_global_id(0);
  keys[i] = atomic_add(&counts[keys[i] & 4095u], keys[i]);
}

// All lanes in turn, or a loop over those that are live.
// SOME: all:
// SOME-COUNT-32: atomicrmw volatile add
// SOME: some:
// SOME: atomicrmw volatile add
// SOME-NOT: atomicrmw
// SOME: }
kernel void some(global const uint* keys, global uint* counts) {
  const uint key = keys[get_global_id(0)];
  if (key > 9) atomic_inc(&counts[key & 4095u]);
}

// A comparison and exchange until nobody else came between, where it changes anything.
// LOOP: [[FOUND:%.*]] = load atomic i32
// LOOP: [[STAYS:%.*]] = icmp uge i32 [[FOUND]],
// LOOP: br i1 [[STAYS]], label %changed, label %changes
// LOOP: atomicrmw volatile umax
// LOOP-NOT: atomicrmw
// LOOP: }
kernel void greatest(global const uint* keys, global uint* counts) {
  const uint key = keys[get_global_id(0)];
  atomic_max(&counts[key & 4095u], key);
}

// What all lanes add to one float of local memory is added in a register, in the order of the lanes.
// RUN: weftc --cpu=haswell --kernel=sum --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen --verify-each %s | FileCheck %s --check-prefix=OWN
// OWN-LABEL: define internal i32 @sum.region.1.warp(
// OWN: [[BEFORE:%.*]] = load float, ptr [[AT:%.*]], align 4
// OWN: [[SUM:%.*]] = call float @llvm.vector.reduce.fadd.v{{[0-9]+}}f32(float [[BEFORE]], <
// OWN: store float [[SUM]], ptr [[AT]], align 4
// OWN-NOT: rolled
void add(volatile local float* p, float x) {
  uint old;
  do { old = as_uint(*p); } while (atomic_cmpxchg((volatile local uint*)p, old, as_uint(as_float(old) + x)) != old);
}
kernel void sum(global const float* in, global float* out) {
  local float total;
  if (get_local_id(0) == 0) total = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  add(&total, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) out[get_group_id(0)] = total;
}
