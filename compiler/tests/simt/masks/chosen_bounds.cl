// A first number or bound that a condition of the whole group chooses: a loop for each side, of which one has numbers that lanes share.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=pairs --stop-after=chosen-bounds --verify-each %s | FileCheck %s --check-prefix=PAIRS
// PAIRS-LABEL: define internal i32 @pairs.region.0
// PAIRS: br i1 %{{.*}}, label %[[OWN:.*split]], label %[[ALL:.*otherwise]]
// PAIRS: phi i32 {{.*}}[ %{{add.*}}, %
// PAIRS: phi i32 {{.*}}[ 0, %
kernel void pairs(global const float* x, global float* out) {
  const int lane = get_local_id(0);
  float near = INFINITY;
  for (int j = get_group_id(0) == get_group_id(1) ? lane + 1 : 0; j < 64; ++j) near = fmin(near, fabs(x[j] - x[get_global_id(0)]));
  out[get_global_id(0)] = near;
}

// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=below --stop-after=chosen-bounds --verify-each %s | FileCheck %s --check-prefix=BELOW
// BELOW-LABEL: define internal i32 @below.region.0
// BELOW: .otherwise
kernel void below(global const float* a, global const float* x, global float* out) {
  const int lane = get_local_id(0), end = get_group_id(1) == 0 ? lane : 64;
  float sum = 0;
  for (int j = 0; j < end; ++j) sum += a[j * 64 + lane] * x[j];
  out[get_global_id(0)] = sum;
}

// A condition of each lane's own chooses for lanes, not for loops; and where lanes meet, they stay together.
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=lanes --stop-after=chosen-bounds --verify-each %s | FileCheck %s --check-prefix=NONE
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=meet --stop-after=chosen-bounds --verify-each %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: .otherwise
kernel void lanes(global const float* x, global float* out) {
  const int lane = get_local_id(0);
  float sum = 0;
  for (int j = x[lane] > 0 ? lane : 0; j < 64; ++j) sum += x[j];
  out[get_global_id(0)] = sum;
}
kernel void meet(global const float* x, global float* out) {
  const int lane = get_local_id(0), end = get_group_id(1) == 0 ? lane : 64;
  float sum = 0;
  for (int j = 0; j < end; ++j) sum += sub_group_reduce_add(x[j]);
  out[get_global_id(0)] = sum;
}
