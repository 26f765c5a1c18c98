// Neighbours are neighbours in memory but at a border that the program asks for by `?:`: where all lanes of a segment choose the same
// progression, they follow it. A condition that no bound decides may change from any lane to the next.
// RUN: weftc %s --kernel=around --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen | FileCheck %s --check-prefix=AROUND
// RUN: weftc %s --kernel=around --local-size=32,1,1 --ids-fit-31-bits --print-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: weftc %s --kernel=clamped --local-size=16,4,1 --ids-fit-31-bits --print-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=CLAMPED
// RUN: weftc %s --kernel=halves --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen | FileCheck %s --check-prefix=HALVES
// RUN: weftc %s --kernel=flagged --local-size=32,1,1 --ids-fit-31-bits --print-shapes -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAGGED

// SHAPE: select i1 {{.*}} stride 1 {{.*}}checked
// AROUND: [[CHOSEN:%.*]] = bitcast <32 x i1> {{.*}} to i32
// AROUND: [[NONE:%.*]] = icmp eq i32 [[CHOSEN]], 0
// AROUND: br i1 [[NONE]], label %contiguous
// AROUND: contiguous:
// AROUND: load <32 x float>
// AROUND: wrapped:
kernel void around(global const float* in, global float* out, int n) {
  const int i = get_global_id(0);
  const int right = i == n - 1 ? 0 : i + 1;
  out[i] = in[right];
}

// CLAMPED: select i1 {{.*}} stride 1 in 16 {{.*}}checked
kernel void clamped(global const float* in, global float* out, int n) {
  uint x = get_global_id(0);
  if (x >= n) x = n - 1;
  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = in[x + n * get_global_id(1)];
}

// HALVES: [[CHOSEN:%.*]] = bitcast <32 x i1> {{.*}} to i32
// HALVES-DAG: icmp eq i32 [[CHOSEN]], -1
// HALVES-DAG: icmp eq i32 [[CHOSEN]], 0
// HALVES: contiguous:
// HALVES: load <32 x float>
kernel void halves(global const float* in, global float* out, int n) {
  const int i = get_global_id(0);
  out[i] = in[i < n ? i + n : i - n];
}

// FLAGGED: select i1 {{.*}}varying
kernel void flagged(global const float* in, global const int* flags, global float* out, int n) {
  const int i = get_global_id(0);
  out[i] = in[flags[i] > n ? 0 : i + 1];
}
