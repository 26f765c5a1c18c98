// Elements of shared memory that a loop adds to are loaded in front of it and stored behind it.
// RUN: weftc --cpu=sapphirerapids --kernel=apart --local-size=64,1,1 --ids-fit-31-bits --formats=3 --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: weftc --cpu=sapphirerapids --kernel=apart --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=promised --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: weftc --cpu=sapphirerapids --kernel=fields --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefixes=CHECK,FIELDS
// RUN: weftc --cpu=sapphirerapids --kernel=anywhere --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefixes=CHECK,KEPT
// RUN: weftc --cpu=sapphirerapids --kernel=leave --local-size=64,1,1 --ids-fit-31-bits --stop-after=accumulators %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=seen --local-size=64,1,1 --ids-fit-31-bits --stop-after=accumulators %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=neighbours --local-size=64,1,1 --ids-fit-31-bits --stop-after=accumulators %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=sometimes --local-size=64,1,1 --ids-fit-31-bits --stop-after=accumulators %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=counted --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=COUNTED
// RUN: weftc --cpu=sapphirerapids --kernel=bounced --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=BOUNCED
// RUN: weftc --cpu=sapphirerapids --kernel=own_sums --local-size=2,1,1 --ids-fit-31-bits --verify-each --stop-after=accumulators %s | FileCheck %s --check-prefix=LOCAL
// RUN: weftc --emit=scalar --info %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INFO

// CHECK-LABEL: .region.0(
// KEPT: %kept = load volatile float
// KEPT: phi float
// KEPT-NOT: store volatile
// KEPT: br i1
// KEPT: store volatile float {{%.*}}, ptr addrspace(1)
// STAYS-LABEL: .region.0(
// STAYS-NOT: %kept

// A launch says that nothing else has a byte of either buffer.
// INFO: apart:
// INFO: float* c, may be apart
// INFO: float* a, may be apart
// INFO: int n{{$}}
kernel void apart(global float* c, global const float* a, int n) {
  const int i = get_global_id(0);
  for (int k = 0; k < n; ++k) c[i] += a[k * n + i];
}

// The program says so.
kernel void promised(global float* restrict c, global const float* a, int n) {
  const int i = get_global_id(0);
  for (int k = 0; k < n; ++k) c[i] += a[k * n + i];
}

// Local memory is another one; fields of a struct are apart, whatever their lanes' places.
// FIELDS-COUNT-2: %kept{{[0-9]*}} = load volatile float
// FIELDS-NOT: store volatile float {{.*}} addrspace(1)
// FIELDS: br i1
// FIELDS-COUNT-2: store volatile float {{%.*}}, ptr addrspace(1)
typedef struct { float x, y; } Point;
kernel void fields(global Point* f, global const int* order, local const float* x, int n) {
  global Point* const own = f + order[get_global_id(0)];
  for (int k = 0; k < n; ++k) {
    own->x += x[k];
    own->y += x[k] * x[k];
  }
}

// Lanes may share an element, as long as all leave the loop together.
kernel void anywhere(global float* f, global const int* order, local const float* x, int n) {
  const int i = order[get_global_id(0)];
  for (int k = 0; k < n; ++k) f[i] += x[k];
}
kernel void leave(global float* f, global const int* order, local const float* x, int n) {
  const int i = order[get_global_id(0)];
  for (int k = 0; k < i; ++k) f[i] += x[k];
}
// Here what one lane loads, of which the last lane's store is left, is stored elsewhere.
kernel void seen(global float* f, global const int* order, local float* x, int n) {
  const int i = order[get_global_id(0)];
  for (int k = 0; k < n; ++k) x[get_local_id(0) + k] = f[i] += 1;
}
// An element is another lane's as well.
kernel void neighbours(global float* f, int n) {
  const int i = get_global_id(0);
  for (int k = 0; k < n; ++k) f[i] += f[i + 1];
}
// Not each iteration stores. If none does, nothing may be there; else a bit says whether one did.
// COUNTED-LABEL: .region.0(
// COUNTED: %kept = load volatile i32
// COUNTED: %kept.stored = phi i1 [{{.*}} false, 
// COUNTED: br i1 %kept.stored
// COUNTED: store volatile i32 {{%.*}}, ptr addrspace(1)
kernel void counted(global int* f, local const float* x, int n) {
  const int i = get_global_id(0);
  f[i] = 0;
  for (int k = 0; k < n; ++k)
    if (x[k + i] > 0) f[i]++;
}
// Between fields that are accessed in any case: one that is stored now and then, and one that is never loaded.
// BOUNCED-LABEL: .region.0(
// BOUNCED-COUNT-3: %kept{{[0-9]*}} = load volatile
// BOUNCED: %kept.stored = phi i1 [ false,
// BOUNCED-NOT: store volatile {{.*}} addrspace(1)
// BOUNCED: br i1 {{%.*}}, label %for.body,
typedef struct { float x, v; int hits; float energy; } Body;
kernel void bounced(global Body* bodies, int n) {
  global Body* const own = bodies + get_global_id(0);
  for (int k = 0; k < n; ++k) {
    own->x += own->v;
    if (own->x < 0) {
      own->v = -own->v;
      own->hits++;
    }
    own->energy = own->v * own->v;
  }
}
kernel void sometimes(global float* f, local const float* x, int n) {
  const int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    if (x[k + i] > 0) f[i] += x[k];
}

// In local memory, too: lanes that have left the loop would mask each store, behind which the next load waits.
// LOCAL-LABEL: .region.0(
// LOCAL: %kept = load volatile float, ptr addrspace(3)
// LOCAL: phi float
// LOCAL-NOT: store volatile
// LOCAL: br i1
// LOCAL: store volatile float {{%.*}}, ptr addrspace(3)
kernel void own_sums(global const float* restrict a, global float* restrict sums, local float* own, int n) {
  const int l = get_local_id(0);
  own[l] = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) own[l] += a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) sums[get_group_id(0)] = own[0] + own[get_local_size(0) - 1];
}
