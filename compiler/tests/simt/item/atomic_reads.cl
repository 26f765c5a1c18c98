// Updates that leave what they find are loads, of what may change.
// RUN: weftc --kernel=reads --stop-after=atomic-reads --verify-each %s | FileCheck %s --check-prefix=READS
// READS-LABEL: @reads.item(
// READS-NOT: atomicrmw
// READS-NOT: cmpxchg
// READS-COUNT-8: load volatile i32, {{.*}}, align 4{{$}}
// READS: %[[FOUND:.*]] = load volatile i32, {{.*}}, align 4{{$}}
// READS-NEXT: icmp eq i32 %[[FOUND]], %
// READS-NOT: atomicrmw
// READS-NOT: cmpxchg

// Others change something, or order what stands beside them.
// RUN: weftc --kernel=updates --options=-cl-std=CL2.0 --stop-after=atomic-reads --verify-each %s | FileCheck %s --check-prefix=UPDATES
// UPDATES-LABEL: @updates.item(
// UPDATES: atomicrmw volatile add
// UPDATES: atomicrmw volatile and
// UPDATES: atomicrmw volatile umin
// UPDATES: cmpxchg volatile
// UPDATES: atomicrmw volatile {{add|or}} {{.*}} i32 0 {{acq_rel|seq_cst}}

// A loop that tries an exchange again is known by its load: it runs for one lane after the other.
// RUN: weftc --kernel=sums --local-size=64,1,1 --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=SUMS
// SUMS-LABEL: define {{.*}}@by_lane(
// SUMS-NOT: atomicrmw
// SUMS: cmpxchg
// SUMS-NOT: atomicrmw

// Counted code has what the program says.
// RUN: weftc --kernel=reads --counted --emit=llvm %s | FileCheck %s --check-prefix=COUNTED
// COUNTED: atomicrmw

kernel void reads(global int* a, global uint* b, global int* out, local int* shared, int n) {
  const int i = get_global_id(0);
  int found = atomic_add(&a[i], 0);
  found += atomic_sub(&shared[i], 0);
  found += atomic_or(&a[i * 3], 0);
  found += atomic_xor(&a[i * 5], 0);
  found += atomic_and(&a[i * 7], -1);
  found += atomic_max(&b[i], 0u);
  found += atomic_min(&a[i * 9], INT_MAX);
  found += atomic_cmpxchg(&a[i * 11], 5, 5);
  out[i] = atomic_cmpxchg(&a[i * 13], n, n) == n ? found : 0;
}

kernel void updates(global int* a, global uint* b, global int* out, int n) {
  const int i = get_global_id(0);
  int found = atomic_add(&a[i], n);
  found += atomic_and(&a[i], 0);
  found += atomic_min(&b[i], 0u);
  found += atomic_cmpxchg(&a[i], 5, n);
#if __OPENCL_C_VERSION__ >= 200
  found += atomic_fetch_add_explicit((volatile global atomic_int*)&a[i], 0, memory_order_acq_rel, memory_scope_device);
#endif
  out[i] = found;
}

void add(volatile global uint* sum, float more) {
  union { float f; uint u; } old, next;
  do {
    old.u = atomic_add(sum, 0);
    next.f = old.f + more;
  } while (atomic_cmpxchg(sum, old.u, next.u) != old.u);
}
kernel void sums(global const int* place, global const float* v, volatile global uint* sum) {
  const int i = get_global_id(0);
  add(&sum[place[i]], v[i]);
}
