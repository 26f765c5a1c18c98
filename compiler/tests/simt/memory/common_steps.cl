// Pointers that each lane has of its own, and that all add the same to: the addition is a scalar's.
// RUN: weftc %s --kernel=walks --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-steps | FileCheck %s --check-prefix=WALKS
// RUN: weftc %s --kernel=nested --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-steps | FileCheck %s --check-prefix=NESTED
// RUN: weftc %s --kernel=own --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=common-steps | FileCheck %s --check-prefix=OWN
// RUN: weftc %s --kernel=walks --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --disable=common-steps --stop-after=widen | FileCheck %s --check-prefix=OFF

// WALKS: [[BYTES:%.*]] = phi i64
// WALKS: [[BASE:%.*]] = getelementptr i8, ptr addrspace(1) %in, i64 [[BYTES]]
// WALKS: getelementptr float, ptr addrspace(1) [[BASE]]
// OFF-NOT: phi i64
// OFF: phi <32 x ptr>
kernel void walks(global const float* in, global const int* from, global float* out, int n, int pitch) {
  const int i = get_global_id(0);
  global const float* p = in + from[i];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    sum = fabs(sum) + p[0];
    p += pitch;
  }
  out[i] = sum;
}

// What the inner loop has added the outer one goes on from.
// NESTED-COUNT-2: phi i64
// NESTED-NOT: phi ptr addrspace(1)
kernel void nested(global const float* in, global const int* from, global float* out, int n, int m, int pitch) {
  const int i = get_global_id(0);
  global const float* p = in + from[i];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < m; ++j) {
      sum = fabs(sum) + p[0] * p[1];
      p += pitch;
    }
    p += 3;
  }
  out[i] = sum;
}

// Each lane adds what is its own.
// OWN: phi ptr addrspace(1)
kernel void own(global const float* in, global const int* from, global float* out, int n) {
  const int i = get_global_id(0);
  global const float* p = in + from[i];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    sum = fabs(sum) + p[0];
    p += from[i + 1];
  }
  out[i] = sum;
}
