// Loops that try an update again until nobody has come between run for one lane after the other; those that may wait for another lane do not.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=sums %s | FileCheck %s --check-prefixes=LANE,EXCHANGE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=assumed %s | FileCheck %s --check-prefixes=LANE,EXCHANGE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --disable=retried-updates --stop-after=scalarize-loops --kernel=local_sums %s | FileCheck %s --check-prefixes=LANE,PLAIN
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=greatest %s | FileCheck %s --check-prefix=GREATEST
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=lock %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=turns %s | FileCheck %s --check-prefix=BESIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=moves_on %s | FileCheck %s --check-prefix=BESIDE

// LANE: call {{.*}} @by_lane(
// LANE-LABEL: define internal {{.*}} @by_lane(
// EXCHANGE: cmpxchg
// PLAIN-NOT: cmpxchg
// PLAIN-NOT: volatile
// PLAIN: ret
kernel void sums(global const int* to, global const float* x, volatile global float* y) {
  volatile global float* p = y + to[get_global_id(0)];
  const float mine = x[get_global_id(0)];
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile global uint*)p, old, as_uint(as_float(old) + mine)) != old);
}
// What the exchange before has found.
kernel void assumed(global const int* to, global const int* x, global int* y, global int* was) {
  global int* p = y + to[get_global_id(0)];
  int old = *p, tried;
  do {
    tried = old;
    old = atomic_cmpxchg(p, tried, tried * x[get_global_id(0)] + 1);
  } while (old != tried);
  was[get_global_id(0)] = old;
}
// Local memory has one thread: neither the exchange nor what is volatile remains.
kernel void local_sums(global const uint* to, global const float* x, global float* y) {
  volatile local float sums[64];
  sums[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local float* p = sums + (to[get_global_id(0)] & 63);
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile local uint*)p, old, as_uint(as_float(old) + x[get_global_id(0)])) != old);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = sums[get_local_id(0)];
}
// All lanes look first, side by side, and only those that have something greater take a turn.
// GREATEST-LABEL: define internal i32 @greatest.region.0
// GREATEST: fcmp
// GREATEST: br i1
// GREATEST: call void @by_lane(
kernel void greatest(global const int* to, global const float* x, global int* y) {
  global int* p = y + to[get_global_id(0)];
  const float mine = x[get_global_id(0)];
  int old = *p;
  while (as_float(old) < mine) {
    const int tried = old;
    old = atomic_cmpxchg(p, tried, as_int(mine));
    if (old == tried) break;
  }
}

// BESIDE-NOT: @by_lane
// BESIDE: cmpxchg
// BESIDE-NOT: @by_lane
kernel void lock(global int* taken, global int* sum) {
  while (atomic_cmpxchg(taken, 0, 1) != 0) {
  }
  *sum += get_global_id(0);
  atomic_xchg(taken, 0);
}
// Waits until it is this lane's number's turn, though what it replaces is fresh.
kernel void turns(volatile global int* next, global int* out) {
  const int mine = get_global_id(0);
  int old;
  do {
    old = *next;
  } while (old != mine || atomic_cmpxchg(next, old, old + 1) != old);
  out[mine] = old;
}
kernel void moves_on(global const uint* keys, global uint* table, uint mask) {
  uint at = keys[get_global_id(0)] & mask;
  uint old = table[at];
  while (atomic_cmpxchg(table + at, old, keys[get_global_id(0)]) != old) {
    at = (at + 1) & mask;
    old = table[at];
  }
}
