// Loops that do nothing but look until another group has written let others have the processor.
// RUN: weftc --kernel=chain --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=CHAIN
// CHAIN-LABEL: @chain.item(
// CHAIN-COUNT-1: fence syncscope("weft.wait")
// CHAIN-NOT: fence
// RUN: weftc --kernel=chain --local-size=64,1,1 --emit=llvm %s | FileCheck %s --check-prefix=CALL
// CALL-NOT: fence
// CALL: %wait = load ptr
// CALL-NEXT: call void %wait()
// CALL-NOT: call void
kernel void chain(global int* flags, global int* out) {
  const int g = get_group_id(0);
  if (get_local_id(0) == 0) {
    while (atomic_add(&flags[g], 0) == 0) {
    }
    out[g] = g;
    atomic_add(&flags[g + 1], 1);
  }
}

// RUN: weftc --kernel=by_volatile --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=VOLATILE
// VOLATILE: fence syncscope("weft.wait")
kernel void by_volatile(volatile global int* flags, global int* out) {
  const int g = get_group_id(0);
  while (flags[g] == 0) {
  }
  out[get_global_id(0)] = g;
}

// RUN: weftc --kernel=lock --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=LOCK
// LOCK: fence syncscope("weft.wait")
kernel void lock(global int* mutex, global int* out) {
  if (get_local_id(0) != 0) return;
  while (atomic_cmpxchg(mutex, 0, 1) != 0) {
  }
  ++*out;
  atomic_xchg(mutex, 0);
}

// One work-item looks for all.
// RUN: weftc --kernel=looks_for_all --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=ALL
// ALL: fence syncscope("weft.wait")
kernel void looks_for_all(global int* flags, global int* out) {
  local int found;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) found = atomic_or(&flags[get_group_id(0)], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (found == 0);
  out[get_global_id(0)] = found;
}

// Who puts something of his own, or takes a number and goes on with it, waits for nobody. Nor does one group for itself.
// RUN: weftc --kernel=retries --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=takes --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --kernel=own --local-size=64,1,1 --stop-after=marked-waits --verify-each %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: fence
kernel void retries(volatile global int* sum, global const float* in) {
  int old = *sum, seen;
  do {
    seen = old;
    old = atomic_cmpxchg(sum, seen, as_int(as_float(seen) + in[get_global_id(0)]));
  } while (old != seen);
}
kernel void takes(global int* next, global float* out, const int n) {
  for (int i = atomic_inc(next); i < n; i = atomic_inc(next)) out[i] = 2 * i;
}
kernel void own(global int* out) {
  local volatile int ready;
  if (get_local_id(0) == 0) ready = 1;
  while (ready == 0) {
  }
  out[get_global_id(0)] = 1;
}
