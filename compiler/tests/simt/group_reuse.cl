// Which kernels' groups share memory along x and along y.
// RUN: weftc --info --emit=scalar -o /dev/null %s 2>&1 | FileCheck %s

#define TILE 16
// CHECK: kernel product: {{.*}}, shares rows and columns [
kernel void product(global const float* a, global const float* b, global float* c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// CHECK: kernel tiles: {{.*}}, shares rows and columns [
kernel void tiles(global const float* a, global const float* b, global float* c, int n) {
  local float ta[TILE][TILE], tb[TILE][TILE];
  int i = get_local_id(0), j = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += TILE) {
    ta[j][i] = a[(get_group_id(1) * TILE + j) * n + t + i];
    tb[j][i] = b[(t + j) * n + get_group_id(0) * TILE + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += ta[j][k] * tb[k][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[get_global_id(1) * n + get_global_id(0)] = sum;
}

// Every group reads memory of its own, and all the same filter.
// CHECK: kernel filter: {{.*}} private 0, fusible []
kernel void filter(global const float* in, global const float* weights, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += weights[k] * in[(y + k) * n + x];
  out[y * n + x] = sum;
}

// Shared one way only: rows.
// CHECK: kernel row_sums: {{.*}} private 0, fusible []
kernel void row_sums(global const float* a, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = x;
  for (int k = 0; k < n; ++k) sum += a[y * n + k];
  out[y * n + x] = sum;
}

// Each once: nothing to have again.
// CHECK: kernel outer: {{.*}} private 0, fusible []
kernel void outer(global const float* a, global const float* b, global float* out, int n) {
  out[get_global_id(1) * n + get_global_id(0)] = a[get_global_id(1)] * b[get_global_id(0)];
}
