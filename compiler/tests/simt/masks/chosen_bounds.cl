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

// Where each lane has a number of its own or one that all share, the warp looks once whether all have that: inside of an image, a filter has all of its taps.
// RUN: weftc --local-size=16,16,1 --ids-fit-31-bits --kernel=taps --stop-after=chosen-bounds --verify-each %s | FileCheck %s --check-prefix=TAPS
// RUN: weftc --local-size=64,1,1 --ids-fit-31-bits --kernel=loaded --stop-after=chosen-bounds --verify-each %s | FileCheck %s --check-prefix=LOADED
// TAPS-LABEL: define internal i32 @taps.region.0
// TAPS: [[ALL:%.*]] = call i1 @weft.all(
// TAPS: [[LEFT:%.*]] = sub i32 0, %r
// TAPS: [[ABOVE:%.*]] = sub i32 0, %r
// TAPS: br i1 [[ALL]], label %item.entry.split, label %item.entry.split.otherwise
// TAPS: phi i32 [ [[ABOVE]], %
// TAPS: phi i32 [ [[LEFT]], %
// TAPS: item.entry.split.otherwise:
kernel void taps(global const int* in, constant int* weights, global int* out, int width, int height, int r) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = x < r ? -x : -r, right = x >= width - r ? width - 1 - x : r;
  const int above = y < r ? -y : -r, below = y >= height - r ? height - 1 - y : r;
  int sum = 0;
  for (int j = above; j <= below; ++j)
    for (int i = left; i <= right; ++i) sum += in[(y + j) * width + x + i] * weights[(j + r) * (2 * r + 1) + i + r];
  out[y * width + x] = sum;
}
// What lanes have loaded they seldom have alike.
// LOADED-NOT: weft.all
kernel void loaded(global const int* most, global const float* a, global float* out, int n) {
  const int i = get_global_id(0), end = min(most[i], n);
  float sum = 0;
  for (int j = 0; j < end; ++j) sum += a[j * 64 + i];
  out[i] = sum;
}
