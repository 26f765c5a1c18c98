// Stores that each side of a branch ends with, at one place: one store behind the branch.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=sides --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=SIDES
// SIDES-LABEL: define internal i32 @sides.region.0
// SIDES: [[VALUE:%.*]] = phi float
// SIDES: store volatile float [[VALUE]]
// SIDES-NOT: store
// SIDES: ret i32
kernel void sides(global const float* a, global float* out) {
  const int i = get_global_id(0);
  if (a[i] > 1) out[2 * i + 1] = a[i] * 3; else out[2 * i + 1] = 1 / a[i];
}

// Cases, and a branch in one of them.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=cases --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=CASES
// CASES-LABEL: define internal i32 @cases.region.0
// CASES-COUNT-1: store volatile float
// CASES-NOT: store
// CASES: ret i32
kernel void cases(global const float* a, global const int* which, global float* out) {
  const int i = get_global_id(0);
  const float x = a[i];
  switch (which[i]) {
    case 0: out[i] = x * x; break;
    case 1: out[i] = x / 3; break;
    case 5: out[i] = x + 9; break;
    default:
      if (x > 2) out[i] = 1; else out[i] = sqrt(x);
  }
}

// Not where a side reads what the other's lanes may have stored; not for one side alone, other places, `volatile`, or vectors.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=reads --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=places --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=asked --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=vectors --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=TWO
// TWO: .region.0(
// TWO-COUNT-2: store volatile
kernel void reads(global const float* a, global float* out) {
  const int i = get_global_id(0);
  if (a[i] > 1) out[i] = 3; else out[i] = out[i ^ 1];
}
kernel void places(global const float* a, global float* out) {
  const int i = get_global_id(0);
  if (a[i] > 1) out[i] = 3; else out[i + 1] = 4;
}
kernel void asked(global const float* a, global volatile float* out) {
  const int i = get_global_id(0);
  if (a[i] > 1) out[i] = 3; else out[i] = 4;
}
kernel void vectors(global const float4* a, global float4* out) {
  const int i = get_global_id(0);
  if (a[i].x > 1) out[i] = a[i] * 3; else out[i] = a[i].wzyx;
}

// With `restrict` what a side reads lies elsewhere.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=elsewhere --stop-after=joined-stores --verify-each %s | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE-LABEL: define internal i32 @elsewhere.region.0
// ELSEWHERE-COUNT-1: store volatile float
// ELSEWHERE-NOT: store
// ELSEWHERE: ret i32
kernel void elsewhere(global const float* restrict a, global float* restrict out) {
  const int i = get_global_id(0);
  if (a[i] > 1) out[i] = a[i + 1]; else out[i] = a[i + 2];
}
