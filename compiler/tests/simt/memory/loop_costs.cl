// Arithmetic of a lane takes as long as that of a register, or half as long for integers, and lanes that count to one bound from within a step do not wait.
// RUN: weftc %s --kernel=group_walks --local-size=256,1,1 --cpu=haswell --verify-each --stop-after=scalarize-loops | FileCheck %s --check-prefix=BESIDE
// RUN: weftc %s --kernel=group_walks --local-size=256,1,1 --cpu=nehalem --verify-each --stop-after=scalarize-loops | FileCheck %s --check-prefix=BESIDE
// RUN: weftc %s --kernel=grid_walks --local-size=256,1,1 --cpu=haswell --verify-each --stop-after=scalarize-loops | FileCheck %s --check-prefix=BESIDE
// RUN: weftc %s --kernel=products --local-size=256,1,1 --cpu=haswell --verify-each --stop-after=scalarize-loops | FileCheck %s --check-prefix=BESIDE
// RUN: weftc %s --kernel=own_places --local-size=256,1,1 --cpu=haswell --verify-each --stop-after=scalarize-loops | FileCheck %s --check-prefix=ALONE
// RUN: weftc %s --kernel=near --local-size=16,16,1 --ids-fit-31-bits --aligned-offsets --cpu=znver4 --verify-each --stop-after=scalarize-loops | FileCheck %s --check-prefix=BESIDE

// BESIDE-NOT: @by_lane
// ALONE: call {{.*}}@by_lane
kernel void group_walks(global const double* in, global double* out, int n) {
  const int row = get_group_id(0) * n;
  double sum = 0;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) sum += tanh(in[row + i]);
  out[get_global_id(0)] = sum;
}

kernel void grid_walks(global const double* in, global double* out, int n) {
  double sum = 0;
  for (global const double* p = in + get_global_id(0); p < in + n; p += 4096) sum += tanh(*p);
  out[get_global_id(0)] = sum;
}

// A product of halves of 64 bits is one instruction of a register.
kernel void products(global const ulong* in, global ulong* out, ulong y) {
  ulong sum = 0;
  for (int i = 0; i < 16; ++i) sum += mul_hi(in[get_global_id(0)] + i, y);
  out[get_global_id(0)] = sum;
}

// Rows of a list, of any length.
kernel void own_places(global const double* in, global const int* places, global const int* starts, global double* out) {
  const int g = get_global_id(0);
  double sum = 0;
  for (int i = starts[g]; i < starts[g + 1]; ++i) sum += in[places[i]];
  out[g] = sum;
}

// All lanes of nearly all warps are within bounds, across and down, so all of them come to the loop.
kernel void near(global const float2* moves, global const uchar* picture, global float* out, int width, int height, int pitch) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int k = max(0, x - 5) / 3; k <= min(x / 3, (width - 8) / 3); ++k) {
    const float2 move = moves[k * pitch + y];
    const float at = clamp(x + move.x, 0.0f, width - 1.0f), row = clamp(y + move.y, 0.0f, height - 1.0f);
    const int i = at, j = row;
    const uchar2 two = vload2(0, picture + j * width + i);
    const float value = (at - i) * two.y + (1 - at + i) * two.x - (row - j);
    sum += 1 / fmax(1.0f, fabs(value));
  }
  out[y * width + x] = sum;
}
