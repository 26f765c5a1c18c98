// `restrict` arguments become alias scopes, which outlive the arguments.
// RUN: weftc --kernel=scale --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=restrict-scopes %s | FileCheck %s --check-prefix=SCOPES
// RUN: weftc --kernel=scale --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=HOISTED
// RUN: weftc --kernel=scale --local-size=32,1,1 --ids-fit-31-bits --disable=restrict-scopes --emit=llvm %s | FileCheck %s --check-prefix=KEPT
// RUN: weftc --kernel=plain --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=PLAIN
// RUN: weftc --kernel=several --local-size=32,1,1 --ids-fit-31-bits --stop-after=restrict-scopes %s | FileCheck %s --check-prefix=SEVERAL
// RUN: weftc --kernel=neighbours --local-size=32,1,1 --ids-fit-31-bits --emit=llvm %s | FileCheck %s --check-prefix=ORDER

// SCOPES-LABEL: @scale(
// SCOPES: load volatile float, ptr addrspace(1) %factor, {{.*}}!alias.scope [[FACTOR:![0-9]+]], !noalias [[OUT:![0-9]+]]
// SCOPES: store volatile float {{.*}}!alias.scope [[OUT]], !noalias [[FACTOR]]

// The factor is loaded once, not after each store.
// HOISTED-LABEL: @scale.group
// HOISTED: load float
// HOISTED: {{^}}[[LOOP:[^ ]+]]:
// HOISTED-NOT: load float,
// HOISTED: store <32 x float>
// HOISTED-NOT: load float,
// HOISTED: br i1 {{.*}}label %[[LOOP]]
// KEPT-LABEL: @scale.group
// KEPT: store <32 x float>
// KEPT: load float,
// KEPT: store <32 x float>
kernel void scale(global float* restrict out, global const float* restrict factor, int n) {
  int i = get_global_id(0);
#pragma unroll 2
  for (int k = 0; k < n; ++k) out[1024 * k + i] = *factor * k;
}

// Without the promise nothing is known.
// PLAIN-LABEL: @plain.group
// PLAIN: store <32 x float>
// PLAIN: load float,
// PLAIN: store <32 x float>
kernel void plain(global float* out, global const float* factor, int n) {
  int i = get_global_id(0);
#pragma unroll 2
  for (int k = 0; k < n; ++k) out[1024 * k + i] = *factor * k;
}

// A pointer that may be one of two is in both scopes. One that may also be a third, without a promise, is in none;
// that third aliases no scope.
// SEVERAL-LABEL: @several(
// SEVERAL: load volatile float, ptr addrspace(1) %a.b, align 4, !alias.scope [[BOTH:![0-9]+]], !noalias [[C:![0-9]+]]
// SEVERAL: load volatile float, ptr addrspace(1) {{%.*}}, align 4, !noalias {{![0-9]+}}, !weft.nonvolatile
// SEVERAL: load volatile float, ptr addrspace(1) %d, align 4, !noalias [[ALL:![0-9]+]], !weft.nonvolatile
// SEVERAL: atomicrmw volatile add ptr addrspace(1) %c, {{.*}}!alias.scope [[C]], !noalias [[BOTH]]
kernel void several(global float* restrict a, global float* restrict b, global int* restrict c, global float* d, int n) {
  global float* either = n > 3 ? a : b;
  global float* any = n > 5 ? a : d;
  float sum = *either;
  sum += *any;
  sum += *d;
  atomic_add(c, (int)sum);
}

// Accesses through one pointer keep their order: a lane loads what its neighbour stores.
// ORDER-LABEL: @neighbours.group
// ORDER: store <32 x i32>
// ORDER: load <32 x i32>
// ORDER: store <32 x i32>
kernel void neighbours(global int* restrict a, global int* restrict b) {
  size_t i = get_global_id(0);
  a[i] = b[i];
  b[i] = a[i + 1];
}

// Buffers of which a launch says that no other argument has a byte of them have scopes, too.
// RUN: weftc --kernel=apart --local-size=32,1,1 --ids-fit-31-bits --formats=3 --verify-each --stop-after=restrict-scopes %s | FileCheck %s --check-prefix=APART
// RUN: weftc --kernel=apart --local-size=32,1,1 --ids-fit-31-bits --stop-after=restrict-scopes %s | FileCheck %s --check-prefix=UNKNOWN
// APART-LABEL: @apart(
// APART: load volatile float, ptr addrspace(1) %factor, {{.*}}!alias.scope [[FACTOR:![0-9]+]], !noalias [[OUT:![0-9]+]]
// APART: store volatile float {{.*}}!alias.scope [[OUT]], !noalias [[FACTOR]]
// UNKNOWN-NOT: !alias.scope
kernel void apart(global float* out, global const float* factor, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k) out[1024 * k + i] = *factor * k;
}
