// Where a loop runs for one lane after the other, a few updates behind what is loaded are made in any case, and what they add is chosen.
// RUN: weftc --kernel=near --cpu=haswell --local-size=16,16,1 --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=NEAR
// NEAR-LABEL: define {{.*}}@by_lane(
// NEAR: [[BITS:%.*]] = bitcast float %{{.*}} to i32
// NEAR: [[CHOSEN:%.*]] = select i1 %{{.*}}, i32 [[BITS]], i32 -2147483648, !unpredictable
// NEAR: call i32 asm {{.*}}(i32 [[CHOSEN]])
// NEAR: fadd float
// NEAR: select i1 %{{.*}}, i32 %{{.*}}, i32 0, !unpredictable
// NEAR: ret

// Sums of which LLVM has made choices, too: a processor has none between floats whose condition others ask.
// RUN: weftc --kernel=sums --cpu=haswell --local-size=64,1,1 --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=SUMS
// SUMS-LABEL: define {{.*}}@by_lane(
// SUMS: select i1 %{{.*}}, i32 %{{.*}}, i32 -2147483648, !unpredictable
// SUMS: fadd float
// SUMS-NOT: select i1 %{{.*}}, float
// SUMS: ret
kernel void near(global const float* in, const int side, const long across, const long down, const int radius, const float limit, global float* out) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= side || y >= side) return;
  int at_x = x, at_y = y;
  for (int step = 0; step < 4; ++step) {
    int sum_x = 0, sum_y = 0, count = 0;
    float sum = 0;
    for (int v = -radius; v <= radius; ++v) {
      const int j = at_y + v;
      if (j < 0 || j >= side) continue;
      for (int u = -radius; u <= radius; ++u) {
        const int i = at_x + u;
        if (i < 0 || i >= side) continue;
        const uint place = i * across + j * down;
        const float other = in[place];
        if (other <= limit) {
          sum += other;
          sum_x += i;
          sum_y += j;
          ++count;
        }
      }
    }
    if (count == 0) break;
    at_x = sum_x / count;
    at_y = sum_y / count;
    out[y * side + x] = sum;
  }
}

kernel void sums(global const int* first, global const int* column, global const float* a, const float reach, global float* out, global int* counts) {
  const int i = get_global_id(0);
  float sum = 0;
  int count = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    const float x = a[column[k]];
    if (x < reach) {
      sum += x;
      ++count;
    }
  }
  out[i] = sum;
  counts[i] = count;
}

// Not what takes long, nor behind what the loop counts.
// RUN: weftc --kernel=far --cpu=haswell --local-size=64,1,1 --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=counted --cpu=haswell --local-size=64,1,1 --scalarize-loops=always --stop-after=scalarize-loops --verify-each %s | FileCheck %s --check-prefix=STAYS
// STAYS-LABEL: define {{.*}}@by_lane(
// STAYS-NOT: unpredictable
kernel void far(global const int* first, global const int* column, global const float* a, const float reach, global float* sums, global int* counts) {
  const int i = get_global_id(0);
  float sum = 0;
  int count = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    const float x = a[column[k]];
    if (x < reach) {
      sum += reach / x;
      ++count;
    }
  }
  sums[i] = sum;
  counts[i] = count;
}

kernel void counted(global const int* first, global const int* column, global const float* a, const int from, global float* sums, global int* counts) {
  const int i = get_global_id(0);
  float sum = 0;
  int count = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    const float x = a[column[k]];
    if (k > from) {
      sum += x;
      ++count;
    }
  }
  sums[i] = sum;
  counts[i] = count;
}
