// Of loops that exchange what they have read in local memory for a sum until nobody has come between, and of attempts in front of them, one update remains.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=sums %s | FileCheck %s --check-prefixes=ONE,FADD
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=attempts %s | FileCheck %s --check-prefixes=ONE,FADD
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=doubles %s | FileCheck %s --check-prefixes=ONE,FSUB
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=greatest %s | FileCheck %s --check-prefixes=ONE,FMAX
// Another operation, another number in the attempt, what was found is asked for, or memory of others.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=products %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=other %s | FileCheck %s --check-prefix=OTHER
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=asked %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=shared %s | FileCheck %s --check-prefix=STAYS
// Stores that look whether what they have stored is still there are exchanges; not where the number is asked for, or more is stored.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=tagged %s | FileCheck %s --check-prefix=TAGGED
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=scalarize-loops --kernel=tagged %s | FileCheck %s --check-prefix=TURNS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=tagged_asked %s | FileCheck %s --check-prefix=CHECKED
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=retried-updates --kernel=two_stored %s | FileCheck %s --check-prefix=CHECKED

// ONE: call void @__weft_barrier
// ONE-NOT: cmpxchg
// ONE-NOT: load {{.*}} addrspace(3)
// FADD: atomicrmw volatile fadd ptr addrspace(3) %{{.*}}, float
// FSUB: atomicrmw volatile fsub ptr addrspace(3) %{{.*}}, double
// FMAX: atomicrmw volatile fmax ptr addrspace(3) %{{.*}}, float
// ONE-NOT: cmpxchg
// ONE-NOT: atomicrmw
// ONE: call void @__weft_barrier
// STAYS: cmpxchg
// STAYS-NOT: atomicrmw
// OTHER: cmpxchg
// OTHER: atomicrmw volatile fadd

#define BEGIN(type)                                        \
  local type bins[64];                                     \
  const type mine = x[get_global_id(0)];                   \
  local type* p = bins + (to[get_global_id(0)] & 63);      \
  bins[get_local_id(0)] = 0;                               \
  barrier(CLK_LOCAL_MEM_FENCE);
#define END                       \
  barrier(CLK_LOCAL_MEM_FENCE);   \
  y[get_global_id(0)] = bins[get_local_id(0)];

kernel void sums(global const uint* to, global const float* x, global float* y) {
  BEGIN(float)
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile local uint*)p, old, as_uint(as_float(old) + mine)) != old);
  END
}

kernel void attempts(global const uint* to, global const float* x, global float* y) {
  BEGIN(float)
  union { uint u; float f; } now, tried;
  now.f = *p;
#define ATTEMPT                                                                                  \
  tried.f = now.f;                                                                               \
  now.u = atomic_cmpxchg((volatile local uint*)p, tried.u, as_uint(tried.f + mine));             \
  if (now.u == tried.u) goto end;
  ATTEMPT
  ATTEMPT
  ATTEMPT
  do {
    tried.f = now.f;
    now.u = atomic_cmpxchg((volatile local uint*)p, tried.u, as_uint(tried.f + mine));
  } while (now.u != tried.u);
end:;
  END
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void doubles(global const uint* to, global const double* x, global double* y) {
  BEGIN(double)
  ulong old = as_ulong(*p), tried;
  do {
    tried = old;
    old = atom_cmpxchg((volatile local ulong*)p, tried, as_ulong(as_double(tried) - mine));
  } while (old != tried);
  END
}

kernel void greatest(global const uint* to, global const float* x, global float* y) {
  BEGIN(float)
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile local uint*)p, old, as_uint(fmax(as_float(old), mine))) != old);
  END
}

kernel void products(global const uint* to, global const float* x, global float* y) {
  BEGIN(float)
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile local uint*)p, old, as_uint(as_float(old) * mine)) != old);
  END
}

kernel void other(global const uint* to, global const float* x, global float* y) {
  BEGIN(float)
  uint old = as_uint(*p);
  uint tried = old;
  old = atomic_cmpxchg((volatile local uint*)p, tried, as_uint(as_float(tried) + 2 * mine));
  if (old != tried) do {
      tried = old;
      old = atomic_cmpxchg((volatile local uint*)p, tried, as_uint(as_float(tried) + mine));
    } while (old != tried);
  END
}

kernel void asked(global const uint* to, global const float* x, global float* y) {
  BEGIN(float)
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile local uint*)p, old, as_uint(as_float(old) + mine)) != old);
  END
  y[get_global_id(0)] += as_float(old);
}

kernel void shared(global const uint* to, global const float* x, global float* y) {
  global float* p = y + to[get_global_id(0)];
  const float mine = x[get_global_id(0)];
  uint old;
  do {
    old = as_uint(*p);
  } while (atomic_cmpxchg((volatile global uint*)p, old, as_uint(as_float(old) + mine)) != old);
}

// TAGGED-LABEL: define {{.*}} @tagged.item(
// TAGGED: [[READ:%.*]] = load volatile i32, ptr addrspace(3) [[PLACE:%.*]], align 4
// TAGGED: cmpxchg ptr addrspace(3) [[PLACE]], i32 [[READ]], i32
// TAGGED-NOT: store volatile i32 {{.*}} addrspace(3)
// TURNS: call void @by_lane
kernel void tagged(global const uint* to, global uint* y) {
  volatile local uint counts[64];
  const uint l = get_local_id(0), tag = l << 27;
  counts[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local uint* p = counts + to[get_global_id(0)];
  uint count;
  do {
    count = (*p & 0x7ffffff) + 1 | tag;
    *p = count;
  } while (*p != count);
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = counts[l] & 0x7ffffff;
}

// CHECKED-NOT: cmpxchg
kernel void tagged_asked(global const uint* to, global uint* y) {
  volatile local uint counts[64];
  const uint l = get_local_id(0), tag = l << 27;
  volatile local uint* p = counts + to[get_global_id(0)];
  uint count;
  do {
    count = (*p & 0x7ffffff) + 1 | tag;
    *p = count;
  } while (*p != count);
  y[get_global_id(0)] = count;
}
kernel void two_stored(global const uint* to, global uint* y) {
  volatile local uint counts[64], others[64];
  const uint l = get_local_id(0), tag = l << 27;
  volatile local uint* p = counts + to[get_global_id(0)];
  uint count;
  do {
    count = (*p & 0x7ffffff) + 1 | tag;
    *p = count;
    others[l] = count;
  } while (*p != count);
  y[get_global_id(0)] = others[l ^ 1];
}
