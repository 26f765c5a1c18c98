// What a loop that lanes leave one by one loads from one place each time moves in front of it, if nothing in the loop may write there.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=roots --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=bounds --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=apart --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=nested --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=written --stop-after=accumulators %s | FileCheck %s --check-prefix=INSIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=waits --stop-after=accumulators %s | FileCheck %s --check-prefix=INSIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=sometimes --stop-after=accumulators %s | FileCheck %s --check-prefix=INSIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=roots --disable=accumulators --stop-after=accumulators %s | FileCheck %s --check-prefix=INSIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=marks --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=BEFORE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=told --stop-after=accumulators %s | FileCheck %s --check-prefix=INSIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --options=-cl-std=CL3.0 --kernel=ordered --stop-after=accumulators %s | FileCheck %s --check-prefix=INSIDE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=guarded --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=ONCE

// The bound of a loop is what its guard has asked for already: so the loop's iterations of all lanes need no mask (full_iterations.h).
// ONCE: load volatile i32, ptr addrspace(1) %kept
// ONCE-NOT: ptr addrspace(1) %kept

// BEFORE: load volatile {{float|i32}}, ptr addrspace(1) %kept
// BEFORE: {{^[a-z.0-9]*:}}
// BEFORE: phi
// BEFORE-NOT: ptr addrspace(1) %kept
// INSIDE: phi
// INSIDE: load volatile {{float|i32}}, ptr addrspace(1) %{{kept|k}}
kernel void roots(global const float* kept, global float* x, int most) {
  float at = 2;
  const int i = get_global_id(0);
  for (int k = 0; k < most; ++k) {
    const float next = at - (at * at - *kept) / (2 * at + i);
    if (fabs(next - at) < 1e-5f) break;
    at = next;
  }
  x[i] = at;
}
kernel void bounds(global const int* kept, global const int* a, global int* x) {
  const int i = get_global_id(0);
  int sum = 0, k = i;
  do sum += a[k++]; while (k < *kept);
  x[i] = sum;
}
kernel void guarded(global const int* kept, global const int* a, global int* x) {
  int sum = 0;
  for (int k = get_local_id(0); k < *kept; k += get_local_size(0)) sum += a[k];
  x[get_global_id(0)] = sum;
}
kernel void apart(global const int* restrict kept, global int* restrict x) {
  int k = get_global_id(0);
  do x[k] = k * *kept; while (++k % 7);
}
// Through several loops around it.
kernel void nested(global const int* kept, global const int* a, global int* x) {
  const int i = get_global_id(0);
  int sum = 0, r = i;
  do {
    int c = r;
    do {
      int k = c;
      do sum += a[k] * *kept; while (++k % 5);
    } while (++c % 7);
  } while (++r % 11);
  x[i] = sum;
}
kernel void written(global const int* kept, global int* x) {
  int k = get_global_id(0);
  do x[k] = k * *kept; while (++k % 7);
}
kernel void waits(global volatile int* kept, global int* x) {
  int k = get_global_id(0);
  while (*kept < k) --k;
  x[get_global_id(0)] = k;
}
kernel void sometimes(global const int* kept, global const int* a, global int* x) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int k = i; a[k] > 0; ++k)
    if (a[k] & 1) sum += *kept;
  x[i] = sum;
}
// Atomic updates of other memory order nothing.
kernel void marks(global const int* restrict kept, global const int* restrict to, global int* restrict level, global int* restrict more) {
  int k = get_global_id(0);
  do if (atomic_cmpxchg(level + to[k], -1, 1) == -1) atomic_inc(more); while (++k < *kept);
}
// Another group may have written, in front of the barrier, and told so.
kernel void told(global int* restrict kept, global int* restrict ready, global int* restrict x) {
  kept[get_group_id(0)] = 3;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int k = get_global_id(0);
  do x[k] = atomic_add(ready, 0) * *kept; while (++k % 7);
}
// An acquiring update may have been told.
#if __OPENCL_C_VERSION__ >= 300
kernel void ordered(global const int* restrict kept, global atomic_int* restrict ready, global int* restrict x) {
  int k = get_global_id(0);
  do x[k] = atomic_fetch_add_explicit(ready, 0, memory_order_acquire, memory_scope_device) * *kept; while (++k % 7);
}
#endif
