// Neighbours in a ring are neighbours in memory but for those that begin another round: one comparison decides. Only a mask of low
// bits makes a ring.
// RUN: weftc %s --kernel=masked --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen | FileCheck %s --check-prefix=MASKED
// RUN: weftc %s --kernel=remainder_of --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen | FileCheck %s --check-prefix=REMAINDER
// RUN: weftc %s --kernel=masked --local-size=32,1,1 --ids-fit-31-bits --print-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: weftc %s --kernel=short_ring --local-size=32,1,1 --ids-fit-31-bits --print-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT

// SHAPE: and i32 {{.*}}checked
// MASKED: [[LAST:%.*]] = and i32
// MASKED: sub i32 [[LAST]]
// MASKED: icmp eq i32 {{.*}}, 31
// MASKED: contiguous:
// MASKED: load <32 x float>
// MASKED: wrapped:
kernel void masked(global const float* in, global float* out, int k, int n) {
  const int i = get_global_id(0);
  out[i] = in[(i + k) & (n - 1)];
}

// REMAINDER: srem i32
// REMAINDER: icmp eq i32 {{.*}}, 31
// REMAINDER: icmp sle i32
// REMAINDER: contiguous:
// REMAINDER: load <32 x float>
// REMAINDER: wrapped:
kernel void remainder_of(global const float* in, global float* out, int k, int n) {
  const int i = get_global_id(0);
  out[i] = in[(i + k) % n];
}

// Most warps meet the end of a ring of 100.
// SHORT: srem i32 {{.*}}varying
kernel void short_ring(global const float* in, global float* out, int k) {
  const int i = get_global_id(0);
  out[i] = in[(i + k) % 100];
}
