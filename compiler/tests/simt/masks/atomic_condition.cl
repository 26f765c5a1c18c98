// A loop that waits for a flag: each lane reads it for itself, so each leaves by its own mask.
// RUN: weftc --options=-cl-std=CL3.0 --verify-each --local-size=32,1,1 --stop-after=linearize %s | FileCheck %s
// RUN: weftc --options=-cl-std=CL3.0 --verify-each --local-size=32,1,1 -o /dev/null %s

// CHECK: load atomic
// CHECK: call {{.*}}@weft.any
kernel void wait(global atomic_int* flags) {
  int n = 0;
  while (atomic_load_explicit(flags + 1, memory_order_acquire, memory_scope_device) != 5) ++n;
  atomic_fetch_add(flags, n + 1);
}
